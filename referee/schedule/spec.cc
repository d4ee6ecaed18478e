#include "referee/schedule/spec.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/schedule/positions.h"

namespace referee::schedule {
namespace {

std::string Text(int64_t value) { return absl::StrCat(value); }
std::string Text(absl::Duration value) { return absl::FormatDuration(value); }

template <typename Value>
absl::Status CheckRange(absl::string_view field, Value value, Value low, Value high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      field, ": ", Text(value), " is out of range; expected ", Text(low), " to ", Text(high)));
}

// An integer field of a spec with its range.
struct Bounded {
  absl::string_view field;
  int64_t value;
  int64_t low;
  int64_t high;
};

absl::Status CheckAll(std::initializer_list<Bounded> numbers) {
  for (const Bounded& number : numbers) {
    const absl::Status in = CheckRange(number.field, number.value, number.low, number.high);
    if (!in.ok()) return in;
  }
  return absl::OkStatus();
}

absl::Status FieldNotForFormat(absl::string_view field, int64_t value, absl::string_view format,
                               absl::string_view instead) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": ", value, " is given, but a ", format, " has none; ", instead));
}

// `tie_breaks` are names, as in TieBreaksText.
absl::Status TieBreakNotForFormat(absl::string_view tie_breaks, absl::string_view format) {
  return absl::InvalidArgumentError(
      absl::StrCat("tie_breaks: ", tie_breaks, " is given, but a ", format, " has none; ",
                   format == "round-robin" || format == "gauntlet"
                       ? "take direct-encounter, sonneborn-berger or wins"
                       : "leave it out"));
}

// In the order of the enum.
constexpr absl::string_view kTieBreakNames[kTieBreaks] = {
    "buchholz", "buchholz-cut-1", "direct-encounter", "sonneborn-berger", "wins"};
constexpr absl::string_view kNoTieBreaks = "none";

constexpr struct {
  Format format;
  absl::string_view name;
} kFormats[] = {
    {Format::kRoundRobin, "round-robin"},
    {Format::kGauntlet, "gauntlet"},
    {Format::kSwiss, "swiss"},
    {Format::kKnockout, "knockout"},
    {Format::kLadder, "ladder"},
    {Format::kTest, "test"},
};

bool HasRounds(Format format) {
  return format == Format::kRoundRobin || format == Format::kGauntlet || format == Format::kSwiss;
}

// The least number of rounds after which only one bot can have won all: the least r with 2^r >=
// entrants.
int RoundsForSoleLeader(size_t entrants) {
  int rounds = 1;
  while ((size_t{1} << rounds) < entrants) ++rounds;
  return rounds;
}

// The least number of blocks per bot, at least `blocks`, that divides evenly into groups of
// `group`.
int64_t EvenBlocks(int64_t bots, int64_t group, int64_t blocks) {
  while (bots * blocks % group != 0) ++blocks;
  return blocks;
}

absl::Status ValidateOptions(const Spec& spec) {
  if (spec.options.size() > limits::kMaxOptions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "options: ", spec.options.size(), " given; at most ", limits::kMaxOptions, " are allowed"));
  }
  for (size_t i = 0; i < spec.options.size(); ++i) {
    const auto& [name, value] = spec.options[i];
    if (!IsPlainName(name)) return BadName("option", name);
    if (value.size() > limits::kMaxOptionBytes) return OptionTooLarge(name, value.size());
    for (size_t j = 0; j < i; ++j) {
      if (spec.options[j].first == name) return OptionRepeated(name);
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateEntrants(const Spec& spec) {
  const absl::string_view format = FormatName(spec.format);
  const int most = spec.format == Format::kTest    ? 2
                   : spec.format == Format::kSwiss ? limits::kMaxSwissEntrants
                                                   : limits::kMaxEntrants;
  if (spec.entrants.size() > static_cast<size_t>(most)) {
    return absl::InvalidArgumentError(absl::StrCat("entrants: ", spec.entrants.size(), " given; a ",
                                                   format, " takes at most ", most));
  }
  absl::flat_hash_map<absl::string_view, size_t> places;
  for (size_t i = 0; i < spec.entrants.size(); ++i) {
    if (!IsPlainName(spec.entrants[i])) {
      return BadName(absl::StrCat("entrants[", i, "]:"), spec.entrants[i]);
    }
    const auto [found, added] = places.emplace(spec.entrants[i], i);
    if (!added) {
      return absl::InvalidArgumentError(absl::StrCat(
          "entrants[", i, "]: ", Quoted(spec.entrants[i]), " is number ", found->second + 1,
          " of them already; name each bot once (a second copy has a name of its own)"));
    }
  }
  if (spec.format != Format::kLadder && spec.entrants.size() < static_cast<size_t>(spec.seats)) {
    return absl::InvalidArgumentError(absl::StrCat("entrants: ", spec.entrants.size(), " given; a ",
                                                   format, " of this game needs at least ",
                                                   spec.seats));
  }
  return absl::OkStatus();
}

absl::Status ValidateSeats(const Spec& spec) {
  const absl::Status in = CheckRange<int64_t>("seats", spec.seats, 2, limits::kMaxSeats);
  if (!in.ok()) return in;
  const bool of_two = spec.format == Format::kSwiss || spec.format == Format::kKnockout ||
                      spec.format == Format::kTest;
  if (of_two && spec.seats != 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "format: a ", FormatName(spec.format), " is played by 2 seats, not by ", spec.seats,
        "; take a game of 2 seats, or round-robin, gauntlet or ladder, which take any number"));
  }
  return absl::OkStatus();
}

absl::Status ValidateLength(const Spec& spec) {
  const absl::string_view format = FormatName(spec.format);
  if (!HasRounds(spec.format) && spec.format != Format::kTest && spec.rounds != 0) {
    return FieldNotForFormat(
        "rounds", spec.rounds, format,
        spec.format == Format::kKnockout ? "leave it out, or give best_of" : "leave it out");
  }
  if (spec.format != Format::kKnockout && spec.best_of != 0) {
    return FieldNotForFormat(
        "best_of", spec.best_of, format,
        HasRounds(spec.format) ? "leave it out, or give rounds" : "leave it out");
  }
  if (spec.format != Format::kKnockout && spec.extra_blocks.has_value()) {
    return FieldNotForFormat("extra_blocks", *spec.extra_blocks, format, "leave it out");
  }
  const absl::Status in = CheckAll({{"rounds", spec.rounds, 0, limits::kMaxBlocks},
                                    {"best_of", spec.best_of, 0, limits::kMaxBestOf}});
  if (!in.ok()) return in;
  if (spec.best_of != 0 && spec.best_of % 2 == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("best_of: ", spec.best_of,
                     " is even, so that a tie could end level; expected an odd number from 1 to ",
                     limits::kMaxBestOf));
  }
  const absl::Status extra =
      CheckRange<int64_t>("extra_blocks", ExtraBlocks(spec), 0, limits::kMaxExtraBlocks);
  if (!extra.ok()) return extra;
  if (spec.format == Format::kSwiss && spec.rounds > MostSwissRounds(spec.entrants.size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "rounds: ", spec.rounds, " rounds in which nobody meets twice cannot be promised to ",
        spec.entrants.size(), " entrants; expected 1 to ", MostSwissRounds(spec.entrants.size()),
        ", or a round-robin"));
  }
  const int64_t blocks = PlannedBlocks(spec);
  if (blocks > limits::kMaxBlocks) {
    return absl::InvalidArgumentError(absl::StrCat(
        "rounds, entrants: this ", format, " would take ", blocks, " blocks; at most ",
        limits::kMaxBlocks, " are played; give fewer rounds or entrants, or make it a ladder"));
  }
  return absl::OkStatus();
}

absl::Status ValidateTieBreaks(const Spec& spec) {
  if (!spec.tie_breaks.has_value()) return absl::OkStatus();
  const absl::string_view format = FormatName(spec.format);
  if (!HasRounds(spec.format)) return TieBreakNotForFormat(TieBreaksText(*spec.tie_breaks), format);
  std::vector<TieBreak> seen;
  for (const TieBreak tie_break : *spec.tie_breaks) {
    const absl::string_view name = TieBreakName(tie_break);
    if (std::count(seen.begin(), seen.end(), tie_break) > 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("tie_breaks: ", name, " is given twice; name each once"));
    }
    seen.push_back(tie_break);
    const bool buchholz = tie_break == TieBreak::kBuchholz || tie_break == TieBreak::kBuchholzCut1;
    if (buchholz && spec.format != Format::kSwiss) return TieBreakNotForFormat(name, format);
  }
  return absl::OkStatus();
}

absl::Status ValidateSprt(const Spec& spec) {
  const bool test = spec.format == Format::kTest;
  if (!test && spec.sprt.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("sprt: it is given, but a ",
                                                   FormatName(spec.format),
                                                   " has none; leave it out, or take test"));
  }
  if (!test) return absl::OkStatus();
  if (!spec.sprt.has_value()) {
    return absl::InvalidArgumentError(
        "sprt: a test needs the hypotheses that it is to tell "
        "apart, such as elo0=0,elo1=10,alpha=0.05,beta=0.05");
  }
  return At("sprt", rating::Validate(*spec.sprt));
}

absl::Status ValidatePace(const Spec& spec) {
  const absl::string_view format = FormatName(spec.format);
  const bool ladder = spec.format == Format::kLadder;
  if (!ladder && spec.pace != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("pace: ", spec.pace, " is given, but a ", format, " has none; leave it out"));
  }
  if (!ladder && spec.goal_width != 0) {
    return FieldNotForFormat("goal_width", spec.goal_width, format, "leave it out");
  }
  const bool none = spec.pace == 0;
  // Written so that NaN is refused.
  if (!none && !(spec.pace >= limits::kMinPace && spec.pace <= limits::kMaxPace)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pace: ", spec.pace, " is out of range; expected blocks a minute for each bot, from ",
        limits::kMinPace, " to ", limits::kMaxPace, ", or 0 for no limit"));
  }
  return CheckRange<int64_t>("goal_width", spec.goal_width, 0, limits::kMaxGoalWidth);
}

absl::Status ValidateRunning(const Spec& spec) {
  absl::Status status =
      CheckAll({{"max_running", spec.max_running, 0, limits::kMaxOpenMatches},
                {"provisional_width", spec.provisional_width, 0, limits::kMaxProvisionalWidth}});
  if (status.ok()) {
    status = CheckRange("absence_limit", spec.absence_limit, limits::kMinAbsenceLimit,
                        limits::kMaxAbsenceLimit);
  }
  if (status.ok()) {
    status = CheckAll({{"silence_limit", spec.silence_limit, 0, limits::kMaxSilenceLimit}});
  }
  if (status.ok()) {
    status =
        CheckRange("watch_delay", spec.watch_delay, absl::ZeroDuration(), limits::kMaxWatchDelay);
  }
  if (!status.ok()) return status;
  return CheckAll({{"homes", spec.homes, 1, kMaxHomes},
                   {"priority", spec.priority, -limits::kMaxPriority, limits::kMaxPriority}});
}

}  // namespace

absl::string_view FormatName(Format format) {
  for (const auto& entry : kFormats) {
    if (entry.format == format) return entry.name;
  }
  return "unknown";
}

absl::StatusOr<Format> ParseFormat(absl::string_view text) {
  std::string known;
  for (const auto& entry : kFormats) {
    if (entry.name == text) return entry.format;
    absl::StrAppend(&known, known.empty() ? "one of " : ", ", entry.name);
  }
  return BadValue("format", text, known);
}

absl::string_view TieBreakName(TieBreak tie_break) {
  return kTieBreakNames[static_cast<size_t>(tie_break)];
}

std::string TieBreaksText(const std::vector<TieBreak>& tie_breaks) {
  if (tie_breaks.empty()) return std::string(kNoTieBreaks);
  return absl::StrJoin(tie_breaks, ",", [](std::string* out, TieBreak tie_break) {
    absl::StrAppend(out, TieBreakName(tie_break));
  });
}

absl::StatusOr<std::vector<TieBreak>> ParseTieBreaks(absl::string_view text) {
  std::vector<TieBreak> tie_breaks;
  if (text == kNoTieBreaks) return tie_breaks;
  for (absl::string_view name : absl::StrSplit(text, ',')) {
    name = absl::StripAsciiWhitespace(name);
    size_t i = 0;
    while (i < kTieBreaks && kTieBreakNames[i] != name) ++i;
    if (i == kTieBreaks) {
      return BadValue(
          "tie_breaks", name,
          absl::StrCat("one of ", absl::StrJoin(kTieBreakNames, ", "), ", or none alone"));
    }
    tie_breaks.push_back(static_cast<TieBreak>(i));
  }
  return tie_breaks;
}

int Rounds(const Spec& spec) {
  if (!HasRounds(spec.format)) return 0;
  if (spec.rounds > 0) return spec.rounds;
  return spec.format == Format::kSwiss ? RoundsForSoleLeader(spec.entrants.size()) : 1;
}

int MostSwissRounds(size_t entrants) {
  const int half = static_cast<int>(entrants + 1) / 2;
  return half % 2 == 0 ? half + 1 : half;
}

std::vector<TieBreak> TieBreaks(const Spec& spec) {
  if (spec.tie_breaks.has_value()) return *spec.tie_breaks;
  switch (spec.format) {
    case Format::kSwiss:
      return {TieBreak::kBuchholz, TieBreak::kBuchholzCut1, TieBreak::kDirectEncounter,
              TieBreak::kSonnebornBerger, TieBreak::kWins};
    case Format::kRoundRobin:
      return {TieBreak::kDirectEncounter, TieBreak::kSonnebornBerger, TieBreak::kWins};
    case Format::kGauntlet:
      return {TieBreak::kWins};
    case Format::kKnockout:
    case Format::kLadder:
    case Format::kTest:
      break;
  }
  return {};
}

int ExtraBlocks(const Spec& spec) { return spec.extra_blocks.value_or(kDefaultExtraBlocks); }

int64_t BlocksPerBot(const Spec& spec) {
  const int64_t bots = static_cast<int64_t>(spec.entrants.size());
  const int64_t rounds = Rounds(spec);
  if (spec.format == Format::kGauntlet) return EvenBlocks(bots - 1, spec.seats - 1, rounds);
  const int64_t others = spec.seats - 1;
  return EvenBlocks(bots, spec.seats, (rounds * (bots - 1) + others - 1) / others);
}

int64_t PlannedBlocks(const Spec& spec) {
  const int64_t bots = static_cast<int64_t>(spec.entrants.size());
  const int64_t rounds = Rounds(spec);
  switch (spec.format) {
    case Format::kRoundRobin:
      return bots * BlocksPerBot(spec) / spec.seats;
    case Format::kGauntlet:
      return (bots - 1) * BlocksPerBot(spec) / (spec.seats - 1);
    case Format::kSwiss:
      return rounds * (bots / 2);
    case Format::kKnockout:
      return (bots - 1) * (spec.best_of == 0 ? 1 : spec.best_of);
    case Format::kTest:
      return spec.rounds > 0 ? spec.rounds : limits::kMaxBlocks;
    case Format::kLadder:
      break;
  }
  return -1;
}

absl::Status Validate(const Spec& spec) {
  if (!IsPlainName(spec.name)) return BadName("name", spec.name);
  if (spec.description.size() > limits::kMaxDescriptionBytes || !IsPlainText(spec.description)) {
    return BadValue("description", spec.description,
                    absl::StrCat("at most ", limits::kMaxDescriptionBytes,
                                 " bytes without control characters"));
  }
  if (!IsPlainName(spec.game)) return BadName("game", spec.game);
  absl::Status status = ValidateOptions(spec);
  if (status.ok()) status = ValidatePositions(spec.positions);
  if (status.ok()) status = ValidateSeats(spec);
  if (status.ok()) status = ValidateEntrants(spec);
  if (status.ok()) status = ValidateLength(spec);
  if (status.ok()) status = ValidateTieBreaks(spec);
  if (status.ok()) status = ValidateSprt(spec);
  if (status.ok()) status = ValidatePace(spec);
  if (status.ok()) status = ValidateRunning(spec);
  return status;
}

}  // namespace referee::schedule
