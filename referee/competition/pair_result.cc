#include "referee/competition/pair_result.h"

#include <algorithm>
#include <numeric>

namespace referee::competition {

PairResult ResultOf(const store::PairTotal& total, int bot) {
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
