// What two bots made against each other, seen from the side of one of them. Pure.
#ifndef REFEREE_COMPETITION_PAIR_RESULT_H_
#define REFEREE_COMPETITION_PAIR_RESULT_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "referee/store/store.h"

namespace referee::competition {

// Over the counted blocks of a competition of two seats.
struct PairResult {
  int bot = 0;  // entrants' numbers
  int opponent = 0;
  // The number of blocks by the half points that `bot` made in their two matches: 0 to 4.
  std::array<int64_t, 5> blocks{};
  int64_t wins = 0;  // matches, of `bot`
  int64_t draws = 0;
  int64_t losses = 0;
};

// The total from the side of `bot`. REQUIRES: that is one of the two.
inline PairResult ResultOf(const store::PairTotal& total, int bot) {
  PairResult result;
  result.bot = bot;
  result.opponent = bot == total.low ? total.high : total.low;
  result.blocks = total.blocks;
  if (bot == total.high) std::reverse(result.blocks.begin(), result.blocks.end());
  int64_t half_points = 0;
  for (size_t i = 0; i < result.blocks.size(); ++i) {
    half_points += static_cast<int64_t>(i) * result.blocks[i];
  }
  const int64_t matches =
      2 * std::accumulate(result.blocks.begin(), result.blocks.end(), int64_t{0});
  // A match won makes two half points, one drawn makes one.
  result.draws = total.draws;
  result.wins = (half_points - total.draws) / 2;
  result.losses = matches - result.wins - result.draws;
  return result;
}

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_PAIR_RESULT_H_
