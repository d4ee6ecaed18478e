#include "referee/schedule/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::schedule {

absl::Status FieldOutOfRange(absl::string_view field, int64_t value, int64_t low, int64_t high) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": ", value, " is out of range; expected ", low, " to ", high));
}

absl::Status DurationOutOfRange(absl::string_view field, absl::Duration value, absl::Duration low,
                                absl::Duration high) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": ", absl::FormatDuration(value), " is out of range; expected ",
                   absl::FormatDuration(low), " to ", absl::FormatDuration(high)));
}

absl::Status FieldNotForFormat(absl::string_view field, int64_t value, absl::string_view format,
                               absl::string_view instead) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": ", value, " is given, but a ", format, " has none; ", instead));
}

absl::Status BestOfEven(int best_of) {
  return absl::InvalidArgumentError(
      absl::StrCat("best_of: ", best_of,
                   " is even, so that a tie could end level; expected "
                   "an odd number from 1 to ",
                   limits::kMaxBestOf));
}

absl::Status FormatOfTwoSeats(absl::string_view format, int seats) {
  return absl::InvalidArgumentError(absl::StrCat(
      "format: a ", format, " is played by 2 seats, not by ", seats,
      "; take a game of 2 seats, or round-robin, gauntlet or ladder, which take any number"));
}

absl::Status TooFewEntrants(absl::string_view format, size_t given, int needed) {
  return absl::InvalidArgumentError(absl::StrCat("entrants: ", given, " given; a ", format,
                                                 " of this game needs at least ", needed));
}

absl::Status TooManyEntrants(absl::string_view format, size_t given, int limit) {
  return absl::InvalidArgumentError(
      absl::StrCat("entrants: ", given, " given; a ", format, " takes at most ", limit));
}

absl::Status EntrantTwice(absl::string_view name, size_t first, size_t again) {
  return absl::InvalidArgumentError(
      absl::StrCat("entrants[", again, "]: ", Quoted(name), " is number ", first + 1,
                   " of them already; name each bot once (a second copy has a name of its own)"));
}

absl::Status TooManySwissRounds(int rounds, size_t entrants, int most) {
  return absl::InvalidArgumentError(
      absl::StrCat("rounds: ", rounds, " rounds in which nobody meets twice cannot be promised to ",
                   entrants, " entrants; expected 1 to ", most, ", or a round-robin"));
}

absl::Status TieBreakNotForFormat(absl::string_view tie_breaks, absl::string_view format) {
  return absl::InvalidArgumentError(
      absl::StrCat("tie_breaks: ", tie_breaks, " is given, but a ", format, " has none; ",
                   format == "round-robin" || format == "gauntlet"
                       ? "take direct-encounter, sonneborn-berger or wins"
                       : "leave it out"));
}

absl::Status SprtMissing() {
  return absl::InvalidArgumentError(
      "sprt: a test needs the hypotheses that it is to tell apart, such as "
      "elo0=0,elo1=10,alpha=0.05,beta=0.05");
}

absl::Status PaceNotForFormat(double pace, absl::string_view format) {
  return absl::InvalidArgumentError(
      absl::StrCat("pace: ", pace, " is given, but a ", format, " has none; leave it out"));
}

absl::Status PaceOutOfRange(double pace) {
  return absl::InvalidArgumentError(
      absl::StrCat("pace: ", pace, " is out of range; expected blocks a minute for each bot, from ",
                   limits::kMinPace, " to ", limits::kMaxPace, ", or 0 for no limit"));
}

absl::Status SprtNotForFormat(absl::string_view format) {
  return absl::InvalidArgumentError(
      absl::StrCat("sprt: it is given, but a ", format, " has none; leave it out, or take test"));
}

absl::Status TieBreakTwice(absl::string_view tie_break) {
  return absl::InvalidArgumentError(
      absl::StrCat("tie_breaks: ", tie_break, " is given twice; name each once"));
}

absl::Status TooManyBlocks(absl::string_view format, int64_t blocks, int64_t limit) {
  return absl::InvalidArgumentError(
      absl::StrCat("rounds, entrants: this ", format, " would take ", blocks, " blocks; at most ",
                   limit, " are played; give fewer rounds or entrants, or make it a ladder"));
}

absl::Status TooManyOptions(size_t given) {
  return absl::InvalidArgumentError(
      absl::StrCat("options: ", given, " given; at most ", limits::kMaxOptions, " are allowed"));
}

absl::Status TooManyPositions(size_t given) {
  return absl::InvalidArgumentError(absl::StrCat("positions: ", given, " given; at most ",
                                                 limits::kMaxPositions, " are allowed"));
}

absl::Status PositionOutOfSize(size_t number, size_t size) {
  return absl::InvalidArgumentError(absl::StrCat("positions[", number, "]: it has ", size,
                                                 " bytes; expected 1 to ",
                                                 limits::kMaxPositionBytes));
}

absl::Status PositionsTooLarge(size_t size) {
  return absl::InvalidArgumentError(
      absl::StrCat("positions: they have ", size, " bytes in all; at most ",
                   limits::kMaxPositionsBytes, " are allowed; give fewer"));
}

absl::Status NotALadder(absl::string_view format) {
  return absl::FailedPreconditionError(absl::StrCat(
      "a ", format, " has the entrants that it was made with; only a ladder is joined later"));
}

absl::Status NotWithdrawn(int bot) {
  return absl::FailedPreconditionError(
      absl::StrCat("entrant ", bot, " has not left; only one that left can come back"));
}

}  // namespace referee::schedule
