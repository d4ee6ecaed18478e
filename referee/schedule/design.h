// Balanced incomplete block designs: groups of bots in which every two are together equally often.
// The same for the same numbers on every machine. Thread-compatible.
#ifndef REFEREE_SCHEDULE_DESIGN_H_
#define REFEREE_SCHEDULE_DESIGN_H_

#include <vector>

#include "absl/types/optional.h"
#include "referee/schedule/waves.h"

namespace referee::schedule {

// Beyond so many bots no design is looked for.
inline constexpr int kMaxDesignBots = 40;

// Groups of `group` out of `bots`, such that every two are together in `meetings` of them. Looks
// for those that a rotation of all bots, or of all but one, maps onto itself (difference families),
// which is bounded: none if there is none of this kind, or it takes too long to find one.
// REQUIRES: 2 <= group <= bots, meetings >= 1.
absl::optional<Wave> BalancedDesign(int bots, int group, int meetings);

// The groups of a design in waves, in each of which a bot plays once at most, and by which, in
// whatever order the blocks of a wave begin and end, no bot gets more than `lead` blocks ahead of
// another. None if no such order is found. REQUIRES: the bots of the groups are 0 to bots - 1.
absl::optional<std::vector<Wave>> InWaves(const Wave& design, int bots, int lead);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_DESIGN_H_
