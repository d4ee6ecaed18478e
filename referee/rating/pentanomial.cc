#include "referee/rating/pentanomial.h"

#include <cmath>
#include <numeric>

#include "referee/rating/elo.h"
#include "referee/rating/mean_bounds.h"

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
  // The contribution of the virtual block in normalized_elo (see the header).
  double squares = 0.25 / counts.matches_per_block();
  for (size_t i = 0; i < by_half_points.size(); ++i) {
    const double distance = static_cast<double>(i) / full - score;
    squares += distance * distance * static_cast<double>(by_half_points[i]);
  }
  const double variance = squares / blocks;
  const MeanBounds bounds = BoundMean(by_half_points, kErrorOnASide);
  const MeanTest equal = TestMean(by_half_points, 0.5);

  EloEstimate estimate;
  estimate.score = score;
  estimate.elo = EloOfScore(score);
  estimate.elo_low = EloOfScore(bounds.low);
  estimate.elo_high = EloOfScore(bounds.high);
  estimate.superiority = (1 - equal.at_most + equal.at_least) / 2;
  estimate.normalized_elo =
      kNormalizedEloPerDeviation * (score - 0.5) / std::sqrt(variance * counts.matches_per_block());
  return estimate;
}

}  // namespace referee::rating
