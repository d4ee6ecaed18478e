// The Elo difference of two bots, with its error bars, from the scores of blocks: the pentanomial
// model. A block of two matches scores 0 to 2 points in halves, one draw from a distribution of
// five values; nothing is assumed about how its two matches depend on each other. Blocks of another
// number of matches have more or fewer values, and all else is the same.
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
  // The bounds of 95 %; infinite where the score's bounds reach 0 or 1.
  double elo_low = 0;
  double elo_high = 0;
  double superiority = 0;  // the likelihood that the bot is the stronger one, from 0 to 1
  // The score's distance from 1/2 in deviations of a match, on a scale that agrees with Elo for
  // equal bots that never draw: M. Van den Bergh, "Comments on normalized Elo" (cantate.be).
  double normalized_elo = 0;
};

// None if there are no blocks. The score's variance is that between blocks, to which one block is
// added that says no more than that matches may be won and lost independently; so the bars of a few
// blocks that all gave the same are not of no width, and those of many are not changed.
absl::optional<EloEstimate> EstimateElo(const BlockCounts& counts);

}  // namespace referee::rating

#endif  // REFEREE_RATING_PENTANOMIAL_H_
