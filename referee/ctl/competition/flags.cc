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
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/match/game_options.h"
#include "referee/ctl/match/positions.h"
#include "referee/games/catalogue.h"
#include "referee/games/errors.h"
#include "referee/rating/sprt.h"
#include "referee/replay/replay.h"
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
    {"description", "--description"},
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
    {"silence_limit", "--silence-limit"},
    {"sprt", "--sprt"},
    {"priority", "--priority"},
    {"watch_delay", "--watch-delay"},
    {"homes", "--homes"},
    {"keep_replays", "--keep-replays"},
    {"time_control", "--time"},
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

// A flag for a field that may change: when it is given, `set` writes the value into the spec.
template <typename Value, typename Set>
CLI::Option* AddTerm(CLI::App* command, TermsFlags* flags, const std::string& flag,
                     const std::string& field, const Set& set, const std::string& help) {
  return command->add_option_function<Value>(
      flag,
      [flags, field, set](const Value& value) {
        set(value, &flags->spec);
        flags->given.add_paths(field);
      },
      help);
}

// The same for a duration of `expected`, which may not be infinite.
CLI::Option* AddDuration(CLI::App* command, TermsFlags* flags, const std::string& flag,
                         const std::string& field, absl::Duration most, const std::string& expected,
                         google::protobuf::Duration* (v1::CompetitionSpec::*out)(),
                         const std::string& help) {
  const auto set = [=](const std::string& text, v1::CompetitionSpec* spec) {
    absl::Duration duration;
    if (!absl::ParseDuration(text, &duration) || duration < absl::ZeroDuration() ||
        duration > most) {
      throw CLI::ValidationError(std::string(BadValue(flag, text, expected).message()));
    }
    service::ToWire(duration, (spec->*out)());
  };
  return AddTerm<std::string>(command, flags, flag, field, set, help)->type_name("DURATION");
}

// The flags that a test has as well as other competitions.
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
  using Spec = v1::CompetitionSpec;
  AddTerm<std::string>(
      command, flags, "--description", "description",
      [](const std::string& text, Spec* spec) { spec->set_description(text); },
      "What it is about, for people: at most 1000 bytes")
      ->type_name("TEXT");
  AddTerm<uint32_t>(
      command, flags, "--max-running", "max_running",
      [](uint32_t blocks, Spec* spec) { spec->set_max_running(blocks); },
      "Blocks played at once (default: 0, as many as the referee has room for)")
      ->check(Whole(0, UINT32_MAX))
      ->type_name("N");
  AddDuration(command, flags, "--absence-limit", "absence_limit", limits::kMaxAbsenceLimit,
              "a duration of 1s to 720h, such as 90s, 30m or 12h", &Spec::mutable_absence_limit,
              "A bot that is away for so long while something waits for it is withdrawn\n"
              "(default 1h); a ladder waits for ever");
  AddTerm<uint32_t>(
      command, flags, "--silence-limit", "silence_limit",
      [](uint32_t matches, Spec* spec) { spec->set_silence_limit(matches); },
      "A bot that does not answer in so many matches in a row is set aside (default 3);\n"
      "0: none is")
      ->check(Whole(0, limits::kMaxSilenceLimit))
      ->type_name("N");
  AddTerm<int32_t>(
      command, flags, "--priority", "priority",
      [](int32_t priority, Spec* spec) { spec->set_priority(priority); },
      "Competitions of higher priority begin blocks first when places become free:\n"
      "-1000 to 1000 (default 0)")
      ->type_name("N");
  AddDuration(command, flags, "--watch-delay", "watch_delay", limits::kMaxWatchDelay,
              "a duration of 0s to 24h, such as 30s or 5m", &Spec::mutable_watch_delay,
              "Everybody but organisers sees its matches, and what follows from them, so much\n"
              "later, from 0s to 24h; a bot sees at once what it plays (default 0s)");
  AddTerm<uint32_t>(
      command, flags, "--homes", "homes",
      [](uint32_t homes, Spec* spec) { spec->set_homes(homes); },
      "On how many referees of a fleet its blocks are played: 1 to 8 (default 1); a\n"
      "fleet that has fewer plays them on all")
      ->check(Whole(1, limits::kMaxHomes))
      ->type_name("N");
  AddTerm<std::string>(
      command, flags, "--keep-replays", "keep_replays",
      [](const std::string& text, Spec* spec) { spec->set_keep_replays(text == "always"); },
      "always: all replays of its matches are kept, and the bounds of an archive\n"
      "(refereed --keep-replays) leave them alone; default: they go as any other")
      ->check(OneOf({"always", "default"}))
      ->type_name("always|default");
}

void AddRatingTerms(CLI::App* command, TermsFlags* flags) {
  using Spec = v1::CompetitionSpec;
  AddTerm<uint32_t>(
      command, flags, "--provisional-width", "provisional_width",
      [](uint32_t width, Spec* spec) { spec->set_provisional_width(width); },
      "A bot is provisional until its rating's 95 % interval is narrower than so\n"
      "many Elo, from end to end; a ladder does not rank it (default: 0, never)")
      ->check(Whole(0, UINT32_MAX))
      ->type_name("ELO");
  AddTerm<double>(
      command, flags, "--pace", "pace", [](double pace, Spec* spec) { spec->set_pace(pace); },
      "Of a ladder: blocks that each bot begins in a minute at most, spread over it;\n"
      "0: as many as can be played (default: 10)")
      ->type_name("BLOCKS");
  AddTerm<uint32_t>(
      command, flags, "--goal", "goal_width",
      [](uint32_t width, Spec* spec) { spec->set_goal_width(width); },
      "Of a ladder: bots whose rating's 95 % interval is narrower than so many Elo,\n"
      "from end to end, play only with those whose interval is not, so that it rests\n"
      "when all are known so well (default: 0, never)")
      ->check(Whole(0, UINT32_MAX))
      ->type_name("ELO");
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
  AddFormatFlags(command, flags);
  AddRatingTerms(command, &flags->terms);
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
