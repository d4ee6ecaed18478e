// Tests of void blocks: when a planner repeats them, and which bots it suspends or lets lose.
#include "referee/competition/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::MatchEnd;
using competition::Planner;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Lets the block that was made last come to nothing, and waits until it is made again.
void Void(Office* office, const MatchEnd& first, const MatchEnd& second) {
  office->End(office->next_match - 2, first);
  office->End(office->next_match - 1, second);
  office->Step();
  for (int i = 0; i < 60 && office->made.empty(); ++i) {
    office->Pass(absl::Seconds(1));
    office->Step();
  }
}

// Void since the bot in this seat was late.
MatchEnd Late(int seat) {
  MatchEnd end = VoidEnd();
  end.verdict.times.seats.resize(2);
  end.verdict.times.late = Seat(seat);
  return end;
}

TEST(Planner, PlaysAVoidBlockAgainAFewTimesAndThenGoesOnWithoutIt) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  std::vector<absl::Duration> waits;
  for (int attempt = 1; attempt < limits::kMaxBlockAttempts; ++attempt) {
    office.End(office.next_match - 2, WonEnd());
    office.End(office.next_match - 1, VoidEnd());
    const auto retried = ChangesOf<store::RetryBlock>(office.Step());
    ASSERT_THAT(retried, SizeIs(1)) << attempt;
    EXPECT_EQ(retried[0].failed.reason, "the referee stood still");
    EXPECT_THAT(retried[0].failed.matches[0].verdict.ranks, ElementsAre(1, 2));
    EXPECT_THAT(retried[0].failed.matches[1].verdict.ranks, IsEmpty());
    EXPECT_THAT(office.planner.TakeLog(), ElementsAre(HasSubstr("the referee stood still")));
    absl::Duration waited;
    for (; office.made.empty(); waited += absl::Seconds(1)) {
      office.Pass(absl::Seconds(1));
      office.Step();
    }
    waits.push_back(waited);
  }
  EXPECT_THAT(waits, ElementsAre(absl::ZeroDuration(), absl::Seconds(2), absl::Seconds(10)));
  office.End(office.next_match - 2, WonEnd());
  office.End(office.next_match - 1, VoidEnd());
  const Transaction last = office.Step();
  const auto dropped = ChangesOf<store::DropBlock>(last);
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].state, store::BlockState::kVoid);
  EXPECT_THAT(dropped[0].reason, HasSubstr("4 attempts came to nothing"));
  EXPECT_TRUE(dropped[0].failed.has_value());
  ASSERT_TRUE(last.count.has_value());
  EXPECT_EQ(last.count->to, 1);
  ASSERT_THAT(last.count->entrants, SizeIs(2));
  EXPECT_EQ(last.count->entrants[0].tally.conduct.voids, limits::kMaxBlockAttempts);
  EXPECT_EQ(last.count->entrants[0].tally.blocks, 0);
  EXPECT_TRUE(office.planner.done());
}

TEST(Planner, BotThatLeavesAVoidBlockAfterLosingAMatchOfItLosesBoth) {
  for (const bool waits : {false, true}) {
    Office office(schedule::Format::kLadder, 2);
    office.row.spec.max_running = 1;
    office.Load({});
    office.Step();
    const std::vector<int> bots = office.planner.open().at(0).block.pairing.bots;
    const int loser = bots[1];  // seat a wins, which is bots[0] in rotation 0
    if (waits) {
      // It leaves when the block waits to begin again.
      office.situation.host.bots[0].free_slots = 0;
      office.End(0, WonEnd());
      office.End(1, VoidEnd());
      office.Step();
    }
    office.entrants[static_cast<size_t>(loser)].presence = store::Presence::kWithdrawn;
    office.row.next_block = 1;
    office.row.replayed = waits ? 1 : 0;
    ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
    if (!waits) {
      office.End(0, WonEnd());
      office.End(1, VoidEnd());
    }
    const Transaction transaction = office.Step();
    const auto finished = ChangesOf<store::FinishBlock>(transaction);
    ASSERT_THAT(finished, SizeIs(1)) << waits;
    EXPECT_THAT(finished[0].forfeited_by, ElementsAre(loser));
    EXPECT_THAT(finished[0].reason, HasSubstr("has left after losing a match of it"));
    EXPECT_THAT(finished[0].matches[0].verdict.ranks, ElementsAre(1, 2));
    EXPECT_THAT(finished[0].matches[1].verdict.ranks, ElementsAre(2, 1));
    ASSERT_TRUE(transaction.count.has_value());
    for (const store::CountBlocks::Line& line : transaction.count->entrants) {
      EXPECT_EQ(line.tally.losses, line.entrant == loser ? 2 : 0);
      EXPECT_EQ(line.tally.wins, line.entrant == loser ? 0 : 2);
      EXPECT_EQ(line.tally.conduct.voids, 1);
    }
  }
}

// The bot at `place` of the first block of a ladder, which has begun, leaves.
void LeaveFirstBlock(Office* office, size_t place) {
  office->row.spec.max_running = 1;
  office->Load({});
  office->Step();
  const int bot = office->planner.open().at(0).block.pairing.bots[place];
  office->entrants[static_cast<size_t>(bot)].presence = store::Presence::kWithdrawn;
  office->row.next_block = 1;
  ASSERT_TRUE(office->planner.TakeOver(office->row, office->entrants));
}

TEST(Planner, BotThatLeavesAVoidBlockInWhichItLostNothingLosesNothing) {
  Office office(schedule::Format::kLadder, 2);
  LeaveFirstBlock(&office, 0);
  office.End(0, WonEnd());
  office.End(1, VoidEnd());
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].state, store::BlockState::kDropped);
  EXPECT_THAT(dropped[0].reason, HasSubstr("has left"));
}

TEST(Planner, BotThatLeavesABlockOfWhichARecordIsMissingLosesNothing) {
  Office office(schedule::Format::kLadder, 2);
  LeaveFirstBlock(&office, 1);
  office.End(0, WonEnd());
  MatchEnd unrecorded = VoidEnd();
  unrecorded.recorded = false;
  unrecorded.verdict.forfeits = {{Seat(0), match::Cause::kTimeout}};
  office.End(1, unrecorded);
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  ASSERT_TRUE(dropped[0].failed.has_value());
  EXPECT_TRUE(dropped[0].failed->matches[0].recorded);
  EXPECT_FALSE(dropped[0].failed->matches[1].recorded);
  EXPECT_THAT(dropped[0].failed->matches[1].verdict.forfeits, IsEmpty());
}

TEST(Planner, BotThatResignsOneMatchAndIsLateInTheOtherIsSetAsideAndLosesBoth) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  const int offender = office.planner.open().at(0).block.pairing.bots[1];
  // In rotation 1 it has seat a.
  for (int i = 1; i < limits::kLatesToSetAside; ++i) Void(&office, WonEnd(), Late(0));
  EXPECT_THAT(office.removed, IsEmpty());
  office.End(office.next_match - 2, WonEnd());
  office.End(office.next_match - 1, Late(0));
  office.Step();
  ASSERT_THAT(office.removed, SizeIs(1));
  EXPECT_EQ(office.removed[0].bot, offender);
  EXPECT_EQ(office.removed[0].out, store::Presence::kSetAside);
  EXPECT_THAT(office.removed[0].reason, HasSubstr("was late in 3 of its last 3 attempts"));
  office.entrants[static_cast<size_t>(offender)].presence = store::Presence::kSetAside;
  office.row.next_block = 1;
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const auto finished = ChangesOf<store::FinishBlock>(office.Step());
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_THAT(finished[0].forfeited_by, ElementsAre(offender));
  EXPECT_THAT(finished[0].matches[1].verdict.ranks, ElementsAre(2, 1));
}

TEST(Planner, OneStallThatMakesManyBlocksVoidSetsNobodyAside) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 4;
  office.Load({});
  office.Step();
  ASSERT_THAT(office.made, SizeIs(4));
  for (int64_t match = 0; match < 8; match += 2) {
    // The same bot each time, whatever its seat.
    const bool swapped = office.planner.open().at(match / 2).block.pairing.bots[0] != 0;
    office.End(match, Late(swapped ? 1 : 0));
    office.End(match + 1, VoidEnd());
  }
  office.Pass(absl::Seconds(1));
  office.Step();
  EXPECT_THAT(office.removed, IsEmpty());
}

TEST(Planner, SetsTheBotsAsideOfABlockForWhichNoneWasReadyAgainAndAgain) {
  Office office(schedule::Format::kRoundRobin, 2);
  MatchEnd unready = VoidEnd();
  unready.unready = true;
  int64_t ended = 0;
  for (int step = 0; step < 100 && office.removed.empty(); ++step) {
    office.Step();
    for (; ended < office.next_match; ++ended) office.End(ended, unready);
    office.Pass(absl::Seconds(1));
  }
  EXPECT_EQ(office.next_match, 2 * limits::kSilencesToSetAside);
  ASSERT_THAT(office.removed, SizeIs(2));
  EXPECT_EQ(office.removed[0].out, store::Presence::kSetAside);
}

// Who reveals no nonce in rotation 0 can be ready in the others, which ask for none.
TEST(Planner, BotsThatAreReadyInSomeMatchesOfABlockAloneHoldUpNothing) {
  Office office(schedule::Format::kKnockout, 2);
  MatchEnd unready = VoidEnd();
  unready.unready = true;
  for (int64_t ended = 0, step = 0; step < 100 && office.removed.empty(); ++step) {
    office.Step();
    for (; ended < office.next_match; ++ended)
      office.End(ended, ended % 2 == 0 ? unready : VoidEnd());
    office.Pass(absl::Seconds(1));
  }
  EXPECT_EQ(office.next_match, 2 * limits::kSilencesToSetAside);
  EXPECT_THAT(office.removed, SizeIs(2));
}

}  // namespace
}  // namespace referee::testing
