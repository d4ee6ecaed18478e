#include "referee/rating/mean_bounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace referee::rating {
namespace {

// A term x * Gamma(shape) in a sum of independent gamma variables.
struct Term {
  double x;      // not 0
  double shape;  // above 0
};

constexpr int kMostIterations = 200;
constexpr double kPi = 3.14159265358979323846;
// The step of the integral. The integrand is analytic far around the path, so the sum is exact to
// rounding.
constexpr double kStep = 0.125;
constexpr double kNegligible = 1e-17;

// Computes the probability that the sum is above 0. REQUIRES: the mean of the sum is at most 0.
//
// Let K(s) be the cumulant generating function of the sum. The probability is the integral of
// e^K(s) / (2 pi i s) along a line from c - i infinity to c + i infinity. Any c > 0 up to the first
// pole of e^K will do. The code uses the c with the least e^K(s) / s on the real axis, so that
// nothing cancels (H. E. Daniels, "Tail probability approximations", International Statistical
// Review 55 (1987)).
class TailProbability {
 public:
  explicit TailProbability(const std::vector<Term>& terms) : terms_(terms) {
    for (const Term& term : terms) pole_ = std::max(pole_, term.x);
    pole_ = 1 / pole_;
  }

  double Find() {
    FindSaddle();
    double height = -std::log(saddle_);  // the logarithm of e^K(s) / s at the saddle
    for (const Term& term : terms_) height -= term.shape * std::log1p(-term.x * saddle_);
    const double width = 1 / std::sqrt(curvature_);
    // Trapezoidal rule along the path saddle + i width sinh(u).
    double sum = 0.5;
    for (double u = kStep;; u += kStep) {
      const double t = width * std::sinh(u);
      const double stretch = std::cosh(u);
      // e^K(s) / s relative to its value at the saddle.
      double size = -0.5 * std::log1p(t * t / (saddle_ * saddle_));
      double angle = -std::atan(t / saddle_);
      for (const Term& term : terms_) {
        const double y = term.x * t / (1 - term.x * saddle_);
        size -= 0.5 * term.shape * std::log1p(y * y);
        angle += term.shape * std::atan(y);
      }
      const double weight = stretch * std::exp(size);
      sum += weight * std::cos(angle);
      if (weight < kNegligible) break;
    }
    return std::min(1.0, std::exp(height) * width * kStep * sum / kPi);
  }

 private:
  // Finds the minimum of K(s) - log s, which is convex, by Newton's method kept between bounds.
  void FindSaddle() {
    double low = 0;
    double high = pole_;
    saddle_ = pole_ / 2;
    for (int i = 0; i < kMostIterations; ++i) {
      double slope = -1 / saddle_;
      curvature_ = 1 / (saddle_ * saddle_);
      for (const Term& term : terms_) {
        const double ratio = term.x / (1 - term.x * saddle_);
        slope += term.shape * ratio;
        curvature_ += term.shape * ratio * ratio;
      }
      (slope > 0 ? high : low) = saddle_;
      double next = saddle_ - slope / curvature_;
      if (!(next > low && next < high)) next = (low + high) / 2;
      // The integral is the same along every line, so an approximate saddle suffices.
      if (std::abs(next - saddle_) < 1e-6 * std::min(saddle_, pole_ - saddle_)) return;
      saddle_ = next;
    }
  }

  const std::vector<Term>& terms_;
  double pole_ = 0;
  double saddle_ = 0;
  double curvature_ = 0;
};

// Returns the probability that randomly weighted draws have a mean above `mean`; see the header.
double ProbabilityAbove(const std::vector<double>& counts, double mean) {
  // The weights are gamma variables divided by their sum.
  std::vector<Term> terms;
  const auto last = static_cast<double>(counts.size() - 1);
  double middle = 0;
  bool above = false;
  bool below = false;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double x = static_cast<double>(i) / last - mean;
    if (counts[i] == 0 || x == 0) continue;
    terms.push_back({x, counts[i]});
    middle += x * counts[i];
    (x > 0 ? above : below) = true;
  }
  if (!above) return 0;
  if (!below) return 1;
  if (middle <= 0) return TailProbability(terms).Find();
  for (Term& term : terms) term.x = -term.x;
  return 1 - TailProbability(terms).Find();
}

// Returns the draws with one more at 0, or at 1.
std::vector<double> WithOneMore(const std::vector<int64_t>& counts, bool at_one) {
  std::vector<double> more(counts.begin(), counts.end());
  (at_one ? more.back() : more.front()) += 1;
  return more;
}

// Finds the mean at which `probability`, a decreasing function, is `goal`.
template <typename Function>
double Solve(double low, double high, double goal, const Function& probability) {
  for (int i = 0; i < kMostIterations && high - low > 1e-13; ++i) {
    const double middle = (low + high) / 2;
    (probability(middle) > goal ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

MeanTest TestMean(const std::vector<int64_t>& counts, double mean) {
  return {1 - ProbabilityAbove(WithOneMore(counts, false), mean),
          ProbabilityAbove(WithOneMore(counts, true), mean)};
}

MeanBounds BoundMean(const std::vector<int64_t>& counts, double error) {
  const auto blocks =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  MeanBounds bounds;
  const auto last = static_cast<double>(counts.size() - 1);
  double mean = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    mean += static_cast<double>(i) / last * static_cast<double>(counts[i]);
  }
  if (blocks == 0) return bounds;
  mean /= blocks;
  if (mean > 0) {
    const std::vector<double> more = WithOneMore(counts, false);
    bounds.low = Solve(0, mean, 1 - error, [&](double at) { return ProbabilityAbove(more, at); });
  }
  if (mean < 1) {
    const std::vector<double> more = WithOneMore(counts, true);
    bounds.high = Solve(mean, 1, error, [&](double at) { return ProbabilityAbove(more, at); });
  }
  return bounds;
}

}  // namespace referee::rating
