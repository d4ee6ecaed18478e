// Maximum-likelihood ratings with error bars, from the results of all blocks at once.
//
// Standings use these ratings. The strengths theta maximise the likelihood (below) times a weak
// prior: each theta is normal around 0 with a deviation of 1,000 Elo. The prior keeps a bot that
// has won everything, and groups of bots that never met, at finite values. Results are Elo points,
// theta * 400 / ln 10, relative to the information-weighted mean of all bots. The weight of a bot
// is the information of its blocks about it, so a newcomer does not move the others. That weighted
// mean is 0; the plain mean is not, unless all bots have played alike.
//
// Error bars do not assume that the matches of a block are independent. All quantities are taken at
// the maximum:
//
// - A is the negative second derivative, with P the prior's share of it, and G = A^-1.
// - B is the sum of s s' over blocks, where s is the block's term of the first derivative.
// - m_i is I_i divided by the sum of all I. I_i is A_ii without the prior: about half the number of
//   matches, against equals.
//
// The covariance of the results, up to the factor of Elo, is
//
//   C G (B + P) G C' + S (C G C') S,    C = E - 1 m',    S = diag(1 / sqrt(1 + I_i)).
//
// The first term is the "sandwich" estimate by blocks. The second corrects for few blocks, which do
// not show their own variance: it is as large as the variance of the model for a bot without
// information, and vanishes with many blocks. C makes strengths relative to the mean. It is applied
// before S, so the second term of a bot does not depend on the blocks of others.
//
// The bars take the pairings as given. If results choose the pairings, as in a Swiss, strengths
// come out too far apart and bars too narrow: RATING.md, "After a Swiss".
#ifndef REFEREE_RATING_FIT_H_
#define REFEREE_RATING_FIT_H_

#include <cstdint>
#include <vector>

#include "referee/rating/evidence.h"

namespace referee::rating {

struct Strength {
  int bot = 0;
  double elo = 0;
  double error = 0;        // elo +- error is the 95 % interval
  int64_t blocks = 0;      // played by the bot
  double superiority = 0;  // the likelihood of being stronger than the next; 0 for the last
};

struct FitOptions {
  // The standard deviation of the prior, in Elo. Above 0.
  double prior_deviation = 1000;
};

// Returns the bots that have played, strongest first; equal strengths by number. Time grows with
// the cube of the number of bots, memory with the square: 24 MB for 1,000. Equal evidence in equal
// order gives equal numbers.
std::vector<Strength> Fit(const Evidence& evidence, const FitOptions& options = {});

// --- The log-likelihood ---
//
// The model is Bradley-Terry for two seats and Plackett-Luce for more. A match is a sequence of
// choices: rank 1 among all bots, the next rank among the rest. The probability of a choice is
// proportional to the exponential of the bot's strength. If bots share a rank, the log-likelihood
// is the mean over all orders in which they may have finished. So a draw of two is half a win each.

// A term w (e_i - e_j)(e_i - e_j)' of a matrix.
struct PairTerm {
  int first = 0;
  int second = 0;
  double information = 0;  // w in the negative second derivative
  double variance = 0;     // w in the sum of s s' over blocks, with s a block's first derivative
};                         // the log-likelihood

struct Derivatives {
  double value = 0;  // of the log-likelihood
  std::vector<double> gradient;
  std::vector<PairTerm> terms;  // a pair may have several
};

// Returns the log-likelihood at `strengths`, which are in log-odds, by bot, and its derivatives.
// With `only_value`, only the value is set. REQUIRES: a strength for each bot of the evidence.
Derivatives Differentiate(const Evidence& evidence, const std::vector<double>& strengths,
                          bool only_value = false);

}  // namespace referee::rating

#endif  // REFEREE_RATING_FIT_H_
