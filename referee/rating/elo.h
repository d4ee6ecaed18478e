// The logistic scale of Elo, and the normal distribution that its error bars come from.
#ifndef REFEREE_RATING_ELO_H_
#define REFEREE_RATING_ELO_H_

#include <cmath>
#include <limits>

namespace referee::rating {

// Elo points in one unit of log-odds: 400 / ln 10.
inline constexpr double kEloPerLogit = 173.71779276130073;
// Normalized Elo points in a distance of the score from 1/2 of one deviation of a match.
inline constexpr double kNormalizedEloPerDeviation = 2 * kEloPerLogit;
// A normal variable is within so many deviations of its mean with a probability of 95 %.
inline constexpr double kDeviationsOf95 = 1.959963984540054;
// And so often it is beyond, on either side.
inline constexpr double kErrorOnASide = 0.025;

// The expected score, from 0 to 1, of a bot that is `elo` points stronger.
inline double ScoreOfElo(double elo) { return 1.0 / (1.0 + std::exp(-elo / kEloPerLogit)); }

// The inverse; infinite for scores of 0 and less, and of 1 and more.
inline double EloOfScore(double score) {
  if (score <= 0.0) return -std::numeric_limits<double>::infinity();
  if (score >= 1.0) return std::numeric_limits<double>::infinity();
  return kEloPerLogit * std::log(score / (1.0 - score));
}

// The width of the 95 % interval, from end to end, in Elo, of a strength of which results tell so
// much: `information` is the sum over independent matches of p (1 - p), where p is the expected
// score against a bot of known strength. Of 100 matches against equals 136; infinite without any.
inline double IntervalWidth(double information) {
  return 2 * kDeviationsOf95 * kEloPerLogit / std::sqrt(information);
}

// The probability that a standard normal variable is at most `x`.
inline double NormalProbability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace referee::rating

#endif  // REFEREE_RATING_ELO_H_
