#include "referee/ctl/competition/flags.h"

#include <algorithm>
#include <functional>
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
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/match/flags.h"
#include "referee/games/catalogue.h"
#include "referee/games/errors.h"
#include "referee/rating/sprt.h"
#include "referee/replay/replay.h"
#include "referee/schedule/spec.h"
#include "referee/service/convert/competition.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

using Spec = v1::CompetitionSpec;

// Flags whose names differ from those of their fields.
constexpr struct {
  absl::string_view field;
  absl::string_view flag;
} kOtherNames[] = {{"name", "NAME"},
                   {"options", "--option"},
                   {"entrants", "--bots"},
                   {"goal_width", "--goal"},
                   {"time_control", "--time"}};

// The flag of a field; the field's name if it has none.
std::string FlagFor(absl::string_view field) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(field, absl::MaxSplits('[', 1));
  const std::string name(parts.first);
  if (Spec::descriptor()->FindFieldByName(name) == nullptr || name == "policies") {
    return std::string(field);
  }
  std::string flag = absl::StrCat("--", absl::StrReplaceAll(name, {{"_", "-"}}));
  for (const auto& other : kOtherNames) {
    if (other.field == name) flag = std::string(other.flag);
  }
  int index;
  if (!absl::SimpleAtoi(absl::StripSuffix(parts.second, "]"), &index)) return flag;
  return absl::StrCat(flag, name == "positions" ? ", position " : ", bot ", index + 1);
}

std::string FieldFor(const std::string& flag) {
  for (const auto& other : kOtherNames) {
    if (other.flag == flag) return std::string(other.field);
  }
  return absl::StrReplaceAll(absl::StripPrefix(flag, "--"), {{"-", "_"}});
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

// Adds a flag for a term that may change. If the flag is given, `set`, a setter or function of the
// spec, receives the value.
template <typename Value, typename Set>
CLI::Option* AddTerm(CLI::App* command, TermsFlags* flags, const std::string& flag,
                     const std::string& value, const Set& set, const std::string& help) {
  return command
      ->add_option_function<Value>(
          flag,
          [flags, field = FieldFor(flag), set](const Value& given) {
            std::invoke(set, flags->spec, given);
            flags->given.add_paths(field);
          },
          help)
      ->type_name(value);
}

// Adds such a flag for a duration up to `most`; `expected` describes it for errors.
void AddDuration(CLI::App* command, TermsFlags* flags, const std::string& flag, absl::Duration most,
                 const std::string& expected, google::protobuf::Duration* (Spec::*out)(),
                 const std::string& help) {
  const auto set = [=](Spec& spec, const std::string& text) {
    absl::Duration duration;
    if (!absl::ParseDuration(text, &duration) || duration < absl::ZeroDuration() ||
        duration > most) {
      throw CLI::ValidationError(std::string(BadValue(flag, text, expected).message()));
    }
    service::ToWire(duration, (spec.*out)());
  };
  AddTerm<std::string>(command, flags, flag, "DURATION", set, help);
}

// Adds the flags that tests share with other competitions.
void AddRunFlags(CLI::App* command, CompetitionFlags* flags) {
  AddRunTerms(command, &flags->terms);
  command->add_flag("--pinned", flags->pinned,
                    "Pins the dice: all follow from a seed that the referee draws now, and shows\n"
                    "when the competition is finished; bots have no part in them (default: each\n"
                    "block has dice that nobody chose)");
  AddJudgingFlags(command, &flags->judging);
}

}  // namespace

void AddRunTerms(CLI::App* command, TermsFlags* flags) {
  AddTerm<std::string>(
      command, flags, "--description", "TEXT",
      [](Spec& spec, const std::string& text) { spec.set_description(text); },
      "What it is about, for people: at most 1000 bytes");
  AddTerm<uint32_t>(command, flags, "--max-running", "N", &Spec::set_max_running,
                    "Blocks played at once (default: 0, as many as the referee has room for)")
      ->check(Whole(0, UINT32_MAX));
  AddDuration(command, flags, "--absence-limit", limits::kMaxAbsenceLimit,
              "a duration of 1s to 720h, such as 90s, 30m or 12h", &Spec::mutable_absence_limit,
              "A bot that is away for so long while something waits for it is withdrawn\n"
              "(default 1h); a ladder waits for ever");
  AddTerm<uint32_t>(
      command, flags, "--silence-limit", "N", &Spec::set_silence_limit,
      "A bot that does not answer in so many matches in a row is set aside (default 3);\n"
      "0: none is")
      ->check(Whole(0, limits::kMaxSilenceLimit));
  AddTerm<int32_t>(command, flags, "--priority", "N", &Spec::set_priority,
                   "Competitions of higher priority begin blocks first when places become free:\n"
                   "-1000 to 1000 (default 0)");
  AddDuration(command, flags, "--watch-delay", limits::kMaxWatchDelay,
              "a duration of 0s to 24h, such as 30s or 5m", &Spec::mutable_watch_delay,
              "Everybody but organisers sees its matches, and what follows from them, so much\n"
              "later, from 0s to 24h; a bot sees at once what it plays (default 0s)");
  AddTerm<uint32_t>(command, flags, "--homes", "N", &Spec::set_homes,
                    "On how many referees of a fleet its blocks are played: 1 to 8 (default 1); a\n"
                    "fleet that has fewer plays them on all")
      ->check(Whole(1, schedule::kMaxHomes));
  AddTerm<std::string>(
      command, flags, "--keep-replays", "always|default",
      [](Spec& spec, const std::string& text) { spec.set_keep_replays(text == "always"); },
      "always: all replays of its matches are kept, and the bounds of an archive\n"
      "(refereed --keep-replays) leave them alone; default: they go as any other")
      ->check(OneOf({"always", "default"}));
}

void AddRatingTerms(CLI::App* command, TermsFlags* flags) {
  AddTerm<uint32_t>(command, flags, "--provisional-width", "ELO", &Spec::set_provisional_width,
                    "A bot is provisional until its rating's 95 % interval is narrower than so\n"
                    "many Elo, from end to end; a ladder does not rank it (default: 0, never)")
      ->check(Whole(0, UINT32_MAX));
  AddTerm<double>(command, flags, "--pace", "BLOCKS", &Spec::set_pace,
                  "Of a ladder: blocks that each bot begins in a minute at most, spread over it;\n"
                  "0: as many as can be played (default: 10)");
  AddTerm<uint32_t>(
      command, flags, "--goal", "ELO", &Spec::set_goal_width,
      "Of a ladder: bots whose rating's 95 % interval is narrower than so many Elo,\n"
      "from end to end, play only with those whose interval is not, so that it rests\n"
      "when all are known so well (default: 0, never)")
      ->check(Whole(0, UINT32_MAX));
}

std::vector<std::string> SplitNames(absl::string_view text, char separator) {
  std::vector<std::string> names;
  std::string name;
  bool quoted = false;  // inside quotes
  bool bare = true;     // the name has no quotes
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
  // Fields come first: "rounds, entrants: ..." or "name 'x': ...".
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
  v1::CompetitionSpec spec = flags.terms.spec;
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
  spec.set_pinned(flags.pinned);
  if (absl::Status s = ReadSprt(flags, &spec); !s.ok()) return s;
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

void AddFormatFlags(CLI::App* command, CompetitionFlags* flags) {
  AddOption(command, "--rounds", "N", &flags->rounds,
            "How often each pairing is played (default 1); of a swiss, its rounds (default:\n"
            "the least that can find a sole leader)")
      ->check(Whole(1, UINT32_MAX));
  AddOption(command, "--best-of", "N", &flags->best_of,
            "Of a knockout: blocks of a tie, odd (default 1)")
      ->check(Whole(1, UINT32_MAX));
  command
      ->add_option_function<uint32_t>(
          "--extra-blocks", [flags](uint32_t blocks) { flags->extra_blocks = blocks; },
          "Of a knockout: a tie that is level goes on for so many blocks at most (default\n"
          "4), until one is won; then points, scores in the games and a lot decide")
      ->check(Whole(0, UINT32_MAX))
      ->type_name("N");
  AddOption(command, "--tie-breaks", "NAME,NAME...", &flags->tie_breaks,
            "What ranks bots with as many points, the first first, of buchholz,\n"
            "buchholz-cut-1 (both of a swiss only), direct-encounter, sonneborn-berger and\n"
            "wins (default: these in this order, of a gauntlet wins), or none");
}

void AddCompetitionFlags(CLI::App* command, CompetitionFlags* flags) {
  AddOption(command, "name", "NAME", &flags->name, "What it is to be called")->required();
  AddOption(command, "--format", "FORMAT", &flags->format,
            "ladder (for ever: bots join and leave), round-robin, swiss, knockout,\n"
            "gauntlet (the first bot against all others), or test (two bots)")
      ->required();
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionsFlag(command, &flags->positions);
  CLI::Option* const bots =
      AddOption(command, "--bots", "NAME,NAME...", &flags->bots,
                "The bots, by their accounts' names; the order is the seeding. A ladder may\n"
                "begin with none. A name with a comma or spaces stands in double quotes");
  AddOption(command, "--bots-from", "FILE", &flags->bots_from, "The same from a file, one a line")
      ->excludes(bots);
  AddOption(command, "--seats", "N", &flags->seats, "Bots in a match")
      ->check(Whole(2, UINT32_MAX))
      ->capture_default_str();
  AddFormatFlags(command, flags);
  AddRatingTerms(command, &flags->terms);
  AddOption(command, "--sprt", "TERMS", &flags->sprt,
            "Of a test: its hypotheses; see 'refctl test add --help', which makes tests");
  AddRunFlags(command, flags);
}

std::string SprtHelp(const std::string& text) {
  std::string help = text;
  for (const rating::SprtPreset& preset : rating::SprtPresets()) {
    absl::StrAppend(&help, "\n", preset.name, ": ", rating::SprtTermsText(preset.terms), ", ",
                    preset.what);
  }
  return help;
}

void AddTestFlags(CLI::App* command, CompetitionFlags* flags) {
  const std::string sprt = SprtHelp(
      "What is to be told apart, such as elo0=0,elo1=10,alpha=0.05,beta=0.05 or\n"
      "nelo0=0,nelo1=10; alpha and beta are 0.05 if left out. Or the name of a preset, and what\n"
      "is to be else, as gain,beta=0.1:");
  AddOption(command, "--sprt", "TERMS", &flags->sprt, sprt)->required();
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionsFlag(command, &flags->positions);
  AddOption(command, "--max-blocks", "N", &flags->rounds,
            absl::StrCat("Ends undecided after so many blocks of two matches (default: ",
                         limits::kMaxBlocks, ")"))
      ->check(Whole(1, limits::kMaxBlocks));
  AddRunFlags(command, flags);
}

}  // namespace referee::ctl
