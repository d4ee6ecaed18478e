// Results that count for nobody: those of a bot that left a round robin or a gauntlet early, and
// those that were made against it (schedule/SCHEDULE.md, "Bots that leave"). Tallies in the store
// have them; standings do not. Functions, thread-safe.
#ifndef REFEREE_COMPETITION_ANNULMENT_H_
#define REFEREE_COMPETITION_ANNULMENT_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/rating/block.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// By entrant, whether its results are annulled; empty if those of no entrant are.
std::vector<bool> AnnulledIn(const std::vector<schedule::ScoreLine>& scores, size_t entrants);

// What a block says of the bots that are not annulled; nothing if these are fewer than two.
absl::optional<rating::BlockOutcome> WithoutAnnulled(const rating::BlockOutcome& outcome,
                                                     const std::vector<bool>& annulled);

// By entrant, what annulled results have added to the blocks, wins, draws and losses of its tally.
// In a match of more than two seats the others are counted by their ranks among themselves. Returns
// the error of the store. REQUIRES: `annulled` is not empty.
absl::StatusOr<std::vector<store::Tally>> ReadAnnulled(store::CompetitionReader* store,
                                                       const store::Competition& competition,
                                                       const std::vector<bool>& annulled);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ANNULMENT_H_
