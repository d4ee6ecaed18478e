#include "referee/rating/fit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "referee/rating/dense.h"
#include "referee/rating/elo.h"
#include "referee/rating/likelihood.h"

namespace referee::rating {
namespace {

using Vector = std::vector<double>;

constexpr int kMaxSteps = 200;
constexpr double kStepTolerance = 1e-9;  // in log-odds
constexpr double kSolveTolerance = 1e-10;

double Dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// --- The maximum ---

// Climbs to the maximum by Newton's method. Its steps are solved for by conjugate gradients: a
// product with the matrix costs no more than the pairs that met.
class Climb {
 public:
  Climb(const Evidence& evidence, double prior) : evidence_(evidence), prior_(prior) {
    strengths_.resize(evidence.blocks_of().size());
  }

  void Run() {
    for (int i = 0; i < kMaxSteps; ++i) {
      at_ = Differentiate(evidence_, strengths_);
      Vector uphill = at_.gradient;
      for (size_t b = 0; b < uphill.size(); ++b) uphill[b] -= prior_ * strengths_[b];
      const Vector step = Solve(uphill);
      if (!Advance(step, Dot(step, uphill))) break;
      const auto largest = std::max_element(
          step.begin(), step.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      if (largest == step.end() || std::abs(*largest) < kStepTolerance) break;
    }
    at_ = Differentiate(evidence_, strengths_);
  }

  const Vector& strengths() const { return strengths_; }
  const std::vector<PairTerm>& terms() const { return at_.terms; }

 private:
  // A x.
  Vector Product(const Vector& x) const {
    Vector product(x.size());
    for (size_t b = 0; b < x.size(); ++b) product[b] = prior_ * x[b];
    for (const PairTerm& term : at_.terms) {
      const auto first = static_cast<size_t>(term.first);
      const auto second = static_cast<size_t>(term.second);
      const double flow = term.information * (x[first] - x[second]);
      product[first] += flow;
      product[second] -= flow;
    }
    return product;
  }

  Vector Diagonal() const {
    Vector diagonal(strengths_.size(), prior_);
    for (const PairTerm& term : at_.terms) {
      diagonal[static_cast<size_t>(term.first)] += term.information;
      diagonal[static_cast<size_t>(term.second)] += term.information;
    }
    return diagonal;
  }

  // x of A x = right. What is not solved to the end still leads uphill.
  Vector Solve(const Vector& right) const {
    const Vector diagonal = Diagonal();
    const auto scaled = [&diagonal](Vector v) {
      for (size_t b = 0; b < v.size(); ++b) v[b] /= diagonal[b];
      return v;
    };
    Vector x(right.size());
    Vector rest = right;
    Vector direction = scaled(rest);
    double size = Dot(rest, direction);
    const double goal = size * kSolveTolerance * kSolveTolerance;
    const size_t limit = 4 * right.size() + 100;
    for (size_t i = 0; i < limit && size > goal; ++i) {
      const Vector product = Product(direction);
      const double length = size / Dot(direction, product);
      for (size_t b = 0; b < x.size(); ++b) {
        x[b] += length * direction[b];
        rest[b] -= length * product[b];
      }
      const Vector next = scaled(rest);
      const double next_size = Dot(rest, next);
      for (size_t b = 0; b < x.size(); ++b)
        direction[b] = next[b] + next_size / size * direction[b];
      size = next_size;
    }
    return x;
  }

  double Value(const Vector& strengths) const {
    return Differentiate(evidence_, strengths, true).value - prior_ / 2 * Dot(strengths, strengths);
  }

  // Goes the step, or as far as it leads uphill: half of it, a quarter, ... Returns false if it
  // does not: the top is as near as rounding lets it be.
  bool Advance(const Vector& step, double slope) {
    const double before = at_.value - prior_ / 2 * Dot(strengths_, strengths_);
    const double slack = 1e-12 * (1.0 + std::abs(before));
    double share = 1;
    for (int i = 0; i < 50; ++i, share /= 2) {
      Vector there = strengths_;
      for (size_t b = 0; b < there.size(); ++b) there[b] += share * step[b];
      if (Value(there) + slack < before + 1e-4 * share * slope) continue;
      strengths_ = std::move(there);
      return true;
    }
    return false;
  }

  const Evidence& evidence_;
  const double prior_;
  Vector strengths_;
  Derivatives at_;
};

// --- Error bars ---

// Square matrices row by row.
struct Matrix {
  explicit Matrix(size_t n) : size(n), cells(n * n) {}
  double& at(size_t i, size_t j) { return cells[i * size + j]; }
  double* row(size_t i) { return &cells[i * size]; }

  size_t size;
  Vector cells;
};

// Variances and covariances with the next, by place in the order of strength.
struct Covariance {
  Vector own;
  Vector with_next;
};

// See fit.h; places are those of the order of strength.
class ErrorBars {
 public:
  ErrorBars(const std::vector<PairTerm>& terms, const std::vector<int>& place_of, size_t played,
            double prior)
      : n_(played), minus_meat_(played), information_(played) {
    Matrix matrix(n_);
    for (const PairTerm& term : terms) {
      const auto i = static_cast<size_t>(place_of[static_cast<size_t>(term.first)]);
      const auto j = static_cast<size_t>(place_of[static_cast<size_t>(term.second)]);
      AddTerm(i, j, term.information, &matrix);
      AddTerm(i, j, -term.variance, &minus_meat_);
    }
    for (size_t i = 0; i < n_; ++i) {
      information_[i] = matrix.at(i, i);
      matrix.at(i, i) += prior;
      minus_meat_.at(i, i) -= prior;
    }
    inverse_ = std::make_unique<Cholesky>(std::move(matrix.cells), static_cast<int>(n_));
    mean_ = information_;
    const double total = std::accumulate(mean_.begin(), mean_.end(), 0.0);
    for (double& share : mean_) share /= total;
  }

  // The share of each place in the mean that strengths are told from.
  const Vector& mean() const { return mean_; }

  // Column j of X = G (E - m 1'), with m the shares of the mean, is how far each place moves with
  // what place j scores and the mean does not: X' (B + P) X is the sandwich relative to the mean,
  // and (E - 1 m') X is G. Found that way, what is common to all, which blocks say nothing of, does
  // not come in and drown the rest in rounding.
  Covariance Find() {
    Covariance covariance{Vector(n_), Vector(n_)};
    Vector last(n_);  // column j - 1
    for (size_t first = 0; first < n_; first += kPanelColumns) {
      const size_t width = std::min<size_t>(kPanelColumns, n_ - first);
      Vector moves(n_ * kPanelColumns);
      for (size_t c = 0; c < width; ++c) {
        for (size_t k = 0; k < n_; ++k) moves[Cell(k, c)] = -mean_[k];
        moves[Cell(first + c, c)] += 1;
      }
      inverse_->Solve(moves.data());
      const Vector meat = MeatTimes(moves);
      for (size_t c = 0; c < width; ++c) {
        const size_t j = first + c;
        double own = 0;
        double with_last = 0;
        double mean_move = 0;
        for (size_t k = 0; k < n_; ++k) {
          own += moves[Cell(k, c)] * meat[Cell(k, c)];
          with_last += last[k] * meat[Cell(k, c)];
          mean_move += mean_[k] * moves[Cell(k, c)];
          last[k] = moves[Cell(k, c)];
        }
        covariance.own[j] = own + SmallSample(j, j, moves[Cell(j, c)] - mean_move);
        if (j == 0) continue;
        covariance.with_next[j - 1] =
            with_last + SmallSample(j - 1, j, moves[Cell(j - 1, c)] - mean_move);
      }
    }
    return covariance;
  }

 private:
  static size_t Cell(size_t row, size_t column) { return row * kPanelColumns + column; }

  static void AddTerm(size_t i, size_t j, double weight, Matrix* matrix) {
    matrix->at(i, i) += weight;
    matrix->at(j, j) += weight;
    matrix->at(i, j) -= weight;
    matrix->at(j, i) -= weight;
  }

  // (B + P) times a panel.
  Vector MeatTimes(const Vector& panel) {
    Vector product(panel.size());
    for (size_t i = 0; i < n_; ++i) {
      SubtractProduct(minus_meat_.row(i), panel.data(), static_cast<int>(n_), &product[Cell(i, 0)]);
    }
    return product;
  }

  // The element of S G S, from that of G.
  double SmallSample(size_t i, size_t j, double inverse) const {
    return inverse / std::sqrt((1 + information_[i]) * (1 + information_[j]));
  }

  const size_t n_;
  Matrix minus_meat_;
  Vector information_;
  std::unique_ptr<Cholesky> inverse_;
  Vector mean_;
};

}  // namespace

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
    strength.elo = kEloPerLogit * climb.strengths()[bot];
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

  ErrorBars bars(climb.terms(), place_of, strengths.size(), prior);
  const Covariance covariance = bars.Find();
  double mean = 0;
  for (size_t i = 0; i < strengths.size(); ++i) mean += bars.mean()[i] * strengths[i].elo;
  for (size_t i = 0; i < strengths.size(); ++i) {
    strengths[i].elo -= mean;
    strengths[i].error =
        kDeviationsOf95 * kEloPerLogit * std::sqrt(std::max(covariance.own[i], 0.0));
    if (i + 1 == strengths.size()) break;
    const double lead = (strengths[i].elo - (strengths[i + 1].elo - mean)) / kEloPerLogit;
    const double variance = covariance.own[i] + covariance.own[i + 1] - 2 * covariance.with_next[i];
    strengths[i].superiority =
        variance > 0 ? NormalProbability(lead / std::sqrt(variance)) : (lead > 0 ? 1.0 : 0.5);
  }
  return strengths;
}

}  // namespace referee::rating
