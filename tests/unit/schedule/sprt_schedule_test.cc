// Tests of the schedule of an SPRT: the same two bots, up to the maximum number of blocks.
#include <memory>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

Spec TheTest(int rounds) {
  Spec spec = SpecOf(Format::kTest, 2);
  spec.sprt = rating::SprtTerms{0, 10};
  spec.rounds = rounds;
  return spec;
}

TEST(SprtSchedule, GivesItsTwoBotsAsManyBlocksAtOnceAsTheyAreFreeFor) {
  const auto schedule = Schedule::MakeTest(TheTest(0), 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(schedule->Next({true, true}, Instant()), (rating::Pairing{{0, 1}}));
  }
  EXPECT_EQ(schedule->Next({true, false}, Instant()), absl::nullopt);
  EXPECT_EQ(schedule->blocks_left(), -1) << "nobody knows";
  EXPECT_TRUE(schedule->needs(1));
}

TEST(SprtSchedule, IsDoneWhenAllBlocksThatItMayPlayAreOver) {
  const auto schedule = Schedule::MakeTest(TheTest(3), 1);  // one of them was before
  EXPECT_EQ(schedule->blocks_left(), 2);
  EXPECT_TRUE(schedule->Next({true, true}, Instant()).has_value());
  EXPECT_TRUE(schedule->Next({true, true}, Instant()).has_value());
  EXPECT_EQ(schedule->Next({true, true}, Instant()), absl::nullopt);
  schedule->Played(2, {});
  EXPECT_FALSE(schedule->done());
  schedule->Dropped(1);
  EXPECT_TRUE(schedule->done());
}

TEST(SprtSchedule, EndsWhenABotLeaves) {
  const auto schedule = Schedule::MakeTest(TheTest(0), 0);
  ASSERT_TRUE(schedule->Next({true, true}, Instant()).has_value());
  schedule->Withdraw(1);
  EXPECT_EQ(schedule->Next({true, true}, Instant()), absl::nullopt);
  EXPECT_EQ(schedule->blocks_left(), 0);
  EXPECT_FALSE(schedule->needs(0));
  EXPECT_FALSE(schedule->done()) << "a block is played";
  schedule->Played(0, {});
  EXPECT_TRUE(schedule->done());
}

}  // namespace
}  // namespace referee::schedule
