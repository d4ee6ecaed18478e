// The strength of a bot after a sequential test. A test stops when its results look good or bad
// enough, so that the plain score is too far from the middle, and its error bars mean nothing.
// Pure.
//
// The estimate is the strength at which what happened is the middle of all that may happen, and the
// bounds those at which it is as good, or as bad, as in 2.5 % of tests (a median-unbiased estimate,
// with bounds that are exact but for the approximation). What may happen is ordered from the
// fastest acceptance of H0 over tests that are not decided to the fastest acceptance of H1: the
// order of stages, D. Siegmund, "Sequential Analysis" (1985). That is how fishtest
// reports its tests.
//
// The log-likelihood ratio is taken for a Brownian motion between two barriers, with the drift and
// variance a block of M. Van den Bergh, cantate.be/Fishtest/GSPRT_approximation.pdf. As it moves
// in steps, the barriers are moved out by what it passes them by: 0.583 deviations of a step
// (Siegmund). Fewer than 50 blocks are no Brownian motion: their bounds and their
// superiority are those of EstimateElo (pentanomial.h) where these claim less.
// tests/bench/bench_sprt_bars.cc measures it.
#ifndef REFEREE_RATING_SPRT_ESTIMATE_H_
#define REFEREE_RATING_SPRT_ESTIMATE_H_

#include "absl/types/optional.h"
#include "referee/rating/sprt.h"

namespace referee::rating {

// A Brownian motion from 0, absorbed by barriers.
struct BrownianTest {
  double low = 0;    // barriers: below 0,
  double high = 0;   // and above
  double drift = 0;  // in a unit of time
  double variance = 0;
};

// The probabilities that it is absorbed by the low barrier until `time`, and that it is then not
// absorbed and at most at `level`, which is between the barriers. REQUIRES: time, variance > 0.
double ProbabilityOfLow(const BrownianTest& test, double time);
double ProbabilityOfAtMost(const BrownianTest& test, double time, double level);

struct SprtEstimate {
  double elo = 0;
  // Bounds of 95 %; infinite where no strength is out of the question.
  double elo_low = 0;
  double elo_high = 0;
  double superiority = 0;  // the likelihood that the first bot is the stronger one
};

// Of a test that is decided, or not yet. None if there are no blocks.
absl::optional<SprtEstimate> EstimateAfter(const Sprt& sprt);

}  // namespace referee::rating

#endif  // REFEREE_RATING_SPRT_ESTIMATE_H_
