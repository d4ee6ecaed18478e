// Tests of what a planner repeats or discards after a refused change or an expired lease.
#include "referee/competition/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::Cancellation;
using competition::Planner;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Planner, PlansTheSameAgainWhenTheStoreDidNotTakeIt) {
  Office office(schedule::Format::kRoundRobin, 4);
  office.planner.BeginStep(office.situation);
  const Transaction refused(office.planner.Plan());
  const Transaction again(office.planner.Plan());
  ASSERT_THAT(refused.begun, SizeIs(2));
  ASSERT_THAT(again.begun, SizeIs(2));
  for (const size_t i : {0, 1}) EXPECT_EQ(again.begun[i].pairing, refused.begun[i].pairing);
}

TEST(Planner, NamesMatchesToTheStoreUntilItHasTakenThem) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.planner.BeginStep(office.situation);
  office.planner.Commit(office.planner.Plan());
  ASSERT_THAT(office.planner.BlocksToMake(), ElementsAre(0));
  office.planner.Made(0, {NumberedId(0), NumberedId(1)}, "block");
  for (int time = 0; time < 2; ++time) EXPECT_THAT(office.planner.open().Names(), SizeIs(1));
  office.planner.Named();
  EXPECT_THAT(office.planner.open().Names(), IsEmpty());
}

TEST(Planner, GivesUpMatchesOfABlockThatAnotherRefereeHasTakenOver) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  store::Block block = office.planner.open().at(0).block;
  block.owner = "another";
  const std::vector<Cancellation> lost = office.Load({block});
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].match, NumberedId(0));
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_EQ(office.planner.progress().blocks_running, 1);
}

TEST(Planner, GoesOnWithWhatItHasWhileTheLeaseIsTheSame) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.planner.GoOnUnder({kOwner, 1});
  EXPECT_FALSE(office.planner.stale());
}

// It lost the lease, and has another by now.
TEST(Planner, GivesUpWhatItHadBegunUnderALeaseThatHasEnded) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.planner.GoOnUnder({kOwner, 2});
  EXPECT_TRUE(office.planner.stale());
  EXPECT_FALSE(office.planner.TakeOver(office.row, office.entrants)) << "all is read again";
  // Claimed by another, and claimed back before that one had changed anything.
  const std::vector<Cancellation> lost = office.Load({office.planner.open().at(0).block});
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].match, NumberedId(0));
  EXPECT_THAT(office.planner.open().Unended(), ElementsAre(NumberedId(0), NumberedId(1)));
  EXPECT_EQ(office.planner.lease(), (store::Lease{kOwner, 2}));
  office.End(0, WonEnd());
  EXPECT_THAT(office.Load({office.planner.open().at(0).block}), IsEmpty()) << "once";
}

TEST(Planner, KnowsHowMatchesEndedAfterItHasReadAllAgain) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.End(0, WonEnd());
  EXPECT_THAT(office.Load({office.planner.open().at(0).block}), IsEmpty());
  EXPECT_THAT(office.planner.open().Unended(), ElementsAre(NumberedId(1)));
  office.End(1, WonEnd());
  EXPECT_THAT(ChangesOf<store::FinishBlock>(office.Step()),
              ElementsAre(Field(&store::FinishBlock::number, 0)));
}

}  // namespace
}  // namespace referee::testing
