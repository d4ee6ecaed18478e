// Confidence bounds for the mean of any distribution on 0, 1/k, 2/k, ... 1, also from few draws.
//
// Draws are independent; nothing else is known of the distribution. Pure.
//
// The lower bound is a quantile of sum w_i x_i, where x are the draws and one more at 0. The
// weights w are random and add up to 1, all such weights being equally likely (the Dirichlet
// distribution with parameters 1). The upper bound uses one more draw at 1 instead. For draws of
// only 0 and 1 these are the exact binomial bounds of C. J. Clopper and E. S. Pearson, Biometrika
// 26 (1934). With more draws they approach the bounds of the central limit theorem. In general they
// are the bounds of N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on
// the mean of a nonnegative variable", Mathematical Methods of Statistics 14 (2005). See also E.
// Learned-Miller and P. S. Thomas, "A new confidence interval for the mean of a bounded random
// variable", arXiv:1905.06208.
//
// It is not proved that the bounds hold for every distribution, but no counterexample is known.
// tests/bench/bench_duel_bars.cc measures them. With half an extra draw instead of one they would
// be narrower, and would hold too rarely.
#ifndef REFEREE_RATING_MEAN_BOUNDS_H_
#define REFEREE_RATING_MEAN_BOUNDS_H_

#include <cstdint>
#include <vector>

namespace referee::rating {

// The p-values of the draws against a mean of at most, and of at least, `mean`. A p-value is the
// probability that draws of a distribution with that mean look as high, or as low. `counts` is by
// value, from 0 to 1, with at least two values. REQUIRES: 0 < mean < 1.
struct MeanTest {
  double at_most = 1;
  double at_least = 1;
};
MeanTest TestMean(const std::vector<int64_t>& counts, double mean);

// The means that no one-sided test at level `error` rejects. REQUIRES: 0 < error < 1/2.
struct MeanBounds {
  double low = 0;
  double high = 1;
};
MeanBounds BoundMean(const std::vector<int64_t>& counts, double error);

}  // namespace referee::rating

#endif  // REFEREE_RATING_MEAN_BOUNDS_H_
