// Which blocks begin next, and where: as many as the host, the daemons that help, the bots' slots
// and shares and the competition itself allow. Pure.
#ifndef REFEREE_COMPETITION_NEXT_BLOCKS_H_
#define REFEREE_COMPETITION_NEXT_BLOCKS_H_

#include <cstddef>
#include <vector>

#include "referee/competition/competition_now.h"
#include "referee/competition/open_blocks.h"
#include "referee/competition/transaction.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// What this daemon can play for a competition that it helps; nothing if it does not. A hint: what
// cannot be played where it was given is handed back.
store::Help OfferOf(const CompetitionNow& now, const OpenBlocks& open);

// Remembers the blocks that the schedule has given and the store has not taken: they begin first.
// Thread-compatible.
class NextBlocks {
 public:
  // The schedule is a new one, and has given none.
  void Clear() { unwritten_.clear(); }
  size_t unwritten() const { return unwritten_.size(); }
  void BeginStep() { more_ = lacks_places_ = false; }
  // Adds the blocks to `plan`, limits::kMaxBlocksPerStep at most, whose count is known.
  void Plan(const CompetitionNow& now, const OpenBlocks& open, schedule::Schedule* schedule,
            Transaction* plan);
  // The store has taken what Plan has added. Returns false when some that the schedule has given
  // were not among it: they are for a schedule that is made again.
  bool Written(const Transaction& plan);
  // Of the last step: there are more blocks to begin than one step does.
  bool more() const { return more_; }
  // The same: it would begin more blocks, and takes the next places that become free.
  bool takes_next_places() const { return more_ || lacks_places_; }

 private:
  std::vector<Transaction::Begun> unwritten_;
  bool more_ = false;
  bool lacks_places_ = false;  // it could begin blocks, but for places of the host
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_NEXT_BLOCKS_H_
