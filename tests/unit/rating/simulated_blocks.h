// Results drawn from a model with known parameters, which the statistics must find again.
//
// The same seed gives the same results on every machine.
#ifndef REFEREE_TESTS_UNIT_RATING_SIMULATED_BLOCKS_H_
#define REFEREE_TESTS_UNIT_RATING_SIMULATED_BLOCKS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "referee/rating/block.h"
#include "referee/rating/pentanomial.h"

namespace referee::rating {

// Draws results of blocks. The two matches of a block have the same dice, so their results may be
// correlated.
class SimulatedBlocks {
 public:
  explicit SimulatedBlocks(uint64_t seed) : engine_(seed) {}

  // Uniform in [0, 1).
  double Uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

  // The half points of a bot in a block of two matches. A lead of `elo` gives the chance to win a
  // match; `draws` is the share of draws among the rest. With probability `together`, the second
  // match ends for the bot as the first did. If `together` is negative, down to -1, the second
  // match ends the other way round with probability -`together`, as far as the bot's expected score
  // allows.
  int HalfPoints(double elo, double draws = 0, double together = 0);

  // The ranks in a match of bots with these strengths, in log-odds; by place, without ties.
  std::vector<int> Ranks(const std::vector<double>& strengths);

 private:
  int MatchHalfPoints(double elo, double draws);

  std::mt19937_64 engine_;
};

// A block of two seats in which `first` scores `half_points`.
BlockOutcome PairBlock(int first, int second, int half_points);

// Counts with by_half_points[i] blocks of i half points.
BlockCounts Counts(const std::vector<int64_t>& by_half_points);

}  // namespace referee::rating

#endif  // REFEREE_TESTS_UNIT_RATING_SIMULATED_BLOCKS_H_
