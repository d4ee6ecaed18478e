// The Elo difference of two bots, with its error bars, from the scores of blocks: the pentanomial
// model. A block of two matches scores 0 to 2 points in halves, one draw from a distribution of
// five values; nothing is assumed about how its two matches depend on each other: a block is one
// draw, not two. Blocks of another number of matches have more or fewer values, and all else is the
// same.
#ifndef REFEREE_RATING_PENTANOMIAL_H_
#define REFEREE_RATING_PENTANOMIAL_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"

namespace referee::rating {

// How many blocks gave how much. Thread-compatible.
class BlockCounts {
 public:
  explicit BlockCounts(int matches = 2) : counts_(static_cast<size_t>(2 * matches + 1)) {}

  // REQUIRES: from 0 to twice the number of matches of a block.
  void Add(int half_points) { AddBlocks(half_points, 1); }
  void AddBlocks(int half_points, int64_t blocks);

  // By half points.
  const std::vector<int64_t>& counts() const { return counts_; }
  int matches_per_block() const { return static_cast<int>(counts_.size() / 2); }
  int64_t blocks() const;

 private:
  std::vector<int64_t> counts_;
};

struct EloEstimate {
  double score = 0;  // points a match, from 0 to 1
  // Infinite where the score is 0 or 1.
  double elo = 0;
  // The bounds of 95 % (mean_bounds.h): few blocks have bars that hold too. Infinite on the side
  // where all matches were won, or lost.
  double elo_low = 0;
  double elo_high = 0;
  // The likelihood that the bot is the stronger one, from 0 to 1: 1 less the mid-P value of the
  // hypothesis that it is not, halfway between the weights of both bounds.
  double superiority = 0;
  // The score's distance from 1/2 in deviations of a match, on a scale that agrees with Elo for
  // equal bots that never draw: M. Van den Bergh, "Comments on normalized Elo" (cantate.be). The
  // deviation is that between blocks, to which one is added that says no more than that matches may
  // be won and lost independently.
  double normalized_elo = 0;
};

// None if there are no blocks.
absl::optional<EloEstimate> EstimateElo(const BlockCounts& counts);

}  // namespace referee::rating

#endif  // REFEREE_RATING_PENTANOMIAL_H_
