// Where the time of a match went, turn by turn, from its records. Pure functions, thread-safe.
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
  absl::Duration limit;    // what the turn could take; meaningless for a pass
  absl::Duration charged;  // and to whom: `seat`
  // None for a pass, for an illegal try, and for a seat that was not to move.
  absl::optional<match::Timing> timing;
  std::string mark;    // what is special: "", "played for, TIMEOUT", "forfeit, RESIGNED", ...
  std::string detail;  // of a forfeit or an illegal move: one sentence for people, from the record

  bool stepped = false;  // it led to a position of its own: a turn that was played, or a forfeit
};

// The time of a turn, from when it was due until its reply was taken up, by whose it was.
struct TimeSplit {
  absl::Duration bot;
  absl::Duration network;  // a round trip of the link, if that is known
  absl::Duration referee;  // before the clock ran, while it stood still itself, after the reply
  absl::Duration paused;   // the clock stood still, the link being lost
};
TimeSplit Split(const match::Timing& timing);

// All turns in order.
std::vector<TurnTimes> TimesOfTurns(const replay::Replay& replay);

}  // namespace referee::view

#endif  // REFEREE_VIEW_LEDGER_H_
