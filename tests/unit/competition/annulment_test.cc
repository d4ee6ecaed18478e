// Tests that annulled results are subtracted from the standings.
#include "referee/competition/standings.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::competition {
namespace {

using ::testing::ElementsAre;

rating::BlockOutcome OutcomeOf(std::vector<int> bots, std::vector<std::vector<int>> ranks) {
  return {{std::move(bots)}, std::move(ranks)};
}

TEST(Annulment, LeavesTheOthersTheirRanksAmongThemselves) {
  const auto rest = WithoutAnnulled(OutcomeOf({4, 1, 0}, {{1, 2, 3}, {2, 2, 1}, {1, 1, 3}}),
                                    {false, false, false, false, true});
  ASSERT_TRUE(rest.has_value());
  EXPECT_THAT(rest->pairing.bots, ElementsAre(1, 0));
  EXPECT_THAT(rest->ranks, ElementsAre(ElementsAre(1, 2), ElementsAre(2, 1), ElementsAre(1, 2)));
}

TEST(Annulment, LeavesNothingOfABlockWithOneBotThatCounts) {
  EXPECT_FALSE(WithoutAnnulled(OutcomeOf({0, 1}, {{1, 2}, {1, 2}}), {true, false}).has_value());
}

TEST(Annulment, IsNamedByTheTable) {
  schedule::ScoreLine line;
  line.bot = 1;
  EXPECT_THAT(AnnulledIn({line}, 3), ElementsAre());
  line.annulled = true;
  EXPECT_THAT(AnnulledIn({line}, 3), ElementsAre(false, true, false));
}

}  // namespace
}  // namespace referee::competition
