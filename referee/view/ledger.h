// Accounts for the time of a match, turn by turn, from its records. Pure functions, thread-safe.
#ifndef REFEREE_VIEW_LEDGER_H_
#define REFEREE_VIEW_LEDGER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/match/record.h"
#include "referee/replay/replay.h"

namespace referee::view {

// A turn that was played or broken off, or a restart of the referee.
struct TurnTimes {
  uint32_t turn = 0;  // 0 for a restart
  Seat seat;
  absl::Duration limit;    // the time allowed for the turn; no meaning for a pass
  absl::Duration charged;  // the time charged to `seat`
  // None for a pass, for an illegal move that may be retried, for a seat that was not to move, and
  // for a restart.
  absl::optional<match::Timing> timing;
  std::string mark;    // what is special: "", "played for, TIMEOUT", "forfeit, RESIGNED", ...
  std::string detail;  // of a forfeit or an illegal move: one sentence for people, from the record

  bool stepped = false;  // the row leads to a new position: a turn that was played, or a forfeit
};

// How the time of a turn splits up, from when it was due until the referee handled the reply.
struct TimeSplit {
  absl::Duration bot;
  absl::Duration network;  // one round trip of the connection, if known
  absl::Duration referee;  // before the clock ran, while the referee stalled, and after the reply
  absl::Duration paused;   // the clock stood still because the connection was lost
};
TimeSplit Split(const match::Timing& timing);

// Returns all turns and restarts, in order.
std::vector<TurnTimes> TimesOfTurns(const replay::Replay& replay);

}  // namespace referee::view

#endif  // REFEREE_VIEW_LEDGER_H_
