// The log-likelihood of strengths and its derivatives, which a fit maximises. The model is
// Bradley-Terry for two seats and Plackett-Luce for more: a match is a row of choices, rank 1 among
// all bots, the next rank among the rest, each with a probability in proportion to the exponential
// of its strength. Bots that share a rank: the mean of the logarithms
// over all orders in which they may have come in, so that a draw of two is half a win each.
#ifndef REFEREE_RATING_LIKELIHOOD_H_
#define REFEREE_RATING_LIKELIHOOD_H_

#include <vector>

#include "referee/rating/evidence.h"

namespace referee::rating {

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

#endif  // REFEREE_RATING_LIKELIHOOD_H_
