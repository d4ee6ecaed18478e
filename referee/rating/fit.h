// Maximum-likelihood ratings with error bars: the strengths of bots that explain best the results
// of all blocks at once. Standings are made of them.
//
// The strengths theta maximise the likelihood (below) times a weak prior: each bot's theta
// is normal around 0 with a deviation of 1,000 Elo, which keeps a bot that has won everything, and
// groups of bots that never met, at finite places. Reported are Elo points, theta * 400 / ln 10,
// from the information-weighted mean of all bots: each weighed with what its blocks tell of it, so
// that a newcomer does not move the others. So that mean is 0, and the plain mean is not, unless
// all have played alike.
//
// Error bars do not take the matches of a block for independent. With A the negative second
// derivative, B the sum of s s' over blocks, s being what the block adds to the first derivative,
// and P the prior's share of A, all at the maximum, and G = A^-1, the covariance of what is
// reported, up to the factor of Elo, is
//
//   C G (B + P) G C' + S (C G C') S,    C = E - 1 m',    S = diag(1 / sqrt(1 + I_i)),
//
// the "sandwich" estimate by blocks, and one term for what few blocks cannot show of their
// variance. C takes strengths relative to the mean, m being the weights: it comes first, and then
// S, so that the second term is each bot's own, whatever the others have played. I_i is what A has
// of bot i without the prior, about half the matches against equals, and m_i is I_i divided by the
// sum. The second term is as large as the variance of the model where a bot's blocks tell nothing,
// and is gone where they are many.
//
// The bars take who meets whom as given. Where results choose it, as in a Swiss, strengths come out
// too far apart and bars too narrow: RATING.md, "After a Swiss".
#ifndef REFEREE_RATING_FIT_H_
#define REFEREE_RATING_FIT_H_

#include <cstdint>
#include <vector>

#include "referee/rating/evidence.h"

namespace referee::rating {

struct Strength {
  int bot = 0;
  double elo = 0;
  double error = 0;        // elo +- error is the interval of 95 %
  int64_t blocks = 0;      // that the bot played
  double superiority = 0;  // the likelihood that it is stronger than the next; 0 of the last
};

struct FitOptions {
  // The deviation of the prior, in Elo. Above 0.
  double prior_deviation = 1000;
};

// The bots that have played, strongest first; those of equal strength by number. Takes time with
// the cube of the number of bots, and memory with its square: 24 MB for 1,000. The same evidence in
// the same order gives the same numbers.
std::vector<Strength> Fit(const Evidence& evidence, const FitOptions& options = {});

// --- What a fit maximises: the log-likelihood of strengths. The model is Bradley-Terry for two
// seats and Plackett-Luce for more: a match is a row of choices, rank 1 among all bots, the next
// rank among the rest, each with a probability in proportion to the exponential of its strength.
// Bots that share a rank: the mean of the logarithms over all orders in which they may have come
// in, so that a draw of two is half a win each.

// A term w (e_i - e_j)(e_i - e_j)' of a matrix.
struct PairTerm {
  int first = 0;
  int second = 0;
  double information = 0;  // of the negative second derivative
  double variance = 0;     // of the sum of s s' over blocks, s being a block's first derivative
};

struct Derivatives {
  double value = 0;  // of the logarithm of the likelihood
  std::vector<double> gradient;
  std::vector<PairTerm> terms;  // a pair may have several
};

// The logarithm of the likelihood at `strengths`, in log-odds, by bot, and what it is made of. With
// `only_value` the rest is left empty. REQUIRES: a strength for each bot of the evidence.
Derivatives Differentiate(const Evidence& evidence, const std::vector<double>& strengths,
                          bool only_value = false);

}  // namespace referee::rating

#endif  // REFEREE_RATING_FIT_H_
