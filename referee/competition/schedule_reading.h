// Restores the schedule of a competition, a state machine that is not stored itself, from the
// blocks that are.
#ifndef REFEREE_COMPETITION_SCHEDULE_READING_H_
#define REFEREE_COMPETITION_SCHEDULE_READING_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// Returns the schedule as it is after the blocks below competition.next_block, and hands those to
// `take` that are not counted, in order. Of a ladder those are read and, for who has met, the
// totals of pairs (2 seats) or the last 4,000 blocks; of a test, those; of other formats, all
// blocks. REQUIRES: competition.spec.entrants are the names of `entrants`.
absl::StatusOr<std::unique_ptr<schedule::Schedule>> ReadSchedule(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, absl::FunctionRef<void(store::Block block)> take);

// Hands the blocks below competition.next_block to `take`, in order. Returns the pairings that are
// to follow if nobody else leaves, none unless `planned`. REQUIRES: as above, and a round robin or
// a gauntlet.
absl::StatusOr<std::vector<rating::Pairing>> ReadPlan(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, bool planned,
    absl::FunctionRef<void(const store::Block& block)> take);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SCHEDULE_READING_H_
