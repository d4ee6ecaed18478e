#include "referee/rating/likelihood.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "referee/base/limits.h"

namespace referee::rating {
namespace {

// Of 1 / (1 + exp(-x)).
double LogProbability(double x) { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }

void AddPair(const PairRow& row, const std::vector<double>& strengths, bool only_value,
             Derivatives* sum) {
  const double lead =
      strengths[static_cast<size_t>(row.first)] - strengths[static_cast<size_t>(row.second)];
  double points = 0;
  double matches = 0;
  for (size_t i = 0; i < row.blocks.size(); ++i) {
    const auto blocks = static_cast<double>(row.blocks[i]);
    points += blocks * static_cast<double>(i) / 2;
    matches += 2 * blocks;
  }
  const double log_win = LogProbability(lead);
  sum->value += points * log_win + (matches - points) * (log_win - lead);
  if (only_value) return;

  const double win = std::exp(log_win);
  const double surplus = points - matches * win;
  sum->gradient[static_cast<size_t>(row.first)] += surplus;
  sum->gradient[static_cast<size_t>(row.second)] -= surplus;
  PairTerm term{row.first, row.second, matches * win * (1 - win), 0};
  for (size_t i = 0; i < row.blocks.size(); ++i) {
    const double residual = static_cast<double>(i) / 2 - 2 * win;
    term.variance += static_cast<double>(row.blocks[i]) * residual * residual;
  }
  sum->terms.push_back(term);
}

// A block of several seats. Sets of bots are bits, by place.
class RankedBlock {
 public:
  RankedBlock(const RankedRow& row, const std::vector<double>& strengths)
      : row_(row), seats_(row.bots.size()) {
    double highest = strengths[static_cast<size_t>(row.bots[0])];
    for (size_t i = 0; i < seats_; ++i) {
      strength_[i] = strengths[static_cast<size_t>(row.bots[i])];
      highest = std::max(highest, strength_[i]);
    }
    for (size_t i = 0; i < seats_; ++i) {
      strength_[i] -= highest;
      weight_[i] = std::exp(strength_[i]);
    }
    for (const std::vector<int>& ranks : row.ranks) AddMatch(ranks);
  }

  void AddTo(bool only_value, Derivatives* sum) const {
    sum->value += value_;
    if (only_value) return;
    for (size_t i = 0; i < seats_; ++i) {
      sum->gradient[static_cast<size_t>(row_.bots[i])] += score_[i];
      for (size_t j = i + 1; j < seats_; ++j) {
        // The scores of a block add up to 0, so that s s' is made of pairs, some of them negative.
        sum->terms.push_back(
            {row_.bots[i], row_.bots[j], information_[i][j], -score_[i] * score_[j]});
      }
    }
  }

 private:
  // The bots of each rank, best first: each of them was chosen at some time, out of every set of
  // those that had the rank and were left, with all that are ranked after them.
  void AddMatch(const std::vector<int>& ranks) {
    unsigned left = (1U << seats_) - 1;
    while (left != 0) {
      int best = ranks[static_cast<size_t>(__builtin_ctz(left))];
      for (size_t i = 0; i < seats_; ++i) {
        if ((left >> i & 1U) != 0) best = std::min(best, ranks[i]);
      }
      unsigned sharing = 0;
      for (size_t i = 0; i < seats_; ++i) {
        if (ranks[i] == best) sharing |= 1U << i;
      }
      left &= ~sharing;
      const int size = __builtin_popcount(sharing);
      for (unsigned some = sharing; some != 0; some = (some - 1) & sharing) {
        AddChoice(some | left, 1.0 / Choose(size, __builtin_popcount(some)));
      }
      for (size_t i = 0; i < seats_; ++i) {
        if ((sharing >> i & 1U) == 0) continue;
        value_ += strength_[i];
        score_[i] += 1;
      }
    }
  }

  // A choice out of a set, of which a share happened.
  void AddChoice(unsigned set, double share) {
    double total = 0;
    for (size_t i = 0; i < seats_; ++i) total += (set >> i & 1U) != 0 ? weight_[i] : 0.0;
    value_ -= share * std::log(total);
    for (size_t i = 0; i < seats_; ++i) {
      if ((set >> i & 1U) == 0) continue;
      const double probability = weight_[i] / total;
      score_[i] -= share * probability;
      for (size_t j = i + 1; j < seats_; ++j) {
        if ((set >> j & 1U) != 0) information_[i][j] += share * probability * weight_[j] / total;
      }
    }
  }

  // How many sets of k there are out of n.
  static double Choose(int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
    return ways;
  }

  const RankedRow& row_;
  const size_t seats_;
  std::array<double, limits::kMaxSeats> strength_{};
  std::array<double, limits::kMaxSeats> weight_{};
  double value_ = 0;
  std::array<double, limits::kMaxSeats> score_{};
  std::array<std::array<double, limits::kMaxSeats>, limits::kMaxSeats> information_{};
};

}  // namespace

Derivatives Differentiate(const Evidence& evidence, const std::vector<double>& strengths,
                          bool only_value) {
  Derivatives sum;
  if (!only_value) {
    sum.gradient.resize(strengths.size());
    sum.terms.reserve(evidence.pairs().size());
  }
  for (const PairRow& row : evidence.pairs()) AddPair(row, strengths, only_value, &sum);
  for (const RankedRow& row : evidence.ranked()) {
    RankedBlock(row, strengths).AddTo(only_value, &sum);
  }
  return sum;
}

}  // namespace referee::rating
