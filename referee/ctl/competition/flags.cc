#include "referee/ctl/competition/flags.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/match/game_options.h"
#include "referee/ctl/match/positions.h"
#include "referee/ctl/validators.h"
#include "referee/games/catalogue.h"
#include "referee/games/errors.h"
#include "referee/rating/sprt.h"
#include "referee/replay/text_file.h"
#include "referee/schedule/spec.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

constexpr struct {
  absl::string_view field;
  absl::string_view flag;
} kFlags[] = {
    {"name", "NAME"},
    {"format", "--format"},
    {"game", "--game"},
    {"options", "--option"},
    {"positions", "--positions"},
    {"seats", "--seats"},
    {"entrants", "--bots"},
    {"rounds", "--rounds"},
    {"best_of", "--best-of"},
    {"extra_blocks", "--extra-blocks"},
    {"tie_breaks", "--tie-breaks"},
    {"provisional_width", "--provisional-width"},
    {"pace", "--pace"},
    {"goal_width", "--goal"},
    {"max_running", "--max-running"},
    {"absence_limit", "--absence-limit"},
    {"sprt", "--sprt"},
    {"priority", "--priority"},
    {"watch_delay", "--watch-delay"},
    {"homes", "--homes"},
};

// The flag for a field; the field itself if there is none.
std::string FlagFor(absl::string_view field) {
  std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(field, absl::MaxSplits('[', 1));
  for (const auto& entry : kFlags) {
    if (entry.field != parts.first) continue;
    int index;
    const bool indexed = absl::SimpleAtoi(absl::StripSuffix(parts.second, "]"), &index);
    const absl::string_view item = entry.field == "positions" ? "position" : "bot";
    return absl::StrCat(entry.flag, indexed ? absl::StrCat(", ", item, " ", index + 1) : "");
  }
  return std::string(field);
}

absl::StatusOr<std::vector<std::string>> ReadBots(const CompetitionFlags& flags) {
  if (!flags.entrants.empty()) return flags.entrants;
  if (flags.bots_from.empty()) return SplitNames(flags.bots, ',');
  const absl::StatusOr<std::string> text = replay::ReadTextFile(flags.bots_from);
  if (!text.ok()) return At("--bots-from", text.status());
  return SplitNames(*text, '\n');
}

absl::Status ReadGame(const CompetitionFlags& flags, v1::CompetitionSpec* spec) {
  const absl::StatusOr<games::Entry> entry = games::Find(flags.game);
  if (!entry.ok()) return At("--game", entry.status());
  const games::GameType& type = *entry->type;
  const auto seats = static_cast<int>(flags.seats);
  if (seats < type.min_seats() || seats > type.max_seats()) {
    return At("--seats",
              games::BadSeatCount(type.name(), seats, type.min_seats(), type.max_seats()));
  }
  const auto game = MakeGame(type, seats, flags.options);
  if (!game.ok()) return game.status();
  entry->wire->OptionsToWire(**game, spec->mutable_options());
  const absl::StatusOr<std::vector<std::string>> positions =
      ReadPositions(flags.positions, type, **game);
  if (!positions.ok()) return positions.status();
  for (const std::string& position : *positions) spec->add_positions(position);
  return absl::OkStatus();
}

absl::Status ReadAbsenceLimit(const CompetitionFlags& flags, v1::CompetitionSpec* spec) {
  if (flags.absence_limit.empty()) return absl::OkStatus();
  absl::Duration limit;
  if (!absl::ParseDuration(flags.absence_limit, &limit) || limit == absl::InfiniteDuration() ||
      limit < absl::ZeroDuration()) {
    return BadValue("--absence-limit", flags.absence_limit, "a duration such as 90s, 30m or 12h");
  }
  service::ToWire(limit, spec->mutable_absence_limit());
  return absl::OkStatus();
}

absl::Status ReadWatchDelay(const CompetitionFlags& flags, v1::CompetitionSpec* spec) {
  if (flags.watch_delay.empty()) return absl::OkStatus();
  const absl::StatusOr<absl::Duration> delay = ParseWatchDelay(flags.watch_delay);
  if (!delay.ok()) return delay.status();
  service::ToWire(*delay, spec->mutable_watch_delay());
  return absl::OkStatus();
}

absl::Status ReadTieBreaks(const CompetitionFlags& flags, v1::CompetitionSpec* spec) {
  if (flags.tie_breaks.empty()) return absl::OkStatus();
  const absl::StatusOr<std::vector<schedule::TieBreak>> tie_breaks =
      schedule::ParseTieBreaks(flags.tie_breaks);
  if (!tie_breaks.ok()) return InFlags(tie_breaks.status());
  service::ToWire(*tie_breaks, spec);
  return absl::OkStatus();
}

absl::Status ReadSprt(const CompetitionFlags& flags, v1::CompetitionSpec* spec) {
  if (flags.sprt.empty()) return absl::OkStatus();
  const absl::StatusOr<rating::SprtTerms> terms = rating::ParseSprtTerms(flags.sprt);
  if (!terms.ok()) return At("--sprt", terms.status());
  service::ToWire(*terms, spec->mutable_sprt());
  return absl::OkStatus();
}

// The flags that a test has as well as other competitions.
void AddRunFlags(CLI::App* command, CompetitionFlags* flags) {
  command
      ->add_option("--max-running", flags->max_running,
                   "Blocks played at once (default: as many as the referee has room for)")
      ->check(Whole(1, UINT32_MAX))
      ->type_name("N");
  command
      ->add_option("--absence-limit", flags->absence_limit,
                   "A bot that is away for so long while something waits for it is withdrawn\n"
                   "(default 1h); a ladder waits for ever")
      ->type_name("DURATION");
  command
      ->add_option("--priority", flags->priority,
                   "Competitions of higher priority begin blocks first when places become free:\n"
                   "-1000 to 1000")
      ->capture_default_str()
      ->type_name("N");
  AddWatchDelay(command, &flags->watch_delay);
  AddHomes(command, &flags->homes)->capture_default_str();
  AddKeepReplays(command, &flags->keep_replays);
  command->add_flag("--pinned", flags->pinned,
                    "Pins the dice: all follow from a seed that the referee draws now, and shows\n"
                    "when the competition is finished; bots have no part in them (default: each\n"
                    "block has dice that nobody chose)");
  AddJudgingFlags(command, &flags->judging);
}

}  // namespace

CLI::Option* AddHomes(CLI::App* command, uint32_t* homes) {
  return command
      ->add_option(
          "--homes", *homes,
          "On how many referees of a fleet its blocks are played: 1 to 8, as far as there\n"
          "are so many")
      ->check(Whole(1, limits::kMaxHomes))
      ->type_name("N");
}

CLI::Option* AddKeepReplays(CLI::App* command, std::string* text) {
  return command
      ->add_option("--keep-replays", *text,
                   "always: all replays of its matches are kept, and the bounds of an archive\n"
                   "(refereed --keep-replays) leave them alone; default: they go as any other")
      ->check(OneOf({"always", "default"}))
      ->type_name("always|default");
}

bool KeepsReplays(absl::string_view text) { return text == "always"; }

CLI::Option* AddWatchDelay(CLI::App* command, std::string* text) {
  return command
      ->add_option("--watch-delay", *text,
                   "All but organisers are told of its matches, and of what follows from them, so\n"
                   "much later, from 0s to 24h, but for a bot of what it plays (default 0s)")
      ->type_name("DURATION");
}

absl::StatusOr<absl::Duration> ParseWatchDelay(absl::string_view text) {
  absl::Duration delay;
  if (!absl::ParseDuration(text, &delay) || delay < absl::ZeroDuration() ||
      delay > limits::kMaxWatchDelay) {
    return BadValue("--watch-delay", text, "a duration of 0s to 24h, such as 30s or 5m");
  }
  return delay;
}

std::vector<std::string> SplitNames(absl::string_view text, char separator) {
  std::vector<std::string> names;
  std::string name;
  bool quoted = false;  // within quotes
  bool bare = true;     // no quotes in this name
  const auto end = [&] {
    if (bare) name = std::string(absl::StripAsciiWhitespace(name));
    if (!name.empty()) names.push_back(std::exchange(name, ""));
    name.clear();
    bare = true;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = bare && absl::StripAsciiWhitespace(name).empty();
    if (c == '"' && (quoted || begins)) {
      const bool doubled = quoted && i + 1 < text.size() && text[i + 1] == '"';
      if (begins) name.clear();
      if (doubled) name += text[i++];
      quoted = doubled || !quoted;
      bare = false;
    } else if (c == separator && !quoted) {
      end();
    } else if (quoted || bare) {
      name += c;
    }
  }
  end();
  return names;
}

absl::Status InFlags(const absl::Status& status) {
  if (status.ok()) return status;
  const absl::string_view message = status.message();
  // "rounds, entrants: ..." and "name 'x': ...".
  const size_t end = std::min(message.find(": "), message.find(" '"));
  if (end == absl::string_view::npos) return status;
  std::vector<std::string> flags;
  for (const absl::string_view field : absl::StrSplit(message.substr(0, end), ", ")) {
    flags.push_back(FlagFor(field));
  }
  const std::string rest = absl::StrReplaceAll(
      message.substr(end), {{"give best_of", "give --best-of"}, {"give rounds", "give --rounds"}});
  return absl::Status(status.code(), absl::StrCat(absl::StrJoin(flags, ", "), rest));
}

absl::StatusOr<v1::CompetitionSpec> ReadCompetition(const CompetitionFlags& flags) {
  const absl::StatusOr<schedule::Format> format = schedule::ParseFormat(flags.format);
  if (!format.ok()) return InFlags(format.status());
  v1::CompetitionSpec spec;
  spec.set_name(flags.name);
  v1::CompetitionFormat wire_format;
  if (v1::CompetitionFormat_Parse(
          absl::StrCat("COMPETITION_FORMAT_",
                       absl::StrReplaceAll(absl::AsciiStrToUpper(flags.format), {{"-", "_"}})),
          &wire_format)) {
    spec.set_format(wire_format);
  }
  spec.set_seats(flags.seats);
  if (absl::Status s = ReadGame(flags, &spec); !s.ok()) return s;
  const absl::StatusOr<std::vector<std::string>> bots = ReadBots(flags);
  if (!bots.ok()) return bots.status();
  for (const std::string& bot : *bots) spec.add_entrants(bot);
  spec.set_rounds(flags.rounds);
  spec.set_best_of(flags.best_of);
  if (flags.extra_blocks.has_value()) spec.set_extra_blocks(*flags.extra_blocks);
  spec.set_max_running(flags.max_running);
  if (absl::Status s = ReadAbsenceLimit(flags, &spec); !s.ok()) return s;
  if (absl::Status s = ReadWatchDelay(flags, &spec); !s.ok()) return s;
  spec.set_pinned(flags.pinned);
  spec.set_priority(flags.priority);
  spec.set_homes(flags.homes);
  spec.set_keep_replays(KeepsReplays(flags.keep_replays));
  if (absl::Status s = ReadSprt(flags, &spec); !s.ok()) return s;
  spec.set_provisional_width(flags.provisional_width);
  if (flags.pace.has_value()) spec.set_pace(*flags.pace);
  spec.set_goal_width(flags.goal_width);
  if (absl::Status s = ReadTieBreaks(flags, &spec); !s.ok()) return s;
  const absl::StatusOr<Judging> judging = ReadJudging(flags.judging);
  if (!judging.ok()) return judging.status();
  service::ToWire(judging->time_control, spec.mutable_time_control());
  service::ToWire(judging->policies, spec.mutable_policies());

  const absl::StatusOr<schedule::Spec> read = service::FromWire(spec);
  if (!read.ok()) return InFlags(read.status());
  if (const absl::Status valid = schedule::Validate(*read); !valid.ok()) return InFlags(valid);
  return spec;
}

void AddCompetitionFlags(CLI::App* command, CompetitionFlags* flags) {
  command->add_option("name", flags->name, "What it is to be called")
      ->required()
      ->type_name("NAME");
  command
      ->add_option("--format", flags->format,
                   "ladder (for ever: bots join and leave), round-robin, swiss, knockout,\n"
                   "gauntlet (the first bot against all others), or test (two bots)")
      ->required()
      ->type_name("FORMAT");
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionsFlag(command, &flags->positions);
  CLI::Option* const bots =
      command
          ->add_option(
              "--bots", flags->bots,
              "The bots, by their accounts' names; the order is the seeding. A ladder may\n"
              "begin with none. A name with a comma or spaces stands in double quotes")
          ->type_name("NAME,NAME...");
  command->add_option("--bots-from", flags->bots_from, "The same from a file, one a line")
      ->excludes(bots)
      ->type_name("FILE");
  command->add_option("--seats", flags->seats, "Bots in a match")
      ->check(Whole(2, UINT32_MAX))
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option(
          "--rounds", flags->rounds,
          "How often each pairing is played (default 1); of a swiss, its rounds (default:\n"
          "the least that can find a sole leader)")
      ->check(Whole(1, UINT32_MAX))
      ->type_name("N");
  command
      ->add_option("--best-of", flags->best_of, "Of a knockout: blocks of a tie, odd (default 1)")
      ->check(Whole(1, UINT32_MAX))
      ->type_name("N");
  command
      ->add_option_function<uint32_t>(
          "--extra-blocks", [flags](uint32_t blocks) { flags->extra_blocks = blocks; },
          "Of a knockout: a tie that is level goes on for so many blocks at most (default\n"
          "4), until one is won; then points, scores in the games and a lot decide")
      ->check(Whole(0, UINT32_MAX))
      ->type_name("N");
  command
      ->add_option("--tie-breaks", flags->tie_breaks,
                   "What ranks bots with as many points, the first first, of buchholz,\n"
                   "buchholz-cut-1 (both of a swiss only), direct-encounter, sonneborn-berger and\n"
                   "wins (default: these in this order, of a gauntlet wins), or none")
      ->type_name("NAME,NAME...");
  command
      ->add_option("--provisional-width", flags->provisional_width,
                   "A bot is provisional until its rating's 95 % interval is narrower than so\n"
                   "many Elo, from end to end; a ladder does not rank it (default: 0, never)")
      ->check(Whole(0, UINT32_MAX))
      ->type_name("ELO");
  command
      ->add_option_function<double>(
          "--pace", [flags](double pace) { flags->pace = pace; },
          "Of a ladder: blocks that each bot begins in a minute at most, spread over it;\n"
          "0: as many as can be played (default: 10)")
      ->type_name("BLOCKS");
  command
      ->add_option("--goal", flags->goal_width,
                   "Of a ladder: bots whose rating's 95 % interval is narrower than so many Elo,\n"
                   "from end to end, play only with those whose interval is not, so that it rests\n"
                   "when all are known so well (default: 0, never)")
      ->check(Unsigned64())
      ->type_name("ELO");
  command
      ->add_option("--sprt", flags->sprt,
                   "Of a test: its hypotheses; see 'refctl test add --help', which makes tests")
      ->type_name("TERMS");
  AddRunFlags(command, flags);
}

void AddTestFlags(CLI::App* command, CompetitionFlags* flags) {
  std::string sprt =
      "What is to be told apart, such as elo0=0,elo1=10,alpha=0.05,beta=0.05 or\n"
      "nelo0=0,nelo1=10; alpha and beta are 0.05 if left out. Or the name of a preset, and what\n"
      "is to be else, as gain,beta=0.1:";
  for (const rating::SprtPreset& preset : rating::SprtPresets()) {
    absl::StrAppend(&sprt, "\n", preset.name, ": ", rating::SprtTermsText(preset.terms), ", ",
                    preset.what);
  }
  command->add_option("--sprt", flags->sprt, sprt)->required()->type_name("TERMS");
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionsFlag(command, &flags->positions);
  command
      ->add_option("--max-blocks", flags->rounds,
                   absl::StrCat("Ends undecided after so many blocks of two matches (default: ",
                                limits::kMaxBlocks, ")"))
      ->check(Whole(1, limits::kMaxBlocks))
      ->type_name("N");
  AddRunFlags(command, flags);
}

}  // namespace referee::ctl
