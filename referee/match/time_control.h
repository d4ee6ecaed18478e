// How time is counted in a match, and its one notation: PER_MOVE[+BANK[+INCREMENT]], such as
// "500ms", "500ms+60s" or "none+60s+1s" ("none": no cap of a move but the bank).
#ifndef REFEREE_MATCH_TIME_CONTROL_H_
#define REFEREE_MATCH_TIME_CONTROL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::match {

// per_move caps each move. A bank, if there is one, runs down by the time used and gains increment
// after each move; it must not run out. Passes cost and gain nothing.
struct TimeControl {
  absl::Duration per_move = absl::Milliseconds(500);  // infinite: no cap but the bank
  absl::Duration bank = absl::InfiniteDuration();     // infinite: no bank
  absl::Duration increment = absl::ZeroDuration();

  bool has_per_move() const { return per_move < absl::InfiniteDuration(); }
  bool has_bank() const { return bank < absl::InfiniteDuration(); }

  friend bool operator==(const TimeControl& a, const TimeControl& b) {
    return a.per_move == b.per_move && a.bank == b.bank && a.increment == b.increment;
  }
};

// Returns InvalidArgument that names the field when a value is out of its limits (base/limits.h),
// when there is neither cap nor bank, or an increment without a bank.
absl::Status Validate(const TimeControl& time_control);

// Reads the notation, validated; durations as absl::ParseDuration reads them.
absl::StatusOr<TimeControl> ParseTimeControl(absl::string_view text);
std::string TimeControlText(const TimeControl& time_control);

}  // namespace referee::match

#endif  // REFEREE_MATCH_TIME_CONTROL_H_
