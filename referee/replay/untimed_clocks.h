// The clock rules of the first replays, whose turns do not say where their time went: only what was
// charged is held to the time control. Such replays have none of what came later: faults that are
// forgiven, lost links that stop a clock, blocks, restarts. Thread-compatible.
#ifndef REFEREE_REPLAY_UNTIMED_CLOCKS_H_
#define REFEREE_REPLAY_UNTIMED_CLOCKS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/ids.h"
#include "referee/match/record.h"
#include "referee/replay/replay.h"

namespace referee::replay {

// Whether a replay is one of these: clocks ran, and it has nothing of what came later. A referee of
// today could leave the times out, too; so whoever verifies says that they are missing.
bool IsUntimed(const Replay& replay);

// Takes the turns and forfeits of a match in order, and returns what is wrong with each, in one
// line; empty if nothing is.
class UntimedClocks {
 public:
  // `setup` must outlive this.
  explicit UntimedClocks(const match::Setup& setup);

  std::string Take(const match::Played& turn, bool pass);
  // `to_move`: who was to move.
  std::string Take(const match::Forfeited& forfeit, Seat to_move);

 private:
  absl::Duration Limit(Seat seat) const;

  const match::TimeControl& time_control_;
  std::vector<absl::Duration> banks_;  // by seat
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_UNTIMED_CLOCKS_H_
