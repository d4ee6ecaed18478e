// Tests of balanced designs: every two bots are together equally often.
#include "referee/schedule/design.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

struct Parameters {
  int bots;
  int group;
  int meetings;
  size_t groups;
};

TEST(BalancedDesign, IsFoundWhereKnownOnesRotate) {
  const Parameters kKnown[] = {
      {7, 3, 1, 7},                                     // the Fano plane
      {9, 3, 1, 12},                                    // the affine plane of order 3
      {13, 3, 1, 26},                                   // Steiner triple systems
      {15, 3, 1, 35}, {31, 3, 1, 155}, {13, 4, 1, 13},  // projective planes
      {21, 5, 1, 21}, {31, 6, 1, 31},  {16, 4, 1, 20},  // affine planes
      {25, 5, 1, 30}, {11, 5, 2, 11},  {11, 6, 3, 11}, {7, 4, 2, 7}, {6, 5, 4, 6},  // all but one
      {4, 4, 3, 3},                                                                 // all
  };
  for (const auto& [bots, group, meetings, groups] : kKnown) {
    const absl::optional<Wave> design = BalancedDesign(bots, group, meetings);
    ASSERT_TRUE(design.has_value()) << bots << " in " << group;
    EXPECT_EQ(design->size(), groups) << bots << " in " << group;
    const Evenness even = EvennessOf(*design, bots);
    EXPECT_EQ(even.least_met, meetings) << bots << " in " << group;
    EXPECT_EQ(even.most_met, meetings) << bots << " in " << group;
  }
}

TEST(BalancedDesign, IsNotFoundWhereThereIsNone) {
  EXPECT_FALSE(BalancedDesign(8, 3, 1).has_value()) << "seven others do not come in twos";
  EXPECT_FALSE(BalancedDesign(6, 3, 1).has_value());
  EXPECT_FALSE(BalancedDesign(16, 6, 1).has_value()) << "it would, but there are too few groups";
  EXPECT_FALSE(BalancedDesign(kMaxDesignBots + 1, 3, 6).has_value());
}

TEST(DesignInWaves, OfAnAffinePlaneEverybodyPlaysInEachWave) {
  const absl::optional<std::vector<Wave>> waves = InWaves(*BalancedDesign(16, 4, 1), 16, 1);
  ASSERT_TRUE(waves.has_value());
  EXPECT_EQ(waves->size(), 5u);
  for (const Wave& wave : *waves) EXPECT_EQ(wave.size(), 4u);
}

TEST(DesignInWaves, OfAProjectivePlaneSomebodyGetsAhead) {
  const Wave fano = *BalancedDesign(7, 3, 1);
  EXPECT_FALSE(InWaves(fano, 7, 1).has_value()) << "any two of its groups share a bot";
  const absl::optional<std::vector<Wave>> waves = InWaves(fano, 7, 2);
  ASSERT_TRUE(waves.has_value());
  EXPECT_EQ(waves->size(), 7u);
}

}  // namespace
}  // namespace referee::schedule
