// The Elo difference of two bots with error bars, by the pentanomial model of block scores.
//
// A block of two matches scores 0 to 2 points in steps of 1/2: one draw from a distribution of five
// values. Nothing is assumed about how its two matches depend on each other. Blocks with another
// number of matches have more or fewer values; all else is the same.
#ifndef REFEREE_RATING_PENTANOMIAL_H_
#define REFEREE_RATING_PENTANOMIAL_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"

namespace referee::rating {

// The number of blocks by half points. Thread-compatible.
class BlockCounts {
 public:
  explicit BlockCounts(int matches = 2) : counts_(static_cast<size_t>(2 * matches + 1)) {}

  // REQUIRES: `half_points` is from 0 to twice the number of matches of a block.
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
  // Infinite if the score is 0 or 1.
  double elo = 0;
  // The 95 % bounds (mean_bounds.h), valid for few blocks too. Infinite on the side where all
  // matches were won, or lost.
  double elo_low = 0;
  double elo_high = 0;
  // The likelihood, from 0 to 1, that the bot is the stronger one: 1 minus the mid-P value of the
  // hypothesis that it is not, halfway between the p-values of both bounds.
  double superiority = 0;
  // The distance of the score from 1/2 in standard deviations of a match, on a scale that agrees
  // with Elo for equal bots that never draw: M. Van den Bergh, "Comments on normalized Elo"
  // (cantate.be). The deviation is measured between blocks. One virtual block is added, whose
  // variance is that of independent matches without draws.
  double normalized_elo = 0;
};

// Returns none without blocks.
absl::optional<EloEstimate> EstimateElo(const BlockCounts& counts);

}  // namespace referee::rating

#endif  // REFEREE_RATING_PENTANOMIAL_H_
