#include "referee/rating/evidence.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

using ::testing::ElementsAre;

TEST(Evidence, KeepsOneRowAPairHoweverManyBlocksAndWhicheverSeat) {
  Evidence evidence;
  evidence.Add(PairBlock(3, 1, 4));
  evidence.Add(PairBlock(1, 3, 1));
  evidence.Add(PairBlock(1, 0, 2));
  EXPECT_THAT(evidence.pairs(),
              ElementsAre(PairRow{1, 3, {1, 1, 0, 0, 0}}, PairRow{0, 1, {0, 0, 1, 0, 0}}));
  EXPECT_THAT(evidence.blocks_of(), ElementsAre(1, 3, 0, 2));
}

TEST(Evidence, OfMoreSeatsKeepsEachBlock) {
  Evidence evidence;
  const BlockOutcome block = {{{4, 0, 2}}, {{1, 2, 3}, {1, 1, 3}, {3, 1, 2}}};
  evidence.Add(block);
  evidence.Add(block);
  const RankedRow row = {{4, 0, 2}, {{1, 2, 3}, {1, 1, 3}, {3, 1, 2}}};
  EXPECT_THAT(evidence.ranked(), ElementsAre(row, row));
  EXPECT_THAT(evidence.blocks_of(), ElementsAre(2, 0, 2, 0, 2));
}

TEST(Evidence, IsTheSameAgainFromItsRows) {
  SimulatedBlocks simulated(1);
  Evidence evidence;
  for (int i = 0; i < 200; ++i) evidence.Add(PairBlock(i % 7, 7 + i % 5, simulated.HalfPoints(0)));
  evidence.Add(RankedRow{{0, 1, 2}, {{1, 2, 3}}});
  Evidence again;
  for (const PairRow& row : evidence.pairs()) again.Add(row);
  for (const RankedRow& row : evidence.ranked()) again.Add(row);
  EXPECT_EQ(again.pairs(), evidence.pairs());
  EXPECT_EQ(again.ranked(), evidence.ranked());
  EXPECT_EQ(again.blocks_of(), evidence.blocks_of());
}

TEST(Evidence, AddsRowsOfTheSamePair) {
  Evidence evidence;
  evidence.Add(PairRow{0, 1, {1, 0, 2, 0, 0}});
  evidence.Add(PairRow{0, 1, {0, 3, 0, 0, 4}});
  EXPECT_THAT(evidence.pairs(), ElementsAre(PairRow{0, 1, {1, 3, 2, 0, 4}}));
  EXPECT_THAT(evidence.blocks_of(), ElementsAre(10, 10));
}

}  // namespace
}  // namespace referee::rating
