// The blocks of a duel: as many matches in a row as the game has seats, in which each bot has each
// seat once and all have the same dice. Pure.
#ifndef REFEREE_CTL_DUEL_BLOCKS_H_
#define REFEREE_CTL_DUEL_BLOCKS_H_

#include <string>

#include "absl/types/optional.h"
#include "referee/ctl/duel/duel.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"

namespace referee::ctl {

// The half points of the first of two bots in a match that is finished: 2 for a win, 1 for a draw.
int HalfPointsOfMatch(const DuelMatch& match);

// The blocks of a duel of two bots.
struct DuelBlocks {
  rating::BlockCounts counts;  // of the first bot
  int without_result = 0;      // blocks that do not count because one of their matches is void
};

// Counts the blocks of a duel that tell how strong the bots are; none unless it has two bots.
absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report);

// "LLR 1.23 (-2.94 to 2.94)".
std::string RatioText(const rating::Sprt& sprt);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_BLOCKS_H_
