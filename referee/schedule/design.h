// Balanced incomplete block designs: groups of bots in which every two bots meet equally often.
//
// The result depends only on the arguments, on every machine. Thread-compatible.
#ifndef REFEREE_SCHEDULE_DESIGN_H_
#define REFEREE_SCHEDULE_DESIGN_H_

#include <vector>

#include "absl/types/optional.h"
#include "referee/schedule/waves.h"

namespace referee::schedule {

// No design is searched for above this number of bots.
inline constexpr int kMaxDesignBots = 40;

// Returns groups of `group` out of `bots`, such that every two bots meet in `meetings` of them.
// Searches designs that a rotation of all bots, or of all but one, maps onto themselves (difference
// families). The search is bounded: returns none if no such design exists, or it takes too long to
// find. REQUIRES: 2 <= group <= bots, meetings >= 1.
absl::optional<Wave> BalancedDesign(int bots, int group, int meetings);

// Returns the groups of a design in waves. A bot plays at most once in a wave. In whatever order
// the blocks of a wave begin and end, no bot gets more than `lead` blocks ahead of another. Returns
// none if no such order is found. REQUIRES: the bots of the groups are 0 to bots - 1.
absl::optional<std::vector<Wave>> InWaves(const Wave& design, int bots, int lead);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_DESIGN_H_
