// Tests of how long a planner waits with blocks whose bots are offline or take no matches.
#include "referee/competition/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::Planner;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Planner, CancelsABlockThatWaitsInTheHostForABotThatHasLeftAndDropsIt) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.situation.host.waiting = {NumberedId(0)};
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_THAT(office.cancelled, IsEmpty());
  office.entrants[1].presence = store::Presence::kWithdrawn;
  office.row.next_block = 1;
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  office.Step();
  ASSERT_THAT(office.cancelled, SizeIs(1));
  EXPECT_EQ(office.cancelled[0].match, NumberedId(0));
  EXPECT_EQ(office.cancelled[0].reason, "'bot1' has left");
  office.EndBlock(0, VoidEnd());
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].number, 0);
  EXPECT_EQ(dropped[0].state, store::BlockState::kDropped);
}

TEST(Planner, TakesOutABotThatWasAwayForTheAbsenceLimitWhileItsBlocksWaited) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.situation.host.bots[1] = {};
  const Instant begun = office.situation.now;
  office.Step();
  EXPECT_EQ(office.planner.progress().waits_for, "'bot1' is not connected");
  office.Pass(absl::Minutes(10) - absl::Seconds(1));
  office.Step();
  EXPECT_THAT(office.removed, IsEmpty());
  EXPECT_EQ(office.planner.NextStep(), begun + absl::Minutes(10));
  office.Pass(absl::Seconds(1));
  office.Step();
  ASSERT_THAT(office.removed, SizeIs(1));
  EXPECT_EQ(office.removed[0].bot, 1);
  EXPECT_EQ(office.removed[0].out, store::Presence::kWithdrawn);
  EXPECT_THAT(office.removed[0].reason, HasSubstr("was not connected for 10m"));
  EXPECT_TRUE(office.planner.stale());
}

TEST(Planner, TakesOutABotThatIsThereButTakesNoMatchesForTheAbsenceLimit) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.situation.host.bots[1].free_slots = 0;
  office.situation.host.bots[1].takes_none = true;
  office.Step();
  EXPECT_THAT(office.planner.progress().waits_for, HasSubstr("'bot1' has not 2 slots free"));
  office.Pass(absl::Minutes(10));
  office.Step();
  ASSERT_THAT(office.removed, SizeIs(1));
  EXPECT_THAT(office.removed[0].reason, HasSubstr("took no matches for 10m"));
}

TEST(Planner, DropsABlockOfALadderWhoseBotTakesNoMatchesAndGivesItTimeToBeDoneElsewhere) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 1;
  office.Load({});
  office.Step();
  // It has begun, and waits to begin again.
  office.situation.host.bots[1].free_slots = 0;
  office.situation.host.bots[1].takes_none = true;
  office.EndBlock(0, VoidEnd());
  office.Step();
  office.Pass(absl::Minutes(2) - absl::Seconds(1));
  EXPECT_THAT(ChangesOf<store::DropBlock>(office.Step()), IsEmpty());
  EXPECT_EQ(office.planner.NextStep(), office.situation.now + absl::Seconds(1));
  office.Pass(absl::Seconds(1));
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].reason, "'bot1' takes no matches");
}

// A ladder of two bots, of which the second takes no matches while their block waits to begin
// again.
class BotThatIsElsewhere : public ::testing::Test {
 protected:
  BotThatIsElsewhere() {
    office_.row.spec.max_running = 1;
    office_.Load({});
    office_.Step();
    TakesNone();
    office_.EndBlock(0, VoidEnd());
    office_.Step();
  }

  void TakesNone() { office_.situation.host.bots[1] = {true, 0, "", true}; }
  void IsGone() { office_.situation.host.bots[1] = {}; }
  void TakesMatches() { office_.situation.host.bots[1] = {true, 8, ""}; }

  Office office_{schedule::Format::kLadder, 2};
};

TEST_F(BotThatIsElsewhere, PlaysItsBlockAsSoonAsItComes) {
  office_.Pass(absl::Minutes(3));
  TakesMatches();
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  EXPECT_THAT(office_.made, Contains(0));
}

TEST_F(BotThatIsElsewhere, IsWaitedForFromThenOnWhenItIsGone) {
  office_.Pass(absl::Minutes(1));
  IsGone();
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  office_.Pass(absl::Seconds(9));
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  office_.Pass(absl::Seconds(1));
  const auto dropped = ChangesOf<store::DropBlock>(office_.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].reason, "'bot1' is away");
}

TEST_F(BotThatIsElsewhere, IsNotWaitedForAnyLongerBecauseItComesAndGoes) {
  for (int i = 0; i < 15; ++i) {
    office_.Pass(absl::Seconds(4));
    IsGone();
    EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
    office_.Pass(absl::Seconds(4) - absl::Milliseconds(1));
    TakesNone();
    EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  }
  office_.Pass(absl::Milliseconds(15));
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), SizeIs(1));
}

}  // namespace
}  // namespace referee::testing
