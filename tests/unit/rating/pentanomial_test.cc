#include "referee/rating/pentanomial.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/block.h"
#include "referee/rating/elo.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

double Error(const EloEstimate& estimate) { return (estimate.elo_high - estimate.elo_low) / 2; }

// The figures are those of fastchess's tests of its pentanomial and trinomial models.
TEST(EstimateElo, AgreesWithPublishedPentanomialFigures) {
  const EloEstimate first = *EstimateElo(Counts({34, 54, 63, 64, 75}));
  EXPECT_NEAR(first.elo, 55.58, 0.05);
  EXPECT_NEAR(Error(first), 27.65, 0.1);
  EXPECT_NEAR(first.normalized_elo, 57.94, 0.2);
  EXPECT_NEAR(first.superiority, 1.0, 5e-4);

  const EloEstimate second = *EstimateElo(Counts({332, 433, 498, 333, 334}));
  EXPECT_NEAR(second.elo, -8.64, 0.01);
  EXPECT_NEAR(Error(second), 10.33, 0.01);
  EXPECT_NEAR(second.normalized_elo, -9.17, 0.01);
  EXPECT_NEAR(second.superiority, 0.0505, 1e-4);

  const EloEstimate third = *EstimateElo(Counts({7895, 8757, 5685, 568, 9999}));
  EXPECT_NEAR(third.elo, -21.04, 0.01);
  EXPECT_NEAR(Error(third), 2.95, 0.01);
  EXPECT_NEAR(third.normalized_elo, -19.01, 0.01);
}

TEST(EstimateElo, AgreesWithPublishedFiguresForBlocksOfOneMatch) {
  const EloEstimate estimate = *EstimateElo(Counts({96, 111, 136}));
  EXPECT_NEAR(estimate.elo, 40.70, 0.01);
  EXPECT_NEAR(Error(estimate), 30.43, 0.2);
  EXPECT_NEAR(estimate.normalized_elo, 49.77, 0.3);
  EXPECT_NEAR(estimate.superiority, 0.9960, 5e-4);
}

TEST(EstimateElo, IsNoneWithoutBlocks) { EXPECT_FALSE(EstimateElo(BlockCounts())); }

TEST(EstimateElo, BlocksOfTwoDrawsCountAsThoseOfAWinAndALoss) {
  EXPECT_EQ(HalfPoints(BlockOutcome{{{0, 1}}, {{1, 1}, {1, 1}}}, 0), 2);
  EXPECT_EQ(HalfPoints(BlockOutcome{{{0, 1}}, {{2, 1}, {1, 2}}}, 0), 2);
  EXPECT_EQ(HalfPoints(BlockOutcome{{{0, 1}}, {{1, 2}, {1, 1}}}, 0), 3);
}

TEST(EstimateElo, FewBlocksThatAllGaveTheSameHaveWideBars) {
  const EloEstimate shared = *EstimateElo(Counts({0, 0, 10, 0, 0}));
  EXPECT_EQ(shared.elo, 0);
  EXPECT_GT(Error(shared), 30);
  EXPECT_DOUBLE_EQ(shared.superiority, 0.5);
  const EloEstimate won = *EstimateElo(Counts({0, 0, 0, 0, 10}));
  EXPECT_TRUE(std::isinf(won.elo) && std::isinf(won.elo_high));
  EXPECT_TRUE(std::isfinite(won.elo_low));
  EXPECT_LT(EstimateElo(Counts({0, 0, 0, 0, 1}))->superiority, 0.95);
}

TEST(EstimateElo, IsTheOppositeForTheOpponent) {
  const EloEstimate mine = *EstimateElo(Counts({3, 5, 20, 11, 7}));
  const EloEstimate theirs = *EstimateElo(Counts({7, 11, 20, 5, 3}));
  EXPECT_NEAR(mine.elo, -theirs.elo, 1e-9);
  EXPECT_NEAR(mine.elo_low, -theirs.elo_high, 1e-9);
  EXPECT_NEAR(mine.superiority, 1 - theirs.superiority, 1e-12);
}

// How often the bars hold the truth, over many runs of some blocks.
double Coverage(double elo, double draws, double together, int blocks, uint64_t seed) {
  constexpr int kRuns = 4000;
  SimulatedBlocks simulated(seed);
  int held = 0;
  for (int run = 0; run < kRuns; ++run) {
    BlockCounts counts;
    for (int i = 0; i < blocks; ++i) counts.Add(simulated.HalfPoints(elo, draws, together));
    const EloEstimate estimate = *EstimateElo(counts);
    held += estimate.elo_low <= elo && elo <= estimate.elo_high ? 1 : 0;
  }
  return static_cast<double>(held) / kRuns;
}

TEST(EstimateElo, BarsHoldTheTruthInNinetyFivePercentWhateverTheMatchesOfABlockHaveInCommon) {
  for (const double together : {0.0, 0.5, 1.0}) {
    for (const double draws : {0.0, 0.4}) {
      for (const double elo : {0.0, 120.0}) {
        const double coverage = Coverage(elo, draws, together, 100, 1);
        EXPECT_GT(coverage, 0.93) << elo << " " << draws << " " << together;
        EXPECT_LT(coverage, 0.97) << elo << " " << draws << " " << together;
      }
    }
  }
}

}  // namespace
}  // namespace referee::rating
