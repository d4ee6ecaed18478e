// The use of time in a match, by turn and by seat, from its records: as a table for people and as
// JSON for programs. Pure functions, thread-safe.
#ifndef REFEREE_CTL_REPLAY_TIMES_H_
#define REFEREE_CTL_REPLAY_TIMES_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/replay/replay.h"
#include "referee/view/ledger.h"

namespace referee::ctl {

// The totals of a seat.
struct SeatTimes {
  int turns = 0;  // that it was asked for, answered or not
  absl::Duration total;
  absl::Duration median;
  absl::Duration max;
  absl::Duration own_median;  // the referee's own delay in its turns
  absl::Duration own_p99;
  absl::Duration own_max;
  absl::Duration credited;
  absl::Duration paused;
  absl::Duration given_back;  // of the referee's own stalls
};

// By seat.
std::vector<SeatTimes> TimesOfSeats(const replay::Replay& replay,
                                    const std::vector<view::TurnTimes>& turns);

// Lines, in milliseconds.
std::string TimesText(const replay::Replay& replay);
// One object with a line end: `match_id`, `time_control`, `turns`, `seats`. In nanoseconds.
std::string TimesJson(const replay::Replay& replay);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_TIMES_H_
