// Tests of a planner that gives blocks of its competition to other referees, on plain values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// How many of the blocks that the transaction begins are for the helper.
int64_t GivenTo(const std::string& helper, const Transaction& transaction) {
  return std::count_if(transaction.begun.begin(), transaction.begun.end(),
                       [&](const store::BeginBlock& begun) { return begun.to == helper; });
}

TEST(PlannerOfAHome, BeginsBlocksWhereThereIsMostRoomForAllOfTheirBots) {
  Office office(schedule::Format::kLadder, 4);
  office.situation.host.max_running = 2;  // a block
  office.situation.help = {{"helper", 3, {8, 8, 8, 8}}};
  const Transaction first = office.Step();
  ASSERT_THAT(first.begun, SizeIs(4));
  EXPECT_EQ(GivenTo("helper", first), 3);
  EXPECT_THAT(office.made, SizeIs(1)) << "the rest is the helper's to make";
  EXPECT_THAT(office.planner.now().foreign, SizeIs(3));
  EXPECT_THAT(office.Step().begun, IsEmpty()) << "it has what it offered";
}

TEST(PlannerOfAHome, GivesAHelperOnlyBlocksOfBotsThatHavePlacesThere) {
  Office office(schedule::Format::kLadder, 4);
  office.situation.host.bots.assign(4, {true, 0, ""});
  office.situation.help = {{"helper", 9, {2, 1, 2}}};  // a block needs two
  const Transaction step = office.Step();
  ASSERT_THAT(step.begun, SizeIs(1));
  EXPECT_EQ(step.begun[0].to, "helper");
  EXPECT_THAT(step.begun[0].pairing.bots, ::testing::UnorderedElementsAre(0, 2));
}

TEST(PlannerOfAHome, GivesAHelperNoMoreThanItHasRoomFor) {
  Office office(schedule::Format::kLadder, 8);
  office.situation.host.max_running = 2;  // a block
  office.situation.help = {{"helper", 2, {8, 8, 8, 8, 8, 8, 8, 8}}};
  const Transaction first = office.Step();
  ASSERT_THAT(first.begun, SizeIs(3));
  EXPECT_EQ(GivenTo("helper", first), 2);
  office.situation.host.running = 2;
  office.situation.host.max_running = 4;
  const Transaction second = office.Step();
  ASSERT_THAT(second.begun, SizeIs(1));
  EXPECT_EQ(GivenTo("helper", second), 0);
}

TEST(PlannerOfAHome, NoBotHoldsMoreThanItsShareOverAllReferees) {
  Office office(schedule::Format::kLadder, 4);
  office.row.spec.max_running = 2;  // a share of one block
  office.Load({});
  office.situation.help = {{"helper", 9, {8, 8, 8, 8}}};
  const Transaction step = office.Step();
  ASSERT_THAT(step.begun, SizeIs(2));
  std::set<int> bots;
  for (const store::BeginBlock& begun : step.begun) {
    bots.insert(begun.pairing.bots.begin(), begun.pairing.bots.end());
  }
  EXPECT_THAT(bots, SizeIs(4));
}

TEST(PlannerOfAHome, CountsWhatAHelperHasPlayed) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 1;
  office.Load({});
  office.situation.host.max_running = 1;
  office.situation.host.running = 1;  // so no block
  office.situation.help = {{"helper", 1, {2, 2}}};
  const Transaction begun = office.Step();
  ASSERT_EQ(GivenTo("helper", begun), 1);
  store::Block played;
  played.competition = office.row.id;
  played.pairing = begun.begun[0].pairing;
  played.state = store::BlockState::kPlayed;
  played.matches = {{NumberedId(0), WonEnd().verdict}, {NumberedId(1), WonEnd().verdict}};
  office.planner.TakeIn(played);
  const Transaction counted = office.Step();
  ASSERT_TRUE(counted.count.has_value());
  EXPECT_EQ(counted.count->to, 1);
  EXPECT_EQ(GivenTo("helper", counted), 1) << "it has room again";
}

}  // namespace
}  // namespace referee::testing
