// Results of matches that were never played, drawn from a model whose truth is known: what
// statistics have to find again. The same seed gives the same results on every machine.
#ifndef REFEREE_TESTS_UNIT_RATING_SIMULATED_BLOCKS_H_
#define REFEREE_TESTS_UNIT_RATING_SIMULATED_BLOCKS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "referee/rating/block.h"
#include "referee/rating/pentanomial.h"

namespace referee::rating {

// One of the bots wins both matches of a block with the same dice, or each wins one, ...: matches
// in a block depend on each other by a share.
class SimulatedBlocks {
 public:
  explicit SimulatedBlocks(uint64_t seed) : engine_(seed) {}

  // From 0 to 1.
  double Uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

  // Half points of a bot in a block of two matches. Each match is won with the probability that a
  // lead of `elo` gives, drawn with `draws` of the rest; with a probability of `together` the
  // second match ends for the bot as the first did. Below 0, down to -1: with a probability of
  // -`together` it ends the other way round, as far as the bot's expected score allows.
  int HalfPoints(double elo, double draws = 0, double together = 0);

  // A match of bots with these strengths, in log-odds: ranks by place, without ties.
  std::vector<int> Ranks(const std::vector<double>& strengths);

 private:
  int MatchHalfPoints(double elo, double draws);

  std::mt19937_64 engine_;
};

// A block of two seats in which `first` makes so many half points.
BlockOutcome PairBlock(int first, int second, int half_points);

// So many blocks of each number of half points, from 0.
BlockCounts Counts(const std::vector<int64_t>& by_half_points);

}  // namespace referee::rating

#endif  // REFEREE_TESTS_UNIT_RATING_SIMULATED_BLOCKS_H_
