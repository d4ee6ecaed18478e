#include "referee/match/time_control.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::match {
namespace {

constexpr absl::string_view kNone = "none";
constexpr absl::string_view kPerMoveField = "time control, time per move";
constexpr absl::string_view kBankField = "time control, bank";
constexpr absl::string_view kIncrementField = "time control, increment";

constexpr absl::string_view kOrNone = ", or none";

std::string Range(absl::Duration least, absl::Duration most) {
  return absl::StrCat("a duration of ", absl::FormatDuration(least), " to ",
                      absl::FormatDuration(most));
}

std::string PerMoveRange() {
  return absl::StrCat(Range(limits::kMinPerMove, limits::kMaxPerMove), kOrNone);
}
std::string BankRange() { return Range(limits::kMinPerMove, limits::kMaxBank); }
std::string IncrementRange() { return Range(absl::ZeroDuration(), limits::kMaxPerMove); }

absl::Status ParseField(absl::string_view field, absl::string_view text, absl::string_view expected,
                        absl::Duration* out) {
  return ReadDuration(text, out) ? absl::OkStatus() : BadValue(field, text, expected);
}

constexpr absl::string_view kStallName = "stall";
constexpr absl::string_view kStallField = "time control, stall";
constexpr absl::string_view kMatchStallField = "time control, stall per match";

constexpr absl::string_view kOrTwo = ", or two of them";

std::string StallRange() {
  return absl::StrCat(Range(absl::ZeroDuration(), limits::kMaxStallPerMove), kOrTwo);
}

// Always has a unit, also for zero.
std::string UnitText(absl::Duration duration) {
  return duration == absl::ZeroDuration() ? "0s" : absl::FormatDuration(duration);
}

// PER_MOVE[/PER_MATCH]
absl::Status ParseStall(absl::string_view text, TimeControl* out) {
  const size_t slash = text.find('/');
  const absl::Status status =
      ParseField(kStallField, text.substr(0, slash), StallRange(), &out->stall_per_move);
  if (!status.ok()) return status;
  out->stall_per_match = DefaultStallPerMatch(out->stall_per_move);
  if (slash == absl::string_view::npos) return absl::OkStatus();
  return ParseField(kMatchStallField, text.substr(slash + 1), StallRange(), &out->stall_per_match);
}

absl::Status ValidateStall(const TimeControl& time_control) {
  const absl::Status status = CheckDuration(kStallField, time_control.stall_per_move,
                                            absl::ZeroDuration(), limits::kMaxStallPerMove, kOrTwo);
  if (!status.ok()) return status;
  return CheckDuration(kMatchStallField, time_control.stall_per_match, time_control.stall_per_move,
                       limits::kMaxStallPerMatch);
}

// A NAME=VALUE pair after a comma: its name, and where its value goes.
struct Extra {
  absl::string_view name;
  absl::string_view field;
  absl::Duration TimeControl::*value;
  absl::Duration least;
  absl::Duration most;
  absl::Duration absent;
};

const Extra kExtras[] = {
    {"first", "time control, first move", &TimeControl::first_move, absl::ZeroDuration(),
     limits::kMaxPerMove, absl::ZeroDuration()},
    {"ready", "time control, ready", &TimeControl::ready, limits::kMinPerMove,
     limits::kMaxReadyLimit, limits::kReadyLimit},
    {"match", "time control, match", &TimeControl::match, limits::kMinPerMove,
     limits::kMaxMatchTime, absl::InfiniteDuration()},
};

absl::Status ParseExtra(absl::string_view text, TimeControl* out) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  if (parts.first == kStallName) return ParseStall(parts.second, out);
  for (const Extra& extra : kExtras) {
    if (parts.first != extra.name) continue;
    return ParseField(extra.field, parts.second, Range(extra.least, extra.most),
                      &(out->*extra.value));
  }
  return BadValue("time control", text,
                  "first=DURATION, ready=DURATION, match=DURATION or stall=DURATION");
}

absl::Status ParseMoves(absl::string_view text, TimeControl* out) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '+');
  if (parts.size() > 3) {
    return BadValue("time control", text, "PER_MOVE[+BANK[+INCREMENT]], such as 500ms+60s+1s");
  }
  out->per_move = absl::InfiniteDuration();
  if (parts[0] != kNone) {
    const absl::Status status = ParseField(kPerMoveField, parts[0], PerMoveRange(), &out->per_move);
    if (!status.ok()) return status;
  }
  if (parts.size() > 1) {
    const absl::Status status = ParseField(kBankField, parts[1], BankRange(), &out->bank);
    if (!status.ok()) return status;
  }
  if (parts.size() < 3) return absl::OkStatus();
  return ParseField(kIncrementField, parts[2], IncrementRange(), &out->increment);
}

}  // namespace

absl::Status CheckDuration(absl::string_view field, absl::Duration value, absl::Duration least,
                           absl::Duration most, absl::string_view or_else) {
  if (value >= least && value <= most) return absl::OkStatus();
  return BadValue(field, absl::FormatDuration(value), absl::StrCat(Range(least, most), or_else));
}

bool ReadDuration(absl::string_view text, absl::Duration* out) {
  if (!absl::ParseDuration(text, out)) return false;
  if (*out == absl::InfiniteDuration() || *out == -absl::InfiniteDuration()) return false;
  *out = absl::Trunc(*out, absl::Nanoseconds(1));
  return true;
}

absl::Duration DefaultStallPerMatch(absl::Duration stall_per_move) {
  // Capped first, so that the product does not overflow. Validate refuses larger values anyway.
  const absl::Duration per_move = std::min(stall_per_move, limits::kMaxStallPerMove);
  return std::min(limits::kDefaultStallMoves * per_move, limits::kMaxStallPerMatch);
}

absl::Status Validate(const TimeControl& time_control) {
  if (time_control.has_per_move()) {
    const absl::Status status = CheckDuration(kPerMoveField, time_control.per_move,
                                              limits::kMinPerMove, limits::kMaxPerMove, kOrNone);
    if (!status.ok()) return status;
  }
  if (time_control.has_bank()) {
    const absl::Status status =
        CheckDuration(kBankField, time_control.bank, limits::kMinPerMove, limits::kMaxBank);
    if (!status.ok()) return status;
  }
  for (const Extra& extra : kExtras) {
    const absl::Duration value = time_control.*extra.value;
    if (value == extra.absent) continue;
    const absl::Status status = CheckDuration(extra.field, value, extra.least, extra.most);
    if (!status.ok()) return status;
  }
  if (absl::Status status = ValidateStall(time_control); !status.ok()) return status;
  if (!time_control.has_per_move() && !time_control.has_bank() && !time_control.has_match()) {
    return absl::InvalidArgumentError(
        "time control: no limit at all; give a time per move (500ms), a bank (none+60s) or a time "
        "for the whole match (none,match=10m)");
  }
  if (!time_control.has_bank() && time_control.increment != absl::ZeroDuration()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "time control, increment: ", Quoted(absl::FormatDuration(time_control.increment)),
        " has no bank to go to; give a bank (500ms+60s+1s) or no increment"));
  }
  return CheckDuration(kIncrementField, time_control.increment, absl::ZeroDuration(),
                       limits::kMaxPerMove);
}

absl::StatusOr<TimeControl> ParseTimeControl(absl::string_view text) {
  TimeControl time_control;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  absl::Status status = ParseMoves(parts[0], &time_control);
  for (size_t i = 1; i < parts.size() && status.ok(); ++i) {
    status = ParseExtra(parts[i], &time_control);
  }
  if (status.ok()) status = Validate(time_control);
  if (!status.ok()) return status;
  return time_control;
}

std::string TimeControlText(const TimeControl& time_control) {
  std::string text = time_control.has_per_move() ? absl::FormatDuration(time_control.per_move)
                                                 : std::string(kNone);
  if (time_control.has_bank()) {
    absl::StrAppend(&text, "+", absl::FormatDuration(time_control.bank));
    if (time_control.increment != absl::ZeroDuration()) {
      absl::StrAppend(&text, "+", absl::FormatDuration(time_control.increment));
    }
  }
  for (const Extra& extra : kExtras) {
    const absl::Duration value = time_control.*extra.value;
    if (value == extra.absent) continue;
    absl::StrAppend(&text, ",", extra.name, "=", absl::FormatDuration(value));
  }
  const absl::Duration usual = DefaultStallPerMatch(time_control.stall_per_move);
  const bool per_match = time_control.stall_per_match != usual;
  if (time_control.stall_per_move == limits::kStallPerMove && !per_match) return text;
  absl::StrAppend(&text, ",", kStallName, "=", UnitText(time_control.stall_per_move));
  if (per_match) absl::StrAppend(&text, "/", UnitText(time_control.stall_per_match));
  return text;
}

}  // namespace referee::match
