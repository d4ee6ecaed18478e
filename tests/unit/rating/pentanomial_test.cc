#include "referee/rating/pentanomial.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/block.h"
#include "referee/rating/elo.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

double Error(const EloEstimate& estimate) { return (estimate.elo_high - estimate.elo_low) / 2; }

// The figures are those of fastchess's tests of its pentanomial and trinomial models. Its bars are
// those of the central limit theorem; ours are wider by what one block more may change, which is
// about 350 Elo divided by the number of blocks.
TEST(EstimateElo, AgreesWithPublishedPentanomialFigures) {
  const EloEstimate first = *EstimateElo(Counts({34, 54, 63, 64, 75}));
  EXPECT_NEAR(first.elo, 55.58, 0.05);
  EXPECT_NEAR(Error(first), 27.65 + 350.0 / 290, 0.1);
  EXPECT_NEAR(first.normalized_elo, 57.94, 0.2);
  EXPECT_NEAR(first.superiority, 1.0, 5e-4);

  const EloEstimate second = *EstimateElo(Counts({332, 433, 498, 333, 334}));
  EXPECT_NEAR(second.elo, -8.64, 0.01);
  EXPECT_NEAR(Error(second), 10.33 + 350.0 / 1930, 0.02);
  EXPECT_NEAR(second.normalized_elo, -9.17, 0.01);
  EXPECT_NEAR(second.superiority, 0.0505, 5e-4);

  const EloEstimate third = *EstimateElo(Counts({7895, 8757, 5685, 568, 9999}));
  EXPECT_NEAR(third.elo, -21.04, 0.01);
  EXPECT_NEAR(Error(third), 2.95 + 350.0 / 32904, 0.01);
  EXPECT_NEAR(third.normalized_elo, -19.01, 0.01);
}

TEST(EstimateElo, AgreesWithPublishedFiguresForBlocksOfOneMatch) {
  const EloEstimate estimate = *EstimateElo(Counts({96, 111, 136}));
  EXPECT_NEAR(estimate.elo, 40.70, 0.01);
  EXPECT_NEAR(Error(estimate), 30.43 + 350.0 / 343, 0.2);
  EXPECT_NEAR(estimate.normalized_elo, 49.77, 0.3);
  EXPECT_NEAR(estimate.superiority, 0.9960, 5e-4);
}

TEST(EstimateElo, IsNoneWithoutBlocks) { EXPECT_FALSE(EstimateElo(BlockCounts())); }

TEST(EstimateElo, BlocksOfTwoDrawsCountAsThoseOfAWinAndALoss) {
  EXPECT_EQ(HalfPoints(BlockOutcome{{{0, 1}}, {{1, 1}, {1, 1}}}, 0), 2);
  EXPECT_EQ(HalfPoints(BlockOutcome{{{0, 1}}, {{2, 1}, {1, 2}}}, 0), 2);
  EXPECT_EQ(HalfPoints(BlockOutcome{{{0, 1}}, {{1, 2}, {1, 1}}}, 0), 3);
}

// A block that is won is one success: by Clopper and Pearson five of them are not out of the
// question (2.5 %) for a probability of 0.025^(1/5), and the mid-P value of one half is 1/2^6.
TEST(EstimateElo, FiveBlocksToNoneAreOneSidedAndNoCertainty) {
  const EloEstimate won = *EstimateElo(Counts({0, 0, 0, 0, 5}));
  EXPECT_TRUE(std::isinf(won.elo) && std::isinf(won.elo_high));
  EXPECT_NEAR(won.elo_low, EloOfScore(std::pow(0.025, 1.0 / 5)), 1e-6);
  EXPECT_NEAR(won.elo_low, -15.2, 0.05);
  EXPECT_NEAR(won.superiority, 1 - 1.0 / 64, 1e-9);
  const EloEstimate lost = *EstimateElo(Counts({5, 0, 0, 0, 0}));
  EXPECT_TRUE(std::isinf(lost.elo) && std::isinf(lost.elo_low));
  EXPECT_NEAR(lost.elo_high, 15.2, 0.05);
}

TEST(EstimateElo, FewBlocksThatAllGaveTheSameHaveWideBars) {
  const EloEstimate shared = *EstimateElo(Counts({0, 0, 10, 0, 0}));
  EXPECT_EQ(shared.elo, 0);
  EXPECT_GT(Error(shared), 30);
  EXPECT_DOUBLE_EQ(shared.superiority, 0.5);
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
double Coverage(double elo, double draws, double together, int blocks, int runs) {
  SimulatedBlocks simulated(1);
  std::map<std::vector<int64_t>, bool> holds;  // few blocks often give the same
  int held = 0;
  for (int run = 0; run < runs; ++run) {
    BlockCounts counts;
    for (int i = 0; i < blocks; ++i) counts.Add(simulated.HalfPoints(elo, draws, together));
    const auto [place, added] = holds.try_emplace(counts.counts());
    if (added) {
      const EloEstimate estimate = *EstimateElo(counts);
      place->second = estimate.elo_low <= elo && elo <= estimate.elo_high;
    }
    held += place->second ? 1 : 0;
  }
  return static_cast<double>(held) / runs;
}

// The table is tests/bench/bench_duel_bars.cc.
TEST(EstimateElo, BarsOfFewBlocksHoldTheTruthWhateverTheMatchesOfABlockHaveInCommon) {
  for (const int blocks : {3, 5, 10, 20, 50}) {
    for (const double together : {-1.0, 0.0, 1.0}) {
      for (const double draws : {0.0, 0.6}) {
        for (const double elo : {0.0, 120.0, 600.0}) {
          EXPECT_GT(Coverage(elo, draws, together, blocks, 500), 0.93)
              << blocks << " blocks, " << elo << " Elo, " << draws << " " << together;
        }
      }
    }
  }
}

TEST(EstimateElo, BarsOfManyBlocksHoldTheTruthInNinetyFivePercent) {
  for (const double together : {0.0, 1.0}) {
    for (const double elo : {0.0, 120.0}) {
      const double coverage = Coverage(elo, 0.4, together, 1000, 500);
      EXPECT_GT(coverage, 0.93) << elo << " " << together;
      EXPECT_LT(coverage, 0.98) << elo << " " << together;
    }
  }
}

}  // namespace
}  // namespace referee::rating
