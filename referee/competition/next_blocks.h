// Decides which blocks begin next, and on which daemon.
//
// The room of the host and of its helpers, the slots and shares of bots, and the competition's own
// limits bound how many begin. Pure.
#ifndef REFEREE_COMPETITION_NEXT_BLOCKS_H_
#define REFEREE_COMPETITION_NEXT_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"

#include "referee/competition/competition_now.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// What a step writes to the store, all or nothing.
struct Transaction {
  std::vector<store::Change> changes;      // what begins comes last
  absl::optional<rating::Sprt> sprt = {};  // of a test, after what is counted
};

// Returns what this daemon offers to play for a competition that it helps; nothing if it does not.
// An offer is a hint: a helper hands back blocks that it cannot play.
store::Help OfferOf(const CompetitionNow& now, const OpenBlocks& open);

// Keeps the blocks that the schedule has given and the store has not taken. They begin first.
// Thread-compatible.
class NextBlocks {
 public:
  // Call when the schedule is a new one.
  void Clear() { unwritten_.clear(); }
  size_t unwritten() const { return unwritten_.size(); }
  void BeginStep() { more_ = lacks_places_ = false; }
  // Adds the next blocks, at most limits::kMaxBlocksPerStep. `counted`: blocks that are counted
  // when `plan` has happened.
  void Plan(const CompetitionNow& now, const OpenBlocks& open, int64_t counted,
            schedule::Schedule* schedule, Transaction* plan);
  // Call when the store has taken a plan that begins so many blocks. Returns false if these are not
  // all that the schedule has given: then the schedule must be made again.
  bool Written(int64_t begun);
  // Whether the last step had more blocks to begin than one step may.
  bool more() const { return more_; }
  // Whether the competition takes the next places that become free, as of the last step.
  bool takes_next_places() const { return more_ || lacks_places_; }

 private:
  std::vector<store::BeginBlock> unwritten_;
  bool more_ = false;
  bool lacks_places_ = false;  // it could begin blocks, but for places of the host
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_NEXT_BLOCKS_H_
