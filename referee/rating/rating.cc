#include "referee/rating/rating.h"

#include <algorithm>
#include <cmath>

namespace referee::rating {
namespace {

// The paper's beta, the deviation of a performance from a strength, and kappa, below which no
// update takes the share of a variance that is left.
constexpr double kBeta = 25.0 / 6.0;
constexpr double kKappa = 1e-4;

// Of one bot: the first derivative of the logarithm of the likelihood by its strength, and what the
// second takes from its variance, in the paper's units.
struct Surprise {
  double omega = 0;
  double delta = 0;
};

double Scale(const std::vector<Rating>& ratings) {
  double square = 0;
  for (const Rating& rating : ratings) square += rating.sigma * rating.sigma + kBeta * kBeta;
  return std::sqrt(square);
}

// Adds what one match says. A match is a row of choices: at each bot q in turn, of all that are not
// ranked before it; bots that share a rank share their choices alike.
void AddMatch(const std::vector<Rating>& ratings, double scale, const std::vector<int>& ranks,
              std::vector<Surprise>* evidence) {
  const size_t seats = ratings.size();
  for (size_t q = 0; q < seats; ++q) {
    const auto sharing = static_cast<double>(std::count(ranks.begin(), ranks.end(), ranks[q]));
    // Of those that are left the strongest, so that no power is beyond what numbers can hold.
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
