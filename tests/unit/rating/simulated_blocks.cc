#include "tests/unit/rating/simulated_blocks.h"

#include <cmath>

#include "referee/rating/elo.h"

namespace referee::rating {
namespace {

std::vector<int> Ranks(int half_points) {
  if (half_points == 1) return {1, 1};
  return half_points == 2 ? std::vector<int>{1, 2} : std::vector<int>{2, 1};
}

}  // namespace

int SimulatedBlocks::MatchHalfPoints(double elo, double draws) {
  if (Uniform() < draws) {
    // Keeps the mean score that the lead gives: a draw counts as half a win and half a loss.
    return Uniform() < std::abs(2 * ScoreOfElo(elo) - 1) ? (elo > 0 ? 2 : 0) : 1;
  }
  return Uniform() < ScoreOfElo(elo) ? 2 : 0;
}

int SimulatedBlocks::HalfPoints(double elo, double draws, double together) {
  const int first = MatchHalfPoints(elo, draws);
  if (together < 0 && Uniform() < -together) {
    // Draws and matches that the stronger bot lost make shared blocks; so do as many of those that
    // it won as it lost, and the rest are won as a whole.
    const double loss = (1 - draws) * (1 - ScoreOfElo(std::abs(elo)));
    const double win = 2 * ScoreOfElo(std::abs(elo)) - 1 + loss;
    const bool won = first == (elo >= 0 ? 2 : 0);
    return won && Uniform() >= loss / win ? 2 * first : 2;
  }
  return first + (Uniform() < together ? first : MatchHalfPoints(elo, draws));
}

std::vector<int> SimulatedBlocks::Ranks(const std::vector<double>& strengths) {
  std::vector<int> ranks(strengths.size());
  for (int rank = 1; rank <= static_cast<int>(strengths.size()); ++rank) {
    double total = 0;
    for (size_t i = 0; i < strengths.size(); ++i) {
      if (ranks[i] == 0) total += std::exp(strengths[i]);
    }
    double left = Uniform() * total;
    size_t chosen = strengths.size();
    for (size_t i = 0; i < strengths.size() && left >= 0; ++i) {
      if (ranks[i] != 0) continue;
      left -= std::exp(strengths[i]);
      chosen = i;
    }
    ranks[chosen] = rank;
  }
  return ranks;
}

BlockOutcome PairBlock(int first, int second, int half_points) {
  const int in_first = half_points > 2 ? 2 : half_points > 0 ? (half_points + 1) / 2 : 0;
  return {{{first, second}}, {Ranks(in_first), Ranks(half_points - in_first)}};
}

BlockCounts Counts(const std::vector<int64_t>& by_half_points) {
  BlockCounts counts(static_cast<int>(by_half_points.size() / 2));
  for (size_t i = 0; i < by_half_points.size(); ++i) {
    counts.AddBlocks(static_cast<int>(i), by_half_points[i]);
  }
  return counts;
}

}  // namespace referee::rating
