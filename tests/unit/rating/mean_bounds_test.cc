#include "referee/rating/mean_bounds.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace referee::rating {
namespace {

// Of zeros and ones: Clopper and Pearson's 2.5 % and 97.5 % points of Beta(7, 4) and Beta(8, 3), by
// mpmath.betainc.
TEST(BoundMean, OfZerosAndOnesIsTheExactBinomialOne) {
  const MeanBounds bounds = BoundMean({3, 7}, 0.025);
  EXPECT_NEAR(bounds.low, 0.347547149940003, 1e-12);
  EXPECT_NEAR(bounds.high, 0.933260488822266, 1e-12);
}

// The 2.5 % points of the mean of Dirichlet weights, inverted from its characteristic function
// (J. Gil-Pelaez, Biometrika 38 (1951)) by mpmath.quad with 30 digits.
TEST(BoundMean, AgreesWithTheCharacteristicFunction) {
  EXPECT_NEAR(BoundMean({1, 1, 3, 4, 3}, 0.025).low, 0.41006286668777, 1e-11);
  EXPECT_NEAR(BoundMean({5, 10, 30, 15, 10}, 0.025).low, 0.48148670129526, 1e-11);
  EXPECT_NEAR(BoundMean({0, 0, 1, 0, 5}, 0.025).low, 0.4817462419995, 1e-11);
}

TEST(BoundMean, OfOneValueOnlyHasItAsItsBound) {
  EXPECT_EQ(BoundMean({0, 0, 4}, 0.025).high, 1);
  EXPECT_EQ(BoundMean({4, 0, 0}, 0.025).low, 0);
  EXPECT_NEAR(BoundMean({0, 0, 4}, 0.025).low, std::pow(0.025, 1.0 / 4), 1e-12);
}

TEST(BoundMean, WithoutDrawsBoundsNothing) {
  EXPECT_EQ(BoundMean({0, 0, 0}, 0.025).low, 0);
  EXPECT_EQ(BoundMean({0, 0, 0}, 0.025).high, 1);
}

TEST(BoundMean, OfBillionsOfDrawsIsThatOfTheCentralLimitTheorem) {
  const std::vector<int64_t> counts = {1'000'000'000, 2'000'000'000, 3'000'000'000, 2'000'000'000,
                                       1'000'000'000};
  const double deviation = std::sqrt((2 * 0.25 * 1 + 2 * 0.0625 * 2) / 9 / 9e9);
  const MeanBounds bounds = BoundMean(counts, 0.025);
  EXPECT_NEAR(bounds.low, 0.5 - 1.959963985 * deviation, 1e-4 * deviation);
  EXPECT_NEAR(bounds.high, 0.5 + 1.959963985 * deviation, 1e-4 * deviation);
}

TEST(TestMean, IsWhereTheBoundsAre) {
  const std::vector<int64_t> counts = {2, 0, 5, 1, 4};
  const MeanBounds bounds = BoundMean(counts, 0.01);
  EXPECT_NEAR(TestMean(counts, bounds.low).at_most, 0.01, 1e-9);
  EXPECT_NEAR(TestMean(counts, bounds.high).at_least, 0.01, 1e-9);
}

// Of n heads in a row: 2^-n that a fair coin does as well, and certainty that it does as badly.
TEST(TestMean, OfAFairCoinCountsWaysToDoAsWell) {
  const MeanTest test = TestMean({0, 5}, 0.5);
  EXPECT_NEAR(test.at_most, 1.0 / 32, 1e-12);
  EXPECT_EQ(test.at_least, 1);
}

}  // namespace
}  // namespace referee::rating
