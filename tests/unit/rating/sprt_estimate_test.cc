#include "referee/rating/sprt_estimate.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

// The sine series of the density between two absorbing barriers (Cox and Miller, chapter 5.7), and
// of what passes the low one, summed by mpmath with 30 digits.
TEST(BrownianTest, AgreesWithTheSeriesOfEigenfunctions) {
  struct Case {
    BrownianTest test;
    double time;
    double low;
    double at_most_half;
  };
  for (const Case& one :
       std::vector<Case>{{{-3, 3, 0.02, 0.05}, 100, 0.0423591601257, 0.206423475555},
                         {{-2.94, 2.94, 0, 0.01}, 500, 0.188494455953, 0.394074107631},
                         {{-2.94, 2.2, -0.01, 0.02}, 2000, 0.894429972398, 5.97895388045e-6},
                         {{-1, 2, 0.001, 0.01}, 30, 0.0613623921389, 0.743221276915}}) {
    EXPECT_NEAR(ProbabilityOfLow(one.test, one.time), one.low, 1e-11);
    EXPECT_NEAR(ProbabilityOfAtMost(one.test, one.time, 0.5), one.at_most_half, 1e-11);
  }
}

TEST(BrownianTest, IsAbsorbedByOneOfItsBarriersInTheEnd) {
  const BrownianTest test{-3, 3, 0.01, 0.05};
  const BrownianTest mirrored{-3, 3, -0.01, 0.05};
  EXPECT_NEAR(ProbabilityOfLow(test, 1e4) + ProbabilityOfLow(mirrored, 1e4), 1, 1e-12);
  // Wald's ratio of the two.
  EXPECT_NEAR(ProbabilityOfLow(test, 1e4) / ProbabilityOfLow(mirrored, 1e4),
              std::exp(-2 * 0.01 / 0.05 * 3), 1e-12);
}

TEST(EstimateAfter, IsNoneWithoutBlocks) { EXPECT_FALSE(EstimateAfter(Sprt({0, 10}))); }

TEST(EstimateAfter, IsTheOppositeForTheOpponent) {
  Sprt mine({0, 50});
  Sprt theirs({-50, 0});
  for (int i = 0; mine.accepted() == Hypothesis::kNone; ++i) {
    const int half_points = i % 3 == 0 ? 1 : 3;
    mine.Add(half_points);
    theirs.Add(4 - half_points);
  }
  EXPECT_EQ(theirs.accepted(), Hypothesis::kH0);
  EXPECT_NEAR(EstimateAfter(mine)->elo, -EstimateAfter(theirs)->elo, 1e-6);
  EXPECT_NEAR(EstimateAfter(mine)->elo_low, -EstimateAfter(theirs)->elo_high, 1e-6);
  EXPECT_NEAR(EstimateAfter(mine)->superiority, 1 - EstimateAfter(theirs)->superiority, 1e-9);
}

TEST(EstimateAfter, OfATestThatWasAcceptedIsLessThanThePlainEstimate) {
  Sprt sprt({0, 50});
  for (int i = 0; sprt.accepted() == Hypothesis::kNone; ++i) sprt.Add(i % 3 == 0 ? 1 : 3);
  EXPECT_EQ(sprt.accepted(), Hypothesis::kH1);
  EXPECT_LT(EstimateAfter(sprt)->elo, EstimateElo(sprt.counts())->elo);
}

TEST(EstimateAfter, HasBoundsWhateverWasWon) {
  for (const int half_points : {0, 2, 4}) {
    Sprt sprt({0, 100});
    while (sprt.accepted() == Hypothesis::kNone) sprt.Add(half_points);
    const SprtEstimate estimate = *EstimateAfter(sprt);
    EXPECT_LE(estimate.elo_low, estimate.elo) << half_points;
    EXPECT_LE(estimate.elo, estimate.elo_high) << half_points;
  }
}

// The table is tests/bench/bench_sprt_bars.cc. Two deviations of 600 tests are 0.04 of the middle
// and 0.018 of the coverage.
TEST(EstimateAfter, IsAboveTheTruthInHalfOfTestsAndItsBarsHold) {
  constexpr int kTests = 600;
  for (const SprtTerms& terms :
       {SprtTerms{0, 60, 0.05, 0.05}, SprtTerms{0, 40, 0.1, 0.1, EloScale::kNormalized}}) {
    for (const double elo : {0.0, 60.0}) {
      SimulatedBlocks simulated(11);
      int above = 0;
      int plain_above = 0;
      int held = 0;
      for (int test = 0; test < kTests; ++test) {
        Sprt sprt(terms);
        while (sprt.accepted() == Hypothesis::kNone) {
          sprt.Add(simulated.HalfPoints(elo, 0.3, 0.3));
        }
        const SprtEstimate estimate = *EstimateAfter(sprt);
        above += estimate.elo > elo ? 1 : 0;
        plain_above += EstimateElo(sprt.counts())->elo > elo ? 1 : 0;
        held += estimate.elo_low <= elo && elo <= estimate.elo_high ? 1 : 0;
      }
      EXPECT_NEAR(static_cast<double>(above) / kTests, 0.5, 0.06) << elo;
      EXPECT_GT(std::abs(static_cast<double>(plain_above) / kTests - 0.5), 0.08) << elo;
      EXPECT_GT(static_cast<double>(held) / kTests, 0.93 - 0.018) << elo;
    }
  }
}

}  // namespace
}  // namespace referee::rating
