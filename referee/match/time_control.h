// The time control of a match: its limits, their validation and their notation.
//
//
//   PER_MOVE[+BANK[+INCREMENT]][,first=DURATION][,ready=DURATION][,match=DURATION]
//       [,stall=PER_MOVE[/PER_MATCH]]
//
// Examples: "500ms", "500ms+60s,first=5s", "none+60s+1s,match=10m". With "none" only the bank and
// the match limit cap a move. absl::ParseDuration reads the durations.
#ifndef REFEREE_MATCH_TIME_CONTROL_H_
#define REFEREE_MATCH_TIME_CONTROL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"

namespace referee::match {

// per_move caps each move. A bank runs down by the time used, and gains `increment` after each
// move; it must not run out. The first move of each seat may take first_move more, free of the
// bank. Passes cost and gain nothing.
//
// match caps the time of all seats together. Once it is used up, seats forfeit until the game is
// over: first the seat that has used most; of equals the one to move, then the lower one.
//
// stall_per_move and stall_per_match cap the referee's own stalls that are given back to a seat,
// for one move and for the whole match.
struct TimeControl {
  absl::Duration per_move = absl::Milliseconds(500);  // infinite: no cap but the bank
  absl::Duration bank = absl::InfiniteDuration();     // infinite: no bank
  absl::Duration increment = absl::ZeroDuration();
  absl::Duration first_move = absl::ZeroDuration();
  absl::Duration ready = limits::kReadyLimit;       // to be ready; then the same to reveal nonces
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

// Returns InvalidArgument that names the field if a value is out of its limits (base/limits.h), if
// nothing is limited, or if there is an increment without a bank.
absl::Status Validate(const TimeControl& time_control);

// Returns InvalidArgument that names the field if a duration is out of its range. `or_else` is
// added to the message: what is allowed instead of a duration.
absl::Status CheckDuration(absl::string_view field, absl::Duration value, absl::Duration least,
                           absl::Duration most, absl::string_view or_else = "");
// Parses a finite duration and truncates it to whole nanoseconds, as records store them. Returns
// false if the text is no finite duration.
bool ReadDuration(absl::string_view text, absl::Duration* out);

// The default of TimeControl::stall_per_match for a given stall_per_move.
absl::Duration DefaultStallPerMatch(absl::Duration stall_per_move);

// Parses the notation and validates it. Returns InvalidArgument on failure.
absl::StatusOr<TimeControl> ParseTimeControl(absl::string_view text);
std::string TimeControlText(const TimeControl& time_control);

}  // namespace referee::match

#endif  // REFEREE_MATCH_TIME_CONTROL_H_
