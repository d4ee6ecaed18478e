// The blocks of a duel: as many matches in a row as there are bots, in which each has each seat
// once and all have the same dice. Pure.
#ifndef REFEREE_CTL_DUEL_BLOCKS_H_
#define REFEREE_CTL_DUEL_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/ctl/duel/duel.h"
#include "referee/games/game.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"

namespace referee::ctl {

// The block that match `index` is in, from 0.
inline int64_t BlockOfMatch(const DuelPlan& plan, int index) {
  return index / static_cast<int64_t>(plan.bots.size());
}
// The dice of match `index`, which is of block b: pinned to the number of the plan plus b, or to
// DerivedSeed "duel/<b>" of its seed, so that the seeds of blocks before do not tell it.
match::DiceSource DiceOfMatch(const DuelPlan& plan, int index);
// The game of match `index`. Returns what games::GameAt does.
absl::StatusOr<std::shared_ptr<const games::Game>> GameOfMatch(const DuelPlan& plan, int index);

// The half points of the first of two bots in a match that is finished: 2 for a win, 1 for a draw.
int HalfPointsOfMatch(const DuelMatch& match);
// The same in a block of two matches; none if one of them has no result.
absl::optional<int> HalfPointsOfBlock(const DuelMatch& first, const DuelMatch& second);

// How many matches, from the first, tell how strong the bots are: all of a duel that was played to
// its end, and of one that was stopped those before the first block that is not all over. What
// ended of later blocks by then is a choice of quick matches, and a bot that wins quickly would
// look stronger than it is. (The last blocks before are such a choice still, a small one:
// tests/bench/bench_stopped_duel.cc.)
int ComparableMatches(const DuelPlan& plan, const DuelReport& report);

// The blocks of a duel of two bots.
struct DuelBlocks {
  rating::BlockCounts counts;  // of the first bot
  int without_result = 0;      // blocks that do not count because one of their matches is void
  int half_played = 0;         // matches at the end of the plan that are not a whole block
  int left_out = 0;            // matches that are not comparable
};

// Counts the blocks of a duel; none unless it has two bots.
absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report);

// "LLR 1.23 (-2.94 to 2.94)".
std::string RatioText(const rating::Sprt& sprt);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_BLOCKS_H_
