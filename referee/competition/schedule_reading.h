// Restores the schedule of a competition from its stored blocks.
//
// A schedule is a state machine that is not stored itself.
#ifndef REFEREE_COMPETITION_SCHEDULE_READING_H_
#define REFEREE_COMPETITION_SCHEDULE_READING_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// Returns the schedule after the blocks below competition.next_block, and passes the uncounted ones
// of these to `take`, in order. For a ladder it reads the uncounted blocks and, to know who has
// met, the pair totals (2 seats) or the last 4,000 blocks. For a test it reads the uncounted
// blocks, for other formats all blocks. REQUIRES: competition.spec.entrants are the names of
// `entrants`.
absl::StatusOr<std::unique_ptr<schedule::Schedule>> ReadSchedule(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, absl::FunctionRef<void(store::Block block)> take);

// Passes the blocks below competition.next_block to `take`, in order. With `planned`, returns the
// pairings that follow if no more bots leave; otherwise none. REQUIRES: as for ReadSchedule, and
// the format is round robin or gauntlet.
absl::StatusOr<std::vector<rating::Pairing>> ReadPlan(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, bool planned,
    absl::FunctionRef<void(const store::Block& block)> take);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SCHEDULE_READING_H_
