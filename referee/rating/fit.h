// Maximum-likelihood ratings with error bars: the strengths of bots that explain best the results
// of all blocks at once. Standings are made of them.
//
// The strengths theta maximise the likelihood (likelihood.h) times a weak prior: each bot's theta
// is normal around 0 with a deviation of 1,000 Elo, which keeps a bot that has won everything, and
// groups of bots that never met, at finite places. Reported are Elo points, theta * 400 / ln 10,
// from the mean of all bots, each weighed with what its blocks tell of it.
//
// Error bars do not take the matches of a block for independent. With A the negative second
// derivative, B the sum of s s' over blocks, s being what the block adds to the first derivative,
// and P the prior's share of A, all at the maximum, and G = A^-1, the covariance of theta is
//
//   G (B + P) G + S G S,    S = diag(1 / sqrt(1 + I_i)),
//
// the "sandwich" estimate by blocks, and one term for what few blocks cannot show of their
// variance: I_i is what A has of bot i without the prior, about half the matches against equals.
// The term is as large as the variance of the model where a bot's blocks tell nothing, and is gone
// where they are many. All of it is taken relative to the mean named above.
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

}  // namespace referee::rating

#endif  // REFEREE_RATING_FIT_H_
