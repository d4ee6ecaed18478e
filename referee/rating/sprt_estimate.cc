#include "referee/rating/sprt_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "referee/rating/elo.h"

namespace referee::rating {
namespace {

constexpr double kOvershoot = 0.583;  // see sprt_estimate.h
constexpr int64_t kFewBlocks = 50;
constexpr double kFarDeviations = 9;  // a normal variable is never farther from its mean
constexpr double kLogOfRoot2Pi = 0.9189385332046727;

double LogNormalProbability(double x) {
  if (x > -30) return std::log(NormalProbability(x));
  return -x * x / 2 - std::log(-x) - kLogOfRoot2Pi - 1 / (x * x);
}

// Returns e^log_weight times the probability that a normal variable is at most `x`. The factors
// alone may overflow and underflow.
double Weighted(double log_weight, double x) {
  return std::exp(log_weight + LogNormalProbability(x));
}

// The same for the probability that the variable is between two numbers.
double WeightedBetween(double log_weight, double from, double to) {
  if (from > 0) return Weighted(log_weight, -from) - Weighted(log_weight, -to);
  return Weighted(log_weight, to) - Weighted(log_weight, from);
}

// The number of images of the barriers that matter on either side.
int Images(const BrownianTest& test, double time) {
  const double far = std::abs(test.drift) * time + kFarDeviations * std::sqrt(test.variance * time);
  return 2 + static_cast<int>(far / (2 * (test.high - test.low)));
}

double Clamp(double probability) { return std::min(1.0, std::max(0.0, probability)); }

BrownianTest Mirrored(const BrownianTest& test) {
  return {-test.high, -test.low, -test.drift, test.variance};
}

// The state of a test, as a Brownian motion for each strength that may be the true one.
class Outcome {
 public:
  explicit Outcome(const Sprt& sprt) : accepted_(sprt.accepted()) {
    const BlockCounts& counts = sprt.counts();
    blocks_ = static_cast<double>(counts.blocks());
    const auto full = static_cast<double>(counts.counts().size() - 1);
    for (size_t i = 0; i < counts.counts().size(); ++i) {
      score_ += static_cast<double>(i) / full * static_cast<double>(counts.counts()[i]) / blocks_;
    }
    // Includes the virtual block of EloEstimate::normalized_elo.
    double squares = 0.25 / counts.matches_per_block();
    for (size_t i = 0; i < counts.counts().size(); ++i) {
      const double distance = static_cast<double>(i) / full - score_;
      squares += distance * distance * static_cast<double>(counts.counts()[i]);
    }
    variance_ = squares / blocks_;
    const double deviation_of_match = std::sqrt(variance_ * counts.matches_per_block());
    score0_ = sprt.terms().ScoreOf(sprt.terms().elo0, deviation_of_match);
    score1_ = sprt.terms().ScoreOf(sprt.terms().elo1, deviation_of_match);
    low_ = sprt.terms().lower_bound();
    high_ = sprt.terms().upper_bound();
    const BrownianTest seen = At(score_);
    ratio_ = blocks_ * seen.drift;
    time_ = blocks_;
    if (accepted_ == Hypothesis::kH0 && ratio_ < 0) time_ = seen.low / seen.drift;
    if (accepted_ == Hypothesis::kH1 && ratio_ > 0) time_ = seen.high / seen.drift;
  }

  // The probability of a worse outcome, if `score` is the mean score of the first bot.
  double ProbabilityOfWorse(double score) const {
    const BrownianTest test = At(score);
    if (accepted_ == Hypothesis::kH0) return ProbabilityOfLow(test, time_);
    if (accepted_ == Hypothesis::kH1) return 1 - ProbabilityOfLow(Mirrored(test), time_);
    const double level = std::min(std::max(ratio_, test.low), test.high);
    return Clamp(ProbabilityOfLow(test, time_) + ProbabilityOfAtMost(test, time_, level));
  }

 private:
  BrownianTest At(double score) const {
    // The variance of the likeliest distribution with this mean.
    const double variance = variance_ + (score - score_) * (score - score_);
    BrownianTest test;
    test.drift = (score - (score0_ + score1_) / 2) * (score1_ - score0_) / variance;
    test.variance = (score1_ - score0_) * (score1_ - score0_) / variance;
    const double overshoot = kOvershoot * std::sqrt(test.variance);
    test.low = low_ - overshoot;
    test.high = high_ + overshoot;
    return test;
  }

  Hypothesis accepted_;
  double blocks_ = 0;
  double score_ = 0;
  double variance_ = 0;  // of a block's score
  double score0_ = 0;
  double score1_ = 0;
  double low_ = 0;
  double high_ = 0;
  double ratio_ = 0;
  // In blocks: when a motion with the observed drift reaches the barrier that was passed. So
  // neither the steps nor the approximation of the drift count twice.
  double time_ = 0;
};

// Returns the strength at which a worse outcome has probability `goal`. That probability decreases
// with strength.
double EloAt(const Outcome& outcome, double goal) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (outcome.ProbabilityOfWorse(middle) > goal ? low : high) = middle;
  }
  if (low == 0) return -std::numeric_limits<double>::infinity();
  if (high == 1) return std::numeric_limits<double>::infinity();
  return EloOfScore((low + high) / 2);
}

}  // namespace

// Uses images of the barriers, each of which is first passed like a single barrier (D. R. Cox and
// H. D. Miller, "The Theory of Stochastic Processes", 1965, chapter 5.7).
double ProbabilityOfLow(const BrownianTest& test, double time) {
  const double deviation = std::sqrt(test.variance * time);
  const double slope = test.drift / test.variance;
  const double way = test.drift * time;
  const double width = test.high - test.low;
  const int images = Images(test, time);
  double probability = 0;
  for (int k = -images; k <= images; ++k) {
    const double distance = std::abs(2 * k * width - test.low);
    const double sign = k < 0 ? -1 : 1;
    probability += sign * (Weighted(slope * (test.low - distance), (way - distance) / deviation) +
                           Weighted(slope * (test.low + distance), (-way - distance) / deviation));
  }
  return Clamp(probability);
}

double ProbabilityOfAtMost(const BrownianTest& test, double time, double level) {
  const double deviation = std::sqrt(test.variance * time);
  const double slope = test.drift / test.variance;
  const int images = Images(test, time);
  double probability = 0;
  for (int k = -images; k <= images; ++k) {
    for (const bool reflected : {false, true}) {
      const double image = 2 * k * (test.high - test.low) + (reflected ? 2 * test.low : 0);
      const double middle = image + test.drift * time;
      const double share = WeightedBetween(slope * image, (test.low - middle) / deviation,
                                           (level - middle) / deviation);
      probability += reflected ? -share : share;
    }
  }
  return Clamp(probability);
}

absl::optional<SprtEstimate> EstimateAfter(const Sprt& sprt) {
  if (sprt.counts().blocks() == 0) return absl::nullopt;
  const Outcome outcome(sprt);
  SprtEstimate estimate;
  estimate.elo = EloAt(outcome, 0.5);
  estimate.elo_low = EloAt(outcome, 1 - kErrorOnASide);
  estimate.elo_high = EloAt(outcome, kErrorOnASide);
  estimate.superiority = outcome.ProbabilityOfWorse(0.5);
  if (sprt.counts().blocks() < kFewBlocks) {
    const EloEstimate plain = *EstimateElo(sprt.counts());
    estimate.elo_low = std::min(estimate.elo_low, plain.elo_low);
    estimate.elo_high = std::max(estimate.elo_high, plain.elo_high);
    const bool surer = std::abs(estimate.superiority - 0.5) > std::abs(plain.superiority - 0.5);
    if (surer) estimate.superiority = plain.superiority;
  }
  return estimate;
}

}  // namespace referee::rating
