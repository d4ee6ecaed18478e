// Tests that a finished match finds its competition by the call that made it.
#include "referee/competition/terms.h"

#include <gtest/gtest.h>

namespace referee::testing {
namespace {

TEST(CompetitionOfRequest, IsTheOneThatAskedForTheBlock) {
  store::Block block;
  block.competition = store::CompetitionId("01hf");
  block.number = 12;
  block.attempt = 3;
  const std::string request = competition::BlockRequestId(block);
  EXPECT_EQ(request, "c/01hf/12/3");
  EXPECT_EQ(competition::CompetitionOfRequest(request), block.competition);
}

TEST(CompetitionOfRequest, IsNoneForOtherCalls) {
  EXPECT_FALSE(competition::CompetitionOfRequest("").has_value());
  EXPECT_FALSE(competition::CompetitionOfRequest("cup/1/2").has_value());
}

}  // namespace
}  // namespace referee::testing
