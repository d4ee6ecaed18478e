// refctl doctor: checks a bot in any language against the protocol.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/progress.h"
#include "referee/conformance/conformance.h"
#include "referee/ctl/command.h"
#include "referee/ctl/doctor/report.h"
#include "referee/games/catalogue.h"
#include "referee/launch/bot_command.h"

namespace referee::ctl {
namespace {

constexpr char kDescription[] =
    "Checks a bot of any language against the protocol, in about ten seconds";

constexpr char kFooter[] =
    "A scripted referee asks the bot one thing after the other that proto/PROTOCOL.md demands: how "
    "it begins, that it passes over what it does not know, moves in positions of every game, seat "
    "and option, pings, lost links, forfeits, its clock, its end. Prints a line for each check "
    "with what was seen, and, where the bot does otherwise, what would be right. What is no demand "
    "of the protocol is a note.\n\n"
    "With --listen the bot is started by somebody else, at that address and with any token; what "
    "needs several processes of it is then skipped. Somebody who starts the bot again whenever it "
    "ends may do so: it is the process that is to end.\n\n"
    "Exit status: 0 if no check failed, 1 if one did, 2 if the doctor could not work.\n\n"
    "Example: refctl doctor --bot 'python3 mybot.py' --game hypnosia";

struct DoctorFlags {
  std::string bot;
  std::string listen;
  std::vector<std::string> games;
  std::vector<std::string> only;
  std::string start_timeout = "10s";
  bool thorough = false;
  bool json = false;
};

absl::Status ReadBot(const DoctorFlags& flags, conformance::TriedBot::Options* options,
                     std::string* name) {
  if (flags.bot.empty() == flags.listen.empty()) {
    return absl::InvalidArgumentError(
        "give the bot's command (--bot), or an address at which to wait for it (--listen)");
  }
  options->listen = flags.listen;
  *name = flags.listen;
  if (!flags.bot.empty()) {
    absl::StatusOr<std::vector<launch::BotCommand>> commands = launch::ReadBotCommands({flags.bot});
    if (!commands.ok()) return commands.status();
    options->command = commands->front().command;
    *name = commands->front().name;
  }
  if (!absl::ParseDuration(flags.start_timeout, &options->start_timeout) ||
      options->start_timeout <= absl::ZeroDuration()) {
    return BadValue("--start-timeout", flags.start_timeout, "a time such as 10s");
  }
  return absl::OkStatus();
}

// The games named by the flags, or all.
absl::StatusOr<std::vector<const games::GameType*>> ReadGames(const DoctorFlags& flags) {
  std::vector<const games::GameType*> types;
  for (const std::string& name : flags.games) {
    const absl::StatusOr<games::Entry> entry = games::Find(name);
    if (!entry.ok()) return At("--game", entry.status());
    types.push_back(entry->type);
  }
  if (!types.empty()) return types;
  for (const games::Entry& entry : games::Catalogue()) types.push_back(entry.type);
  return types;
}

std::vector<std::string> CheckNames() {
  std::vector<std::string> names;
  for (const conformance::Check& check : conformance::Checks()) names.push_back(check.name);
  return names;
}

absl::StatusOr<Exit> VisitBot(const DoctorFlags& flags, const Output& output) {
  std::string name;
  conformance::Terms terms;
  terms.only = flags.only;
  terms.thorough = flags.thorough;
  if (absl::Status read = ReadBot(flags, &terms.bot, &name); !read.ok()) return read;
  absl::StatusOr<std::vector<const games::GameType*>> types = ReadGames(flags);
  if (!types.ok()) return types.status();
  terms.games = *std::move(types);

  const SystemClock clock;
  absl::optional<Progress> progress;
  conformance::Events events;
  events.on_listening = [&](const std::string& address) {
    if (flags.listen.empty()) return;
    output.err() << "start the bot with REFEREE_ADDRESS=" << address << " and any REFEREE_TOKEN"
                 << std::endl;
  };
  events.on_begin = [&](const conformance::Check& check) {
    progress.emplace(&output.err(), output.progress_style(), "turns");
    progress->set_total(Progress::Total::kMost);
    progress->Note(check.name);
  };
  events.on_turns = [&](const conformance::Check& check, int64_t done, int64_t most) {
    progress->Show(done, most, absl::nullopt, clock.Now(), check.name);
  };
  events.on_result = [&](const conformance::Result& result) {
    progress->Clear();
    if (!flags.json) output.out() << FindingText(result, output.colour()) << std::flush;
  };
  const absl::StatusOr<std::vector<conformance::Result>> all = conformance::CheckBot(terms, events);
  if (!all.ok()) return all.status();
  output.out() << (flags.json ? VisitJson(name, *all) : SummaryText(name, *all));
  return CountFailed(*all) == 0 ? Exit::kOk : Exit::kNegative;
}

}  // namespace

void AddDoctorCommand(CLI::App* app, Chosen* chosen) {
  const auto [doctor, flags] = AddSubcommand(app, chosen, "doctor", kDescription, VisitBot);
  doctor->footer(kFooter);
  AddOption(doctor, "--bot", "[NAME=]CMD", &flags->bot,
            "The bot: a command for /bin/sh, as for 'refctl duel'");
  AddOption(doctor, "--listen", "ADDRESS", &flags->listen,
            "Waits for the bot at this address instead: unix:PATH, or HOST:PORT of this\n"
            "machine's loopback (port 0: any free one)");
  AddOption(doctor, "--game", "GAME", &flags->games,
            "A game that is asked for; may be given again (default: all that the bot plays)")
      ->allow_extra_args(false);
  AddOption(doctor, "--start-timeout", "TIME", &flags->start_timeout,
            "How long the bot may take to connect")
      ->capture_default_str();
  AddOption(doctor, "--check", "NAME", &flags->only,
            "Only this check, as the first column names it, after those that the bot\n"
            "connects and says Hello; may be given again")
      ->allow_extra_args(false)
      ->check(OneOf(CheckNames()));
  doctor->add_flag("--thorough", flags->thorough,
                   "Takes minutes: asks all of 1,000 moves a game however slow the bot is, "
                   "for a thought of 45 s, for 3,000 matches, or as many as it plays in a "
                   "minute, and how much memory they cost, and every final status");
  doctor->add_flag("--json", flags->json, "Prints one JSON object, on one line");
}

}  // namespace referee::ctl
