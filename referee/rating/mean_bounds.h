// Bounds on the mean of a distribution on the numbers 0, 1/k, 2/k, ... 1, of which nothing else is
// known, from any number of independent draws, few ones too. Pure.
//
// The lower bound is a quantile of sum w_i x_i, where x are the draws and one more at 0, and w are
// random weights that add up to 1, all such weights being equally likely (the Dirichlet
// distribution with parameters 1); the upper bound is found with one more at 1. Of draws that are
// only 0 and 1 these are the exact binomial bounds of C. J. Clopper and E. S. Pearson, Biometrika
// 26 (1934); with more and more draws they become those of the central limit theorem. In general
// the bounds are those of N. Gaffke, "Three test statistics for a nonparametric one-sided
// hypothesis on the mean of a nonnegative variable", Mathematical Methods of Statistics 14 (2005).
// See also E. Learned-Miller and P. S. Thomas, "A new confidence interval for the mean of a bounded
// random variable", arXiv:1905.06208. That they hold for every distribution is not proved, but none
// is known for which they do not. tests/bench/bench_duel_bars.cc measures it; with half a draw more
// instead of one they would be narrower and too sure.
#ifndef REFEREE_RATING_MEAN_BOUNDS_H_
#define REFEREE_RATING_MEAN_BOUNDS_H_

#include <cstdint>
#include <vector>

namespace referee::rating {

// How far the draws speak against a mean of at most, and of at least, `mean`: the probabilities
// from 0 to 1 that draws of a distribution with that mean look as good, or as bad. `counts` is by
// value, from 0 to 1, of two values at least. REQUIRES: 0 < mean < 1.
struct MeanTest {
  double at_most = 1;
  double at_least = 1;
};
MeanTest TestMean(const std::vector<int64_t>& counts, double mean);

// The means that are not spoken against with a probability of less than `error` on either side.
// REQUIRES: 0 < error < 1/2.
struct MeanBounds {
  double low = 0;
  double high = 1;
};
MeanBounds BoundMean(const std::vector<int64_t>& counts, double error);

}  // namespace referee::rating

#endif  // REFEREE_RATING_MEAN_BOUNDS_H_
