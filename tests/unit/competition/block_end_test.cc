// Tests of blocks that an organiser interrupts.
#include "referee/competition/block_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "referee/competition/planner.h"
#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::MatchEnd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A match that an organiser cancelled: with `match cancel`, or with `ban add --now`.
MatchEnd CancelledEnd() {
  MatchEnd end;
  end.verdict.ending = match::Ending::kCancelled;
  end.verdict.reason = "cancelled: bot1 was banned";
  end.verdict.cancelled_by = "olga";
  return end;
}

// A ladder of two bots whose first block has begun.
Office OfficeWithABlock() {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 1;
  office.Load({});
  office.Step();
  return office;
}

// Seat a won rotation 0, so the bot at place 1 has lost that match. Takes its connection away.
void DisconnectLoser(Office* office) {
  const int loser = office->planner.open().at(0).block.pairing.bots[1];
  office->situation.host.bots[static_cast<size_t>(loser)] = {};
}

TEST(BlockEnd, BlockThatABanCancelledIsDroppedAndNotForfeited) {
  Office office = OfficeWithABlock();
  DisconnectLoser(&office);
  office.End(0, WonEnd());
  office.End(1, CancelledEnd());
  const auto retried = ChangesOf<store::RetryBlock>(office.Step());
  ASSERT_THAT(retried, SizeIs(1)) << "it is played again if the bot comes back";
  EXPECT_EQ(retried[0].failed.cancelled_by, "olga");
  office.Step();  // the block waits for its bot
  office.Pass(limits::kLadderPatience);
  const Transaction transaction = office.Step();
  EXPECT_THAT(ChangesOf<store::FinishBlock>(transaction), IsEmpty());
  const auto dropped = ChangesOf<store::DropBlock>(transaction);
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].state, store::BlockState::kDropped);
  EXPECT_THAT(dropped[0].reason, HasSubstr("is away"));
}

TEST(BlockEnd, BanGivesNoEarlierAttemptToTheOpponent) {
  Office office = OfficeWithABlock();
  office.End(0, WonEnd());
  office.End(1, VoidEnd());
  ASSERT_THAT(ChangesOf<store::RetryBlock>(office.Step()), SizeIs(1));
  office.Step();
  DisconnectLoser(&office);
  office.EndBlock(2, CancelledEnd());
  office.Step();
  office.Step();
  office.Pass(limits::kLadderPatience);
  const Transaction transaction = office.Step();
  EXPECT_THAT(ChangesOf<store::FinishBlock>(transaction), IsEmpty());
  EXPECT_THAT(ChangesOf<store::DropBlock>(transaction), SizeIs(1));
}

// Withdraws the bot at place 1, after so many attempts at the block.
void WithdrawLoser(Office* office, int64_t attempts) {
  const int loser = office->planner.open().at(0).block.pairing.bots[1];
  office->entrants[static_cast<size_t>(loser)].presence = store::Presence::kWithdrawn;
  office->row.next_block = 1;
  office->row.replayed = attempts;
  ASSERT_TRUE(office->planner.TakeOver(office->row, office->entrants));
}

TEST(BlockEnd, BotThatLeftBeforeAnOrganiserCancelledForfeits) {
  Office office = OfficeWithABlock();
  const int loser = office.planner.open().at(0).block.pairing.bots[1];
  office.End(0, WonEnd());
  WithdrawLoser(&office, 0);
  office.End(1, CancelledEnd());
  const auto finished = ChangesOf<store::FinishBlock>(office.Step());
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_THAT(finished[0].forfeited_by, ElementsAre(loser));
  ASSERT_TRUE(finished[0].failed.has_value());
  EXPECT_EQ(finished[0].failed->cancelled_by, "olga");
}

TEST(BlockEnd, BotThatLeavesAfterAnOrganiserCancelledLosesNothing) {
  Office office = OfficeWithABlock();
  office.situation.host.bots[0].free_slots = 0;  // so that the block waits
  office.End(0, WonEnd());
  office.End(1, CancelledEnd());
  ASSERT_THAT(ChangesOf<store::RetryBlock>(office.Step()), SizeIs(1));
  WithdrawLoser(&office, 1);
  const Transaction transaction = office.Step();
  EXPECT_THAT(ChangesOf<store::FinishBlock>(transaction), IsEmpty());
  EXPECT_THAT(ChangesOf<store::DropBlock>(transaction), SizeIs(1));
}

TEST(BlockEnd, BotThatLeavesAnAttemptAfterACancelledOneForfeits) {
  Office office = OfficeWithABlock();
  const int loser = office.planner.open().at(0).block.pairing.bots[1];
  office.EndBlock(0, CancelledEnd());
  ASSERT_THAT(ChangesOf<store::RetryBlock>(office.Step()), SizeIs(1));
  office.Step();
  DisconnectLoser(&office);
  office.End(2, WonEnd());
  office.End(3, VoidEnd());
  office.Step();
  office.Step();
  office.Pass(limits::kLadderPatience);
  const auto finished = ChangesOf<store::FinishBlock>(office.Step());
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_THAT(finished[0].forfeited_by, ElementsAre(loser));
}

}  // namespace
}  // namespace referee::testing
