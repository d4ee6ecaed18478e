#include "referee/schedule/spec.h"

#include <algorithm>
#include <cstddef>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/schedule/errors.h"
#include "referee/schedule/positions.h"

namespace referee::schedule {
namespace {

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

bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes && IsPlainText(text);
}

bool HasRounds(Format format) {
  return format == Format::kRoundRobin || format == Format::kGauntlet || format == Format::kSwiss;
}

// The rounds after which one of so many can have won all: the least r with 2^r >= entrants.
int RoundsForSoleLeader(size_t entrants) {
  int rounds = 1;
  while ((size_t{1} << rounds) < entrants) ++rounds;
  return rounds;
}

// The least number of blocks, `blocks` or more, that `bots` can be in each, in groups of `group`.
int64_t EvenBlocks(int64_t bots, int64_t group, int64_t blocks) {
  while (bots * blocks % group != 0) ++blocks;
  return blocks;
}

absl::Status ValidateOptions(const Spec& spec) {
  if (spec.options.size() > limits::kMaxOptions) return TooManyOptions(spec.options.size());
  for (size_t i = 0; i < spec.options.size(); ++i) {
    const auto& [name, value] = spec.options[i];
    if (!IsName(name)) return BadName("option", name);
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
    return TooManyEntrants(format, spec.entrants.size(), most);
  }
  absl::flat_hash_map<absl::string_view, size_t> places;
  for (size_t i = 0; i < spec.entrants.size(); ++i) {
    if (!IsName(spec.entrants[i])) {
      return BadName(absl::StrCat("entrants[", i, "]:"), spec.entrants[i]);
    }
    const auto [found, added] = places.emplace(spec.entrants[i], i);
    if (!added) return EntrantTwice(spec.entrants[i], found->second, i);
  }
  if (spec.format != Format::kLadder && spec.entrants.size() < static_cast<size_t>(spec.seats)) {
    return TooFewEntrants(format, spec.entrants.size(), spec.seats);
  }
  return absl::OkStatus();
}

absl::Status ValidateSeats(const Spec& spec) {
  if (spec.seats < 2 || spec.seats > limits::kMaxSeats) {
    return FieldOutOfRange("seats", spec.seats, 2, limits::kMaxSeats);
  }
  const bool of_two = spec.format == Format::kSwiss || spec.format == Format::kKnockout ||
                      spec.format == Format::kTest;
  if (of_two && spec.seats != 2) return FormatOfTwoSeats(FormatName(spec.format), spec.seats);
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
  if (spec.rounds < 0 || spec.rounds > limits::kMaxBlocks) {
    return FieldOutOfRange("rounds", spec.rounds, 0, limits::kMaxBlocks);
  }
  if (spec.best_of < 0 || spec.best_of > limits::kMaxBestOf) {
    return FieldOutOfRange("best_of", spec.best_of, 0, limits::kMaxBestOf);
  }
  if (spec.best_of != 0 && spec.best_of % 2 == 0) return BestOfEven(spec.best_of);
  if (ExtraBlocks(spec) < 0 || ExtraBlocks(spec) > limits::kMaxExtraBlocks) {
    return FieldOutOfRange("extra_blocks", ExtraBlocks(spec), 0, limits::kMaxExtraBlocks);
  }
  if (spec.format == Format::kSwiss && spec.rounds > MostSwissRounds(spec.entrants.size())) {
    return TooManySwissRounds(spec.rounds, spec.entrants.size(),
                              MostSwissRounds(spec.entrants.size()));
  }
  const int64_t blocks = PlannedBlocks(spec);
  if (blocks > limits::kMaxBlocks) return TooManyBlocks(format, blocks, limits::kMaxBlocks);
  return absl::OkStatus();
}

absl::Status ValidateTieBreaks(const Spec& spec) {
  if (!spec.tie_breaks.has_value()) return absl::OkStatus();
  const absl::string_view format = FormatName(spec.format);
  if (!HasRounds(spec.format)) return TieBreakNotForFormat(TieBreaksText(*spec.tie_breaks), format);
  std::vector<TieBreak> seen;
  for (const TieBreak tie_break : *spec.tie_breaks) {
    const absl::string_view name = TieBreakName(tie_break);
    if (std::count(seen.begin(), seen.end(), tie_break) > 0) return TieBreakTwice(name);
    seen.push_back(tie_break);
    const bool buchholz = tie_break == TieBreak::kBuchholz || tie_break == TieBreak::kBuchholzCut1;
    if (buchholz && spec.format != Format::kSwiss) return TieBreakNotForFormat(name, format);
  }
  return absl::OkStatus();
}

absl::Status ValidateSprt(const Spec& spec) {
  if ((spec.format == Format::kTest) != spec.sprt.has_value()) {
    return spec.sprt.has_value() ? SprtNotForFormat(FormatName(spec.format)) : SprtMissing();
  }
  return spec.sprt.has_value() ? At("sprt", rating::Validate(*spec.sprt)) : absl::OkStatus();
}

absl::Status ValidatePace(const Spec& spec) {
  const absl::string_view format = FormatName(spec.format);
  const bool ladder = spec.format == Format::kLadder;
  if (!ladder && spec.pace != 0) return PaceNotForFormat(spec.pace, format);
  if (!ladder && spec.goal_width != 0) {
    return FieldNotForFormat("goal_width", spec.goal_width, format, "leave it out");
  }
  const bool none = spec.pace == 0;
  // Not written the other way round, as it may be no number.
  if (!none && !(spec.pace >= limits::kMinPace && spec.pace <= limits::kMaxPace)) {
    return PaceOutOfRange(spec.pace);
  }
  if (spec.goal_width < 0 || spec.goal_width > limits::kMaxGoalWidth) {
    return FieldOutOfRange("goal_width", spec.goal_width, 0, limits::kMaxGoalWidth);
  }
  return absl::OkStatus();
}

absl::Status ValidateRunning(const Spec& spec) {
  if (spec.max_running < 0 || spec.max_running > limits::kMaxOpenMatches) {
    return FieldOutOfRange("max_running", spec.max_running, 0, limits::kMaxOpenMatches);
  }
  if (spec.provisional_width < 0 || spec.provisional_width > limits::kMaxProvisionalWidth) {
    return FieldOutOfRange("provisional_width", spec.provisional_width, 0,
                           limits::kMaxProvisionalWidth);
  }
  if (spec.absence_limit < limits::kMinAbsenceLimit ||
      spec.absence_limit > limits::kMaxAbsenceLimit) {
    return DurationOutOfRange("absence_limit", spec.absence_limit, limits::kMinAbsenceLimit,
                              limits::kMaxAbsenceLimit);
  }
  if (spec.watch_delay < absl::ZeroDuration() || spec.watch_delay > limits::kMaxWatchDelay) {
    return DurationOutOfRange("watch_delay", spec.watch_delay, absl::ZeroDuration(),
                              limits::kMaxWatchDelay);
  }
  if (spec.homes < 1 || spec.homes > static_cast<int>(limits::kMaxHomes)) {
    return FieldOutOfRange("homes", spec.homes, 1, limits::kMaxHomes);
  }
  if (spec.priority < -limits::kMaxPriority || spec.priority > limits::kMaxPriority) {
    return FieldOutOfRange("priority", spec.priority, -limits::kMaxPriority, limits::kMaxPriority);
  }
  return absl::OkStatus();
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
  if (!IsName(spec.name)) return BadName("name", spec.name);
  if (spec.description.size() > limits::kMaxDescriptionBytes || !IsPlainText(spec.description)) {
    return BadValue("description", spec.description,
                    absl::StrCat("at most ", limits::kMaxDescriptionBytes,
                                 " bytes without control characters"));
  }
  if (!IsName(spec.game)) return BadName("game", spec.game);
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
