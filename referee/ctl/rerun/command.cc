// refctl rerun: requests a bot's moves in recorded matches again.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/conformance/rerun.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/source.h"
#include "referee/ctl/terminal/print.h"
#include "referee/launch/bot_command.h"

namespace referee::ctl {
namespace {

constexpr char kDescription[] =
    "Asks a bot the turns that it had in recorded matches, and shows where it would play otherwise";

constexpr char kFooter[] =
    "The bot is started and asked each turn as it was: position, dice, what was left on its clock, "
    "and what the SDKs draw its chance from. Each comes as a match that goes on there, so the bot "
    "hears nothing of the turns before. Its answer is compared with the move that was played by "
    "the position that results: two moves that lead to the same are no difference.\n\n"
    "A test of bots against their own past: after a change that should change nothing, it still "
    "plays what it has played. --repeat shows which turns it plays by chance, or by how much time "
    "it has.\n\n"
    "Exit status: 0 if it would play the same in every turn, 1 if not, 2 if it could not be asked "
    "or a replay could not be read: that is named, and the others are asked.\n\n"
    "Example: refctl rerun data/replays --bot mine --bot-cmd ./mine-v2";

constexpr char kAsPlayed[] = "as-played";

struct RerunFlags {
  std::vector<std::string> replays;
  SourceFlags source;
  std::string seat;
  std::string bot;
  std::string command;
  uint32_t turn = 0;
  std::string time = kAsPlayed;
  int repeat = 1;
  bool all = false;
  bool json = false;
};

absl::StatusOr<conformance::RerunTerms> ReadTerms(const RerunFlags& flags) {
  conformance::RerunTerms terms;
  if (flags.seat.empty() == flags.bot.empty()) {
    return absl::InvalidArgumentError(
        "say whose turns are asked: --seat, or --bot with its name in the matches");
  }
  if (!flags.seat.empty()) terms.seat = Seat(flags.seat[0] - 'a');
  terms.bot = flags.bot;
  if (flags.turn > 0) terms.turn = flags.turn;
  if (flags.time == kAsPlayed) return terms;
  absl::Duration limit;
  if (!absl::ParseDuration(flags.time, &limit) || limit <= absl::ZeroDuration() ||
      limit > absl::Hours(24)) {
    return BadValue("--time", flags.time, "as-played, or a time such as 500ms");
  }
  terms.limit = limit;
  return terms;
}

// The selected turns of all named matches. A selected bot need not be in each of several matches.
// Reports replays that cannot be read, and adds their number to `unread`.
absl::StatusOr<std::vector<conformance::RecordedTurn>> LoadTurns(
    const RerunFlags& flags, const conformance::RerunTerms& terms, const Output& output,
    size_t* unread) {
  ReplaySource source(flags.source);
  const absl::StatusOr<std::vector<NamedReplay>> named = ReplaySource::Expand(flags.replays);
  if (!named.ok()) return named.status();
  std::vector<conformance::RecordedTurn> all;
  absl::Status none;
  for (const NamedReplay& one : *named) {
    const absl::StatusOr<replay::Replay> replay = source.Load(one);
    if (!replay.ok()) {
      if (named->size() == 1) return replay.status();
      output.Error(replay.status());
      ++*unread;
      continue;
    }
    absl::StatusOr<std::vector<conformance::RecordedTurn>> turns =
        conformance::RecordedTurns(*replay, terms);
    if (absl::IsNotFound(turns.status())) {
      none = At(NameOf(one), turns.status());
      continue;
    }
    if (!turns.ok()) return At(NameOf(one), turns.status());
    std::move(turns->begin(), turns->end(), std::back_inserter(all));
  }
  if (all.empty() && *unread > 0) return ReplaysNotRead(*unread, named->size());
  if (all.empty()) return none;
  return all;
}

std::string AnswerText(const conformance::Rerun& rerun, const conformance::TurnAnswer& answer) {
  return answer.move.ok() ? rerun.turn.asked.game->MoveText(*answer.move)
                          : std::string(answer.move.status().message());
}

// The bot's answers, each once, with its frequency if there were several requests.
std::string AnswersText(const conformance::Rerun& rerun) {
  std::map<std::string, int> counts;
  for (const conformance::TurnAnswer& answer : rerun.answers) ++counts[AnswerText(rerun, answer)];
  std::vector<std::string> texts;
  for (const auto& [text, count] : counts) {
    texts.push_back(rerun.answers.size() == 1 ? text : absl::StrCat(text, " (", count, " times)"));
  }
  return absl::StrJoin(texts, ", ");
}

// One line: the move played, and the answers now.
std::string RerunText(const conformance::Rerun& rerun) {
  const conformance::AskedTurn& asked = rerun.turn.asked;
  return absl::StrCat(rerun.turn.match_id, "  turn ", asked.turn, " ", asked.seat().text(),
                      "  played ", rerun.turn.played_text,
                      rerun.otherwise() > 0 ? "  now " : "  still ", AnswersText(rerun), "\n");
}

// One JSON object with all turns, on one line.
std::string RerunJson(absl::string_view bot, const std::vector<conformance::Rerun>& all) {
  Json turns = Json::array();
  int otherwise = 0;
  for (const conformance::Rerun& rerun : all) {
    const conformance::AskedTurn& asked = rerun.turn.asked;
    Json answers = Json::array();
    for (const conformance::TurnAnswer& answer : rerun.answers) {
      Json json = {{answer.move.ok() ? "move" : "problem", AnswerText(rerun, answer)}};
      if (answer.after < absl::InfiniteDuration()) {
        json["after_ns"] = absl::ToInt64Nanoseconds(answer.after);
      }
      answers.push_back(std::move(json));
    }
    otherwise += rerun.otherwise() > 0 ? 1 : 0;
    turns.push_back({{"match_id", rerun.turn.match_id},
                     {"turn", asked.turn},
                     {"seat", asked.seat().text()},
                     {"position", asked.state->Position()},
                     {"limit_ns", absl::ToInt64Nanoseconds(asked.limit)},
                     {"played", rerun.turn.played_text},
                     {"answers", answers},
                     {"otherwise", rerun.otherwise()}});
  }
  return JsonLine(Json{{"bot", std::string(bot)},
                       {"asked", all.size()},
                       {"otherwise", otherwise},
                       {"turns", turns}});
}

absl::StatusOr<Exit> AskAgain(const RerunFlags& flags, const Output& output) {
  const absl::StatusOr<conformance::RerunTerms> terms = ReadTerms(flags);
  if (!terms.ok()) return terms.status();
  const auto commands = launch::ReadBotCommands({flags.command});
  if (!commands.ok()) return commands.status();
  size_t unread = 0;
  auto turns = LoadTurns(flags, *terms, output, &unread);
  if (!turns.ok()) return turns.status();
  conformance::TriedBot::Options options;
  options.command = commands->front().command;
  const absl::StatusOr<std::unique_ptr<conformance::TriedBot>> bot =
      conformance::TriedBot::Make(options);
  if (!bot.ok()) return bot.status();
  const auto reruns = conformance::RunAgain(*std::move(turns), flags.repeat, bot->get());
  if (!reruns.ok()) return reruns.status();
  const auto otherwise =
      std::count_if(reruns->begin(), reruns->end(),
                    [](const conformance::Rerun& rerun) { return rerun.otherwise() > 0; });
  if (flags.json) {
    output.out() << RerunJson(commands->front().name, *reruns);
  } else {
    for (const conformance::Rerun& rerun : *reruns) {
      if (flags.all || rerun.otherwise() > 0) output.out() << RerunText(rerun);
    }
    output.out() << absl::StrCat(commands->front().name, ": ", reruns->size(), " turns asked, ",
                                 otherwise, " played otherwise\n");
  }
  if (unread > 0) return Exit::kUsage;
  return otherwise == 0 ? Exit::kOk : Exit::kNegative;
}

}  // namespace

void AddRerunCommand(CLI::App* app, Chosen* chosen) {
  const auto [command, flags] = AddSubcommand(app, chosen, "rerun", kDescription, AskAgain);
  command->footer(kFooter);
  AddOption(command, "replays", "REPLAY", &flags->replays, kReplaysHelp)->required();
  AddOption(command, "--seat", "SEAT", &flags->seat, "The turns of this seat, a to f")
      ->check(OneOf({"a", "b", "c", "d", "e", "f"}));
  AddOption(command, "--bot", "NAME", &flags->bot,
            "The turns of the bot of this name, in any seat");
  AddOption(command, "--bot-cmd", "CMD", &flags->command,
            "The bot that is asked: a command for /bin/sh, as for 'refctl duel'")
      ->required();
  AddOption(command, "--turn", "N", &flags->turn, "Only the turn of this number")
      ->check(Whole(1, UINT32_MAX));
  AddOption(command, "--time", "TIME", &flags->time,
            "How long a move may take: as-played, what was left on the clock then, or a time")
      ->capture_default_str();
  AddOption(command, "--repeat", "K", &flags->repeat, "How often each turn is asked")
      ->check(Whole(1, 1000))
      ->capture_default_str();
  command->add_flag("--all", flags->all, "Shows the turns that it plays the same, too");
  command->add_flag("--json", flags->json, "Prints one JSON object, on one line");
  AddSourceFlags(command, &flags->source);
}

}  // namespace referee::ctl
