// The time control of a match, and its only notation:
//
//   PER_MOVE[+BANK[+INCREMENT]][,first=DURATION][,ready=DURATION][,match=DURATION]
//       [,stall=PER_MOVE[/PER_MATCH]]
//
// such as "500ms", "500ms+60s,first=5s" or "none+60s+1s,match=10m" ("none": only the bank and the
// match cap a move). Durations as absl::ParseDuration reads them.
#ifndef REFEREE_MATCH_TIME_CONTROL_H_
#define REFEREE_MATCH_TIME_CONTROL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"

namespace referee::match {

// per_move caps each move. A bank, if there is one, runs down by the time used and gains increment
// after each move; it must not run out. The first move of each seat may take first_move more, which
// is not charged to the bank. Passes cost and gain nothing.
//
// match caps what all seats together use. Once that is used up, seats forfeit, the one that has
// used most first (of equals the one to move, then the lower one), until the game is over.
//
// stall_per_move and stall_per_match: how much of the time in which the referee itself stood still
// while a seat's clock ran is given back to that seat, of one move and in all of the match.
struct TimeControl {
  absl::Duration per_move = absl::Milliseconds(500);  // infinite: no cap but the bank
  absl::Duration bank = absl::InfiniteDuration();     // infinite: no bank
  absl::Duration increment = absl::ZeroDuration();
  absl::Duration first_move = absl::ZeroDuration();
  absl::Duration ready = limits::kReadyLimit;       // from the announcement to all being ready
  absl::Duration match = absl::InfiniteDuration();  // infinite: no cap
  absl::Duration stall_per_move = limits::kStallPerMove;
  absl::Duration stall_per_match = limits::kDefaultStallMoves * limits::kStallPerMove;

  bool has_per_move() const { return per_move < absl::InfiniteDuration(); }
  bool has_bank() const { return bank < absl::InfiniteDuration(); }
  bool has_match() const { return match < absl::InfiniteDuration(); }

  friend bool operator==(const TimeControl& a, const TimeControl& b) {
    return a.per_move == b.per_move && a.bank == b.bank && a.increment == b.increment &&
           a.first_move == b.first_move && a.ready == b.ready && a.match == b.match &&
           a.stall_per_move == b.stall_per_move && a.stall_per_match == b.stall_per_match;
  }
};

// Returns InvalidArgument that names the field when a value is out of its limits (base/limits.h),
// when nothing is limited, or there is an increment without a bank.
absl::Status Validate(const TimeControl& time_control);

// Returns InvalidArgument that names the field if a duration is out of its range. `or_else`: what
// may stand there instead of a duration, for the message.
absl::Status CheckDuration(absl::string_view field, absl::Duration value, absl::Duration least,
                           absl::Duration most, absl::string_view or_else = "");
// Reads a finite duration, to the whole nanosecond: what a record holds is what was counted with.
bool ReadDuration(absl::string_view text, absl::Duration* out);

// What is given back of a match's stalls when only that of a move is said.
absl::Duration DefaultStallPerMatch(absl::Duration stall_per_move);

// Reads the notation, validated.
absl::StatusOr<TimeControl> ParseTimeControl(absl::string_view text);
std::string TimeControlText(const TimeControl& time_control);

}  // namespace referee::match

#endif  // REFEREE_MATCH_TIME_CONTROL_H_
