#include "referee/rating/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "Eigen/Cholesky"
#include "Eigen/Core"
#include "referee/base/limits.h"
#include "referee/rating/elo.h"

namespace referee::rating {
namespace {

// --- The likelihood ---

// The logarithm of 1 / (1 + exp(-x)).
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

// A block of several seats. Sets of bots are bit masks, by place.
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
        // The derivatives of a block add up to 0, so s s' is a sum of pair terms, some of them
        // negative.
        sum->terms.push_back(
            {row_.bots[i], row_.bots[j], information_[i][j], -score_[i] * score_[j]});
      }
    }
  }

 private:
  // Processes the bots rank by rank, best first. For each set of bots sharing the rank, together
  // with all bots ranked after them, one choice was made.
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

  // Adds a choice out of a set, with a weight `share`.
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

  // The binomial coefficient: sets of k out of n.
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

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxSteps = 200;
constexpr double kStepTolerance = 1e-9;  // in log-odds
constexpr double kSolveTolerance = 1e-10;
// Columns of error bars computed at once: enough for blocked products, and few enough to keep
// memory at two square matrices.
constexpr Index kPanelColumns = 256;

VectorXd ToVector(const std::vector<double>& values) {
  return VectorXd::Map(values.data(), static_cast<Index>(values.size()));
}

// --- The maximum ---

// Finds the maximum by Newton's method. Conjugate gradients solve for each step, since a product
// with the matrix costs no more than the number of pairs that met.
class Climb {
 public:
  Climb(const Evidence& evidence, double prior)
      : evidence_(evidence),
        prior_(prior),
        strengths_(VectorXd::Zero(static_cast<Index>(evidence.blocks_of().size()))) {}

  void Run() {
    for (int i = 0; i < kMaxSteps; ++i) {
      at_ = DifferentiateAt(strengths_, false);
      const VectorXd uphill = ToVector(at_.gradient) - prior_ * strengths_;
      const VectorXd step = Solve(uphill);
      if (!Advance(step, step.dot(uphill))) break;
      if (step.size() == 0 || step.cwiseAbs().maxCoeff() < kStepTolerance) break;
    }
    at_ = DifferentiateAt(strengths_, false);
  }

  const VectorXd& strengths() const { return strengths_; }
  const std::vector<PairTerm>& terms() const { return at_.terms; }

 private:
  Derivatives DifferentiateAt(const VectorXd& strengths, bool only_value) const {
    return Differentiate(evidence_, {strengths.begin(), strengths.end()}, only_value);
  }

  // A x.
  VectorXd Product(const VectorXd& x) const {
    VectorXd product = prior_ * x;
    for (const PairTerm& term : at_.terms) {
      const double flow = term.information * (x[term.first] - x[term.second]);
      product[term.first] += flow;
      product[term.second] -= flow;
    }
    return product;
  }

  VectorXd Diagonal() const {
    VectorXd diagonal = VectorXd::Constant(strengths_.size(), prior_);
    for (const PairTerm& term : at_.terms) {
      diagonal[term.first] += term.information;
      diagonal[term.second] += term.information;
    }
    return diagonal;
  }

  // Returns x with A x = right. An inexact solution still leads uphill.
  VectorXd Solve(const VectorXd& right) const {
    const VectorXd diagonal = Diagonal();
    VectorXd x = VectorXd::Zero(right.size());
    VectorXd rest = right;
    VectorXd direction = rest.cwiseQuotient(diagonal);
    double size = rest.dot(direction);
    const double goal = size * kSolveTolerance * kSolveTolerance;
    const Index limit = 4 * right.size() + 100;
    for (Index i = 0; i < limit && size > goal; ++i) {
      const VectorXd product = Product(direction);
      const double length = size / direction.dot(product);
      x += length * direction;
      rest -= length * product;
      const VectorXd next = rest.cwiseQuotient(diagonal);
      const double next_size = rest.dot(next);
      direction = next + next_size / size * direction;
      size = next_size;
    }
    return x;
  }

  double Value(const VectorXd& strengths) const {
    return DifferentiateAt(strengths, true).value - prior_ / 2 * strengths.squaredNorm();
  }

  // Takes the step, or half, a quarter, ... of it, until the value increases. Returns false if none
  // does: rounding allows no further progress.
  bool Advance(const VectorXd& step, double slope) {
    const double before = at_.value - prior_ / 2 * strengths_.squaredNorm();
    const double slack = 1e-12 * (1.0 + std::abs(before));
    double share = 1;
    for (int i = 0; i < 50; ++i, share /= 2) {
      VectorXd there = strengths_ + share * step;
      if (Value(there) + slack < before + 1e-4 * share * slope) continue;
      strengths_ = std::move(there);
      return true;
    }
    return false;
  }

  const Evidence& evidence_;
  const double prior_;
  VectorXd strengths_;
  Derivatives at_;
};

// --- Error bars ---

// Variances and covariances with the next bot, by place in the order of strength.
struct Covariance {
  VectorXd own;
  VectorXd with_next;
};

// Computes the covariance in fit.h. Places are in the order of strength.
class ErrorBars {
 public:
  ErrorBars(const std::vector<PairTerm>& terms, const std::vector<int>& place_of, Index played,
            double prior)
      : n_(played), factors_(MatrixXd::Zero(n_, n_)), meat_(MatrixXd::Zero(n_, n_)) {
    for (const PairTerm& term : terms) {
      const Index i = place_of[static_cast<size_t>(term.first)];
      const Index j = place_of[static_cast<size_t>(term.second)];
      AddTerm(i, j, term.information, &factors_);
      AddTerm(i, j, term.variance, &meat_);
    }
    information_ = factors_.diagonal();
    mean_ = information_ / information_.sum();
    // The term with information_ keeps rounding errors of many blocks from cancelling the prior, so
    // that the matrix stays positive definite numerically.
    const double rounding = static_cast<double>(n_) * std::numeric_limits<double>::epsilon();
    factors_.diagonal() += VectorXd::Constant(n_, prior) + rounding * information_;
    meat_.diagonal().array() += prior;
  }

  // The weight of each place in the mean to which strengths are relative.
  const VectorXd& mean() const { return mean_; }

  // Uses X = G (E - m 1'), where m are the weights of the mean. Column j of X is the move of each
  // place when place j scores and the mean does not. X' (B + P) X is the sandwich relative to the
  // mean, and (E - 1 m') X replaces G. This leaves out the common component of all strengths, of
  // which blocks say nothing and which would cause rounding errors.
  Covariance Find() {
    const Eigen::LLT<Eigen::Ref<MatrixXd>> factors(factors_);  // A = L L', in place
    const VectorXd lower_mean = factors.matrixL().solve(mean_);
    Covariance covariance{VectorXd::Zero(n_), VectorXd::Zero(n_)};
    VectorXd last = VectorXd::Zero(n_);  // column j - 1 of X
    for (Index first = 0; first < n_; first += kPanelColumns) {
      const Index width = std::min(kPanelColumns, n_ - first);
      // L^-1 of columns of E has zeros above its diagonal.
      MatrixXd moves = MatrixXd::Zero(n_, width);
      auto rest = moves.bottomRows(n_ - first);
      rest.topRows(width).setIdentity();
      factors_.bottomRightCorner(n_ - first, n_ - first)
          .triangularView<Eigen::Lower>()
          .solveInPlace(rest);
      moves.colwise() -= lower_mean;
      factors.matrixU().solveInPlace(moves);
      const MatrixXd meat = meat_.selfadjointView<Eigen::Lower>() * moves;
      for (Index c = 0; c < width; ++c) {
        const Index j = first + c;
        const double mean_move = mean_.dot(moves.col(c));
        covariance.own[j] =
            moves.col(c).dot(meat.col(c)) + SmallSample(j, j, moves(j, c) - mean_move);
        if (j > 0) {
          covariance.with_next[j - 1] =
              last.dot(meat.col(c)) + SmallSample(j - 1, j, moves(j - 1, c) - mean_move);
        }
        last = moves.col(c);
      }
    }
    return covariance;
  }

 private:
  // Adds weight (e_i - e_j)(e_i - e_j)'.
  static void AddTerm(Index i, Index j, double weight, MatrixXd* matrix) {
    (*matrix)(i, i) += weight;
    (*matrix)(j, j) += weight;
    (*matrix)(i, j) -= weight;
    (*matrix)(j, i) -= weight;
  }

  // The element of S G S, computed from the element of G.
  double SmallSample(Index i, Index j, double inverse) const {
    return inverse / std::sqrt((1 + information_[i]) * (1 + information_[j]));
  }

  const Index n_;
  MatrixXd factors_;  // A; its Cholesky factor after Find
  MatrixXd meat_;     // B + P
  VectorXd information_;
  VectorXd mean_;
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

std::vector<Strength> Fit(const Evidence& evidence, const FitOptions& options) {
  const double deviation = options.prior_deviation / kEloPerLogit;
  const double prior = 1.0 / (deviation * deviation);
  Climb climb(evidence, prior);
  climb.Run();

  std::vector<Strength> strengths;
  for (size_t bot = 0; bot < evidence.blocks_of().size(); ++bot) {
    if (evidence.blocks_of()[bot] == 0) continue;
    Strength strength;
    strength.bot = static_cast<int>(bot);
    strength.elo = kEloPerLogit * climb.strengths()[static_cast<Index>(bot)];
    strength.blocks = evidence.blocks_of()[bot];
    strengths.push_back(strength);
  }
  if (strengths.empty()) return strengths;
  std::stable_sort(strengths.begin(), strengths.end(),
                   [](const Strength& a, const Strength& b) { return a.elo > b.elo; });
  std::vector<int> place_of(evidence.blocks_of().size());
  for (size_t i = 0; i < strengths.size(); ++i) {
    place_of[static_cast<size_t>(strengths[i].bot)] = static_cast<int>(i);
  }

  ErrorBars bars(climb.terms(), place_of, static_cast<Index>(strengths.size()), prior);
  const Covariance covariance = bars.Find();
  double mean = 0;
  for (size_t i = 0; i < strengths.size(); ++i) {
    mean += bars.mean()[static_cast<Index>(i)] * strengths[i].elo;
  }
  for (size_t i = 0; i < strengths.size(); ++i) {
    const auto at = static_cast<Index>(i);
    strengths[i].elo -= mean;
    strengths[i].error =
        kDeviationsOf95 * kEloPerLogit * std::sqrt(std::max(covariance.own[at], 0.0));
    if (i + 1 == strengths.size()) break;
    const double lead = (strengths[i].elo - (strengths[i + 1].elo - mean)) / kEloPerLogit;
    const double variance =
        covariance.own[at] + covariance.own[at + 1] - 2 * covariance.with_next[at];
    strengths[i].superiority =
        variance > 0 ? NormalProbability(lead / std::sqrt(variance)) : (lead > 0 ? 1.0 : 0.5);
  }
  return strengths;
}

}  // namespace referee::rating
