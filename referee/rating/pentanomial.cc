#include "referee/rating/pentanomial.h"

#include <cmath>
#include <numeric>

#include "referee/rating/elo.h"

namespace referee::rating {

void BlockCounts::AddBlocks(int half_points, int64_t blocks) {
  counts_[static_cast<size_t>(half_points)] += blocks;
}

int64_t BlockCounts::blocks() const {
  return std::accumulate(counts_.begin(), counts_.end(), int64_t{0});
}

absl::optional<EloEstimate> EstimateElo(const BlockCounts& counts) {
  const auto blocks = static_cast<double>(counts.blocks());
  if (blocks == 0) return absl::nullopt;
  const std::vector<int64_t>& by_half_points = counts.counts();
  const auto full = static_cast<double>(by_half_points.size() - 1);
  double score = 0;
  for (size_t i = 0; i < by_half_points.size(); ++i) {
    score += static_cast<double>(i) / full * static_cast<double>(by_half_points[i]) / blocks;
  }
  // Of the block's mean score, of matches that are won and lost with even odds.
  double squares = 0.25 / counts.matches_per_block();
  for (size_t i = 0; i < by_half_points.size(); ++i) {
    const double distance = static_cast<double>(i) / full - score;
    squares += distance * distance * static_cast<double>(by_half_points[i]);
  }
  const double variance = squares / blocks;
  const double deviation = std::sqrt(variance / blocks);

  EloEstimate estimate;
  estimate.score = score;
  estimate.elo = EloOfScore(score);
  estimate.elo_low = EloOfScore(score - kDeviationsOf95 * deviation);
  estimate.elo_high = EloOfScore(score + kDeviationsOf95 * deviation);
  estimate.superiority = NormalProbability((score - 0.5) / deviation);
  estimate.normalized_elo =
      2 * kEloPerLogit * (score - 0.5) / std::sqrt(variance * counts.matches_per_block());
  return estimate;
}

}  // namespace referee::rating
