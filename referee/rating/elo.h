// The logistic Elo scale, and the normal distribution for error bars.
#ifndef REFEREE_RATING_ELO_H_
#define REFEREE_RATING_ELO_H_

#include <cmath>
#include <limits>

namespace referee::rating {

// Elo points in one unit of log-odds: 400 / ln 10.
inline constexpr double kEloPerLogit = 173.71779276130073;
// Normalized Elo points per distance of the score from 1/2, in standard deviations of a match.
inline constexpr double kNormalizedEloPerDeviation = 2 * kEloPerLogit;
// A normal variable is within this many standard deviations of its mean with probability 95 %.
inline constexpr double kDeviationsOf95 = 1.959963984540054;
// The probability that it is beyond them on one given side.
inline constexpr double kErrorOnASide = 0.025;

// Returns the expected score, from 0 to 1, of a bot that is stronger by `elo` points.
inline double ScoreOfElo(double elo) { return 1.0 / (1.0 + std::exp(-elo / kEloPerLogit)); }

// The inverse of ScoreOfElo; infinite for scores of at most 0 and of at least 1.
inline double EloOfScore(double score) {
  if (score <= 0.0) return -std::numeric_limits<double>::infinity();
  if (score >= 1.0) return std::numeric_limits<double>::infinity();
  return kEloPerLogit * std::log(score / (1.0 - score));
}

// Returns the width of the 95 % interval of a strength, from end to end, in Elo. `information` is
// the sum over independent matches of p (1 - p), where p is the expected score against a bot of
// known strength. Example: 136 for 100 matches against equals; infinite for 0.
inline double IntervalWidth(double information) {
  return 2 * kDeviationsOf95 * kEloPerLogit / std::sqrt(information);
}

// The probability that a standard normal variable is at most `x`.
inline double NormalProbability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace referee::rating

#endif  // REFEREE_RATING_ELO_H_
