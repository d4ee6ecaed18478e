// Decides which blocks begin next, and on which referee.
//
// The limits are the room of the host and of its helpers, the slots and shares of bots, and the
// competition's own terms. Pure.
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

// The changes that a step writes to the store, all or nothing.
struct Transaction {
  std::vector<store::Change> changes;      // blocks to begin come last
  absl::optional<rating::Sprt> sprt = {};  // of a test, after the counted blocks
};

// Returns what this referee offers to play for a competition that it helps; empty if it does not.
// An offer is a hint: a helper hands back blocks that it cannot play.
store::Help OfferOf(const CompetitionNow& now, const OpenBlocks& open);

// Holds the blocks that the schedule has named and the store has not accepted. They begin first.
// Thread-compatible.
class NextBlocks {
 public:
  // Call when the schedule is a new object.
  void Clear() { unwritten_.clear(); }
  size_t unwritten() const { return unwritten_.size(); }
  void BeginStep() { more_ = lacks_places_ = false; }
  // Adds the next blocks, at most limits::kMaxBlocksPerStep. `counted`: the number of counted
  // blocks after `plan` is committed.
  void Plan(const CompetitionNow& now, const OpenBlocks& open, int64_t counted,
            schedule::Schedule* schedule, Transaction* plan);
  // Call when the store has accepted a plan that begins `begun` blocks. Returns false if the
  // schedule has named more blocks than that; the schedule must be restored then.
  bool Written(int64_t begun);
  // Whether the last step had more blocks to begin than its limit.
  bool more() const { return more_; }
  // Whether the competition takes the next free slots, as of the last step.
  bool takes_next_places() const { return more_ || lacks_places_; }

 private:
  std::vector<store::BeginBlock> unwritten_;
  bool more_ = false;
  bool lacks_places_ = false;  // it could begin blocks if the host had free slots
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_NEXT_BLOCKS_H_
