// Estimates the strength of a bot after a sequential test, corrected for the stopping rule.
//
// A test stops when its results look good or bad enough. So the plain score is too far from the
// middle, and its error bars are invalid. Pure.
//
// The estimate is the strength at which the observed outcome is the median of all possible
// outcomes. The bounds are the strengths at which 2.5 % of tests end as well, or as badly. This is
// a median-unbiased estimate, with bounds that are exact except for the approximation below.
// Outcomes are ordered from the fastest acceptance of H0 over undecided tests to the fastest
// acceptance of H1: the order of stages, D. Siegmund, "Sequential Analysis" (1985). fishtest
// reports its tests in this way.
//
// The log-likelihood ratio is approximated by a Brownian motion between two barriers. Its drift and
// variance per block are those of M. Van den Bergh, cantate.be/Fishtest/GSPRT_approximation.pdf.
// The ratio moves in steps and overshoots, so the barriers are moved out by 0.583 standard
// deviations of a step (Siegmund). Fewer than 50 blocks are no Brownian motion: bounds and
// superiority are then those of EstimateElo (pentanomial.h) where these claim less.
// tests/bench/bench_sprt_bars.cc measures the result.
#ifndef REFEREE_RATING_SPRT_ESTIMATE_H_
#define REFEREE_RATING_SPRT_ESTIMATE_H_

#include "absl/types/optional.h"
#include "referee/rating/sprt.h"

namespace referee::rating {

// A Brownian motion from 0, absorbed by barriers.
struct BrownianTest {
  double low = 0;       // barrier below 0
  double high = 0;      // barrier above 0
  double drift = 0;     // per unit of time
  double variance = 0;  // per unit of time
};

// Two probabilities at `time`: that the low barrier has absorbed the motion, and that no barrier
// has and the motion is at most at `level`. `level` is between the barriers. REQUIRES: time,
// variance > 0.
double ProbabilityOfLow(const BrownianTest& test, double time);
double ProbabilityOfAtMost(const BrownianTest& test, double time, double level);

struct SprtEstimate {
  double elo = 0;
  // The 95 % bounds; infinite if no strength on that side can be excluded.
  double elo_low = 0;
  double elo_high = 0;
  double superiority = 0;  // the likelihood that the first bot is the stronger one
};

// Returns the estimate of a test, decided or not; none without blocks.
absl::optional<SprtEstimate> EstimateAfter(const Sprt& sprt);

}  // namespace referee::rating

#endif  // REFEREE_RATING_SPRT_ESTIMATE_H_
