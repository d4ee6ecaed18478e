// The use of time in a match, by turn and by seat, from its records: as a table for people and as
// JSON for programs. Pure functions, thread-safe.
#ifndef REFEREE_CTL_REPLAY_TIMES_H_
#define REFEREE_CTL_REPLAY_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// A turn that was played or broken off, or a restart of the referee.
struct TurnTimes {
  uint32_t turn = 0;  // 0 for a restart
  Seat seat;
  absl::Duration limit;    // what the turn could take; meaningless for a pass
  absl::Duration charged;  // and to whom: `seat`
  // None for a pass, for an illegal try, and for a seat that was not to move.
  absl::optional<match::Timing> timing;
  std::string mark;    // what is special: "", "played for, TIMEOUT", "forfeit, RESIGNED", ...
  std::string detail;  // of a forfeit or an illegal move: one sentence for people, from the record

  // The referee's own delay, from the arrival of the reply out of the transport until it is
  // handled.
  absl::Duration own() const { return timing->taken - timing->read; }
};

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

// All turns in order.
std::vector<TurnTimes> TimesOfTurns(const replay::Replay& replay);
// By seat.
std::vector<SeatTimes> TimesOfSeats(const replay::Replay& replay,
                                    const std::vector<TurnTimes>& turns);

// Lines, in milliseconds.
std::string TimesText(const replay::Replay& replay);
// One object with a line end: `match_id`, `time_control`, `turns`, `seats`. In nanoseconds.
std::string TimesJson(const replay::Replay& replay);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_TIMES_H_
