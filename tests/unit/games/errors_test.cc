#include "referee/games/errors.h"

#include "gtest/gtest.h"
#include "referee/base/errors.h"

namespace referee::games {
namespace {

TEST(BadPosition, KnowsWhereTheFaultWas) {
  EXPECT_EQ(PositionFaultOffset(BadPosition("dice", 1234, "expected 2")), 1234u);
  EXPECT_EQ(PositionFaultOffset(BadPosition("rings", 0, "(byte 7)")), 0u);
  EXPECT_EQ(PositionFaultOffset(BadValue("seats", "7", "one of 2 to 6")), 0u);
  EXPECT_EQ(PositionFaultOffset(absl::OkStatus()), 0u);
}

}  // namespace
}  // namespace referee::games
