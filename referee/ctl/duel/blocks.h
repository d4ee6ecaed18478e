// The blocks of a duel: as many matches in a row as there are bots, in which each has each seat
// once and all have the same dice. Pure.
#ifndef REFEREE_CTL_DUEL_BLOCKS_H_
#define REFEREE_CTL_DUEL_BLOCKS_H_

#include <cstdint>
#include <string>

#include "absl/types/optional.h"
#include "referee/ctl/duel/duel.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"

namespace referee::ctl {

// The number that the dice of match `index` are pinned to.
inline uint64_t SeedOfMatch(const DuelPlan& plan, int index) {
  return plan.seed + static_cast<uint64_t>(index) / plan.bots.size();
}

// The half points of the first bot in a block of two matches; none if one of them has no result.
absl::optional<int> HalfPointsOfBlock(const DuelMatch& first, const DuelMatch& second);

// The blocks of a duel of two bots.
struct DuelBlocks {
  rating::BlockCounts counts;  // of the first bot
  int without_result = 0;      // blocks that do not count because one of their matches is void
  int half_played = 0;         // matches whose block was not played to its end
};

// Counts the blocks of a duel; none unless it has two bots.
absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report);

// "LLR 1.23 (-2.94 to 2.94)".
std::string RatioText(const rating::Sprt& sprt);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_BLOCKS_H_
