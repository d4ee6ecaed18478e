#include "referee/rating/rating.h"

#include <algorithm>
#include <cmath>

namespace referee::rating {
namespace {

// The paper's beta, the standard deviation of a performance around a strength, and kappa, the least
// share of a variance that an update leaves.
constexpr double kBeta = 25.0 / 6.0;
constexpr double kKappa = 1e-4;

// For one bot, in the paper's units: the first derivative of the log-likelihood by its strength,
// and the relative reduction of its variance.
struct Surprise {
  double omega = 0;
  double delta = 0;
};

double Scale(const std::vector<Rating>& ratings) {
  double square = 0;
  for (const Rating& rating : ratings) square += rating.sigma * rating.sigma + kBeta * kBeta;
  return std::sqrt(square);
}

// Adds the evidence of one match. A match is a sequence of choices: each bot q is chosen out of all
// bots that are not ranked before it. Bots that share a rank share their choices equally.
void AddMatch(const std::vector<Rating>& ratings, double scale, const std::vector<int>& ranks,
              std::vector<Surprise>* evidence) {
  const size_t seats = ratings.size();
  for (size_t q = 0; q < seats; ++q) {
    const auto sharing = static_cast<double>(std::count(ranks.begin(), ranks.end(), ranks[q]));
    // The highest mean among the remaining bots, subtracted so that no exponential overflows.
    double highest = ratings[q].mu;
    for (size_t s = 0; s < seats; ++s) {
      if (ranks[s] >= ranks[q]) highest = std::max(highest, ratings[s].mu);
    }
    double total = 0;
    for (size_t s = 0; s < seats; ++s) {
      if (ranks[s] >= ranks[q]) total += std::exp((ratings[s].mu - highest) / scale);
    }
    for (size_t i = 0; i < seats; ++i) {
      if (ranks[i] < ranks[q]) continue;
      const double chosen = std::exp((ratings[i].mu - highest) / scale) / total;
      const double share = ratings[i].sigma / scale;
      Surprise& mine = (*evidence)[i];
      mine.omega += ((i == q ? 1.0 : 0.0) - chosen) / sharing;
      mine.delta += share * share * share * chosen * (1.0 - chosen) / sharing;
    }
  }
}

}  // namespace

std::vector<Rating> Update(const std::vector<Rating>& before, const BlockOutcome& outcome) {
  const double scale = Scale(before);
  const auto matches = static_cast<double>(outcome.ranks.size());
  std::vector<Surprise> evidence(before.size());
  for (const std::vector<int>& ranks : outcome.ranks) AddMatch(before, scale, ranks, &evidence);
  std::vector<Rating> after = before;
  for (size_t i = 0; i < before.size() && matches > 0; ++i) {
    const double variance = before[i].sigma * before[i].sigma;
    after[i].mu += variance / scale * evidence[i].omega / matches;
    after[i].sigma *= std::sqrt(std::max(1.0 - evidence[i].delta / matches, kKappa));
  }
  return after;
}

Rating Succeed(const Rating& before) {
  const double variance = before.sigma * before.sigma + kSuccession * kSuccession;
  return {before.mu, std::min(Rating().sigma, std::sqrt(variance))};
}

}  // namespace referee::rating
