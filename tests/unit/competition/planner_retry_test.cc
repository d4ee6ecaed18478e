// Tests of which blocks a planner begins beside a block that is played again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Blocks count in order.
TEST(Planner, KeepsTheSlotsOfBotsForABlockThatIsPlayedAgain) {
  Office office(schedule::Format::kLadder, 4);
  for (host::BotView& bot : office.situation.host.bots) bot.free_slots = 2;
  const Transaction first = office.Step();
  ASSERT_THAT(first.begun, SizeIs(2));
  const std::vector<int> bots = first.begun[0].pairing.bots;
  // The bots of both blocks come back to another referee one by one.
  for (host::BotView& bot : office.situation.host.bots) bot = {false, 0, ""};
  office.EndBlock(0, VoidEnd());
  ASSERT_THAT(ChangesOf<store::RetryBlock>(office.Step()), SizeIs(1));
  office.EndBlock(2, WonEnd());
  const auto connect = [&](int bot) {
    office.situation.host.bots[static_cast<size_t>(bot)] = {true, 2, ""};
  };
  for (const store::BeginBlock& begin : first.begun) connect(begin.pairing.bots[0]);
  office.Pass(absl::Seconds(1));
  EXPECT_THAT(office.Step().begun, IsEmpty()) << "one of the two waits for its opponent";
  EXPECT_THAT(office.made, IsEmpty());
  connect(bots[1]);
  office.Step();
  EXPECT_THAT(office.made, ElementsAre(0));
}

TEST(Planner, KeepsNoSlotsForABlockWhoseBotsDoNotCome) {
  Office office(schedule::Format::kLadder, 3);
  for (host::BotView& bot : office.situation.host.bots) bot.free_slots = 2;
  const Transaction first = office.Step();
  ASSERT_THAT(first.begun, SizeIs(1));
  office.EndBlock(0, VoidEnd());
  // One of the two takes no matches from now on.
  office.situation.host.bots[static_cast<size_t>(first.begun[0].pairing.bots[1])] = {true, 0, "",
                                                                                     true};
  EXPECT_THAT(office.Step().begun, IsEmpty());
  office.Pass(absl::Seconds(9));
  EXPECT_THAT(office.Step().begun, IsEmpty());
  office.Pass(absl::Seconds(2));
  EXPECT_THAT(office.Step().begun, SizeIs(1)) << "the others do not wait for it";
}

// It is over, and how long it waits is for the shelf to say.
TEST(Planner, KeepsNoSlotsForABlockWhoseReplaysWaitForTheShelf) {
  Office office(schedule::Format::kLadder, 3);
  for (host::BotView& bot : office.situation.host.bots) bot.free_slots = 2;
  ASSERT_THAT(office.Step().begun, SizeIs(1));
  competition::MatchEnd end = VoidEnd();
  end.shared = false;
  office.EndBlock(0, end);
  EXPECT_THAT(office.Step().begun, SizeIs(1));
}

}  // namespace
}  // namespace referee::testing
