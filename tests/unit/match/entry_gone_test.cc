// Tests of a match whose bot's entry has ended: the bot's clock stops, and nothing counts against
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

constexpr absl::Duration kTurnLimit = absl::Milliseconds(500);  // the default
constexpr absl::Duration kForever = absl::InfiniteDuration();

LinkLost EntryGone(Seat seat) { return {seat, /*of_entry=*/true}; }

// What the verifier holds every turn to.
void ExpectVerifies(const Played& played) {
  const Timing& timing = *played.timing;
  EXPECT_EQ(played.used, timing.read - timing.started - timing.paused - timing.stalled);
  EXPECT_LE(timing.started, limits::kHandoverLimit);
  EXPECT_LE(timing.started, timing.read);
  EXPECT_LE(timing.read, timing.taken);
  EXPECT_EQ(timing.paused, absl::ZeroDuration());
  EXPECT_FALSE(timing.link_lost);
}

TEST(EntryGone, StopsTheClockWithoutGraceUntilTheBotIsBack) {
  Table table(Long());
  table.BeginReady();
  table.Sent(0 * kMs, kA, 1);
  EXPECT_EQ(table.Step(100 * kMs, EntryGone(kA)), "");
  EXPECT_EQ(table.next_deadline(), kForever);
  EXPECT_EQ(table.TickAt(absl::Seconds(10)), "");
  EXPECT_EQ(table.Step(absl::Seconds(10), LinkBack{kA}), "start a; ask a");
  EXPECT_EQ(table.next_deadline(), absl::Seconds(10) + kTurnLimit - 100 * kMs + kNs);
  table.Sent(absl::Seconds(10), kA, 1);
  EXPECT_EQ(table.Reply(absl::Seconds(10) + 400 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  const Played played = *table.match().last_turn();
  EXPECT_EQ(played.used, kTurnLimit);
  ExpectVerifies(played);
}

TEST(EntryGone, ChargesTheTimeLimitThatIsLeft) {
  Table table(Long());
  table.BeginReady();
  table.Sent(0 * kMs, kA, 1);
  table.Step(100 * kMs, EntryGone(kA));
  table.Step(absl::Seconds(10), LinkBack{kA});
  EXPECT_EQ(table.TickAt(absl::Seconds(10) + 400 * kMs), "");
  EXPECT_EQ(table.TickAt(absl::Seconds(10) + 400 * kMs + kNs),
            "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(EntryGone, HoldsFromTheHandoverIfTheEntryWasHeardBefore) {
  Table table(Long());
  table.BeginReady();
  table.Sent(20 * kMs, kA, 1);
  table.Step(5 * kMs, EntryGone(kA));
  table.Step(absl::Seconds(3), LinkBack{kA});
  table.Reply(absl::Seconds(3) + 30 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 30 * kMs);
  ExpectVerifies(*table.match().last_turn());
}

TEST(EntryGone, LeavesATurnThatWasNotHandedOverToBeDueWhenTheBotIsBack) {
  Table table(Long());
  table.BeginReady();
  table.Step(1 * kMs, EntryGone(kA));
  EXPECT_EQ(table.next_deadline(), kForever);
  table.Step(absl::Seconds(3), LinkBack{kA});
  table.Sent(absl::Seconds(3) + 2 * kMs, kA, 1);
  table.Reply(absl::Seconds(3) + 32 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 30 * kMs);
  ExpectVerifies(*table.match().last_turn());
}

TEST(EntryGone, RunsNoClockForATurnThatBecomesDueMeanwhile) {
  Table table(Long());
  table.BeginReady();
  table.Sent(0 * kMs, kA, 1);
  table.Step(10 * kMs, EntryGone(kB));
  EXPECT_EQ(table.next_deadline(), kTurnLimit + kNs) << "the other seat's clock runs";
  EXPECT_EQ(table.Reply(20 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.next_deadline(), kForever);
  EXPECT_EQ(table.Step(absl::Seconds(3), LinkBack{kB}), "start b; ask b");
  table.Sent(absl::Seconds(3), kB, 2);
  table.Reply(absl::Seconds(3) + 7 * kMs, kB, 2, 1);
  EXPECT_EQ(table.match().last_turn()->used, 7 * kMs);
  ExpectVerifies(*table.match().last_turn());
}

TEST(EntryGone, IsKnownOfALinkThatIsBackBeforeItsLossIsToldOf) {
  Table table(Long());
  table.BeginReady();
  table.Sent(0 * kMs, kA, 1);
  table.Step(absl::Seconds(3), LinkBack{kA, Table::Time(100 * kMs)});
  table.Step(100 * kMs, RequestSent{kA, 1});
  table.Reply(absl::Seconds(3) + 50 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 150 * kMs);
  ExpectVerifies(*table.match().last_turn());
}

TEST(EntryGone, AddsUpOverSeveralEntries) {
  Table table(Long());
  table.BeginReady();
  table.Sent(0 * kMs, kA, 1);
  table.Step(100 * kMs, EntryGone(kA));
  table.Step(absl::Seconds(3), LinkBack{kA});
  table.Step(absl::Seconds(3) + 50 * kMs, EntryGone(kA));
  table.Step(absl::Seconds(9), LinkBack{kA});
  table.Reply(absl::Seconds(9) + 20 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 170 * kMs);
  ExpectVerifies(*table.match().last_turn());
}

TEST(EntryGone, UsesNoneOfTheGraceForLostLinks) {
  Policies policies;
  policies.link_grace = absl::Seconds(1);
  Table table(Long(), {}, policies);
  table.BeginReady();
  table.Sent(0 * kMs, kA, 1);
  table.Step(100 * kMs, EntryGone(kA));
  table.Step(absl::Seconds(10), LinkBack{kA});
  table.Step(absl::Seconds(10), LinkLost{kA});
  EXPECT_EQ(table.next_deadline(), absl::Seconds(11) + 400 * kMs + kNs);
}

TEST(EntryGone, GivesTheBotsTheirWholeTimeAnewBeforeTheStart) {
  Table table(Long(), {}, DiceSource{7, {}});
  table.Step({}, Begin{});
  const absl::Duration ready = table.next_deadline();
  table.Step(absl::Seconds(1), ReadyReceived{kB, {}});
  table.Step(absl::Seconds(9), EntryGone(kA));
  EXPECT_EQ(table.next_deadline(), kForever);
  EXPECT_EQ(table.TickAt(absl::Seconds(12)), "");
  EXPECT_EQ(table.Step(absl::Seconds(15), LinkBack{kA}), "start a");
  EXPECT_EQ(table.next_deadline(), absl::Seconds(15) + ready);
}

TEST(EntryGone, KeepsNobodyWaitingForASeatThatHasResignedBeforeTheStart) {
  Table table(Long(3), {}, DiceSource{7, {}});
  table.Step({}, Begin{});
  const absl::Duration ready = table.next_deadline();
  table.Step(absl::Seconds(1), Resigned{kA});
  table.Step(absl::Seconds(2), EntryGone(kA));
  EXPECT_EQ(table.next_deadline(), ready);
}

TEST(EntryGone, IsNoLinkForAMatchThatGoesOnAfterARestart) {
  Table before(Long());
  before.BeginReady();
  Table table(Long());
  ASSERT_TRUE(table.match().Rebuild(before.records()).ok());
  table.Step({}, Resume{absl::Seconds(60)});
  table.Step(1 * kMs, LinkBack{kA});
  table.Step(2 * kMs, EntryGone(kA));
  EXPECT_EQ(table.Step(3 * kMs, LinkBack{kB}), "start b") << "seat a is still waited for";
  EXPECT_THAT(table.Step(4 * kMs, LinkBack{kA}), ::testing::HasSubstr("ask"));
}

TEST(MatchWaits, ForTheSeatsThatAreNotReadyAndThenForTheOneToMove) {
  Table table(Long(), {}, DiceSource{7, {}});
  table.Step({}, Begin{});
  EXPECT_TRUE(table.match().WaitsFor(kA));
  table.Step({}, ReadyReceived{kA, {}});
  EXPECT_FALSE(table.match().WaitsFor(kA));
  EXPECT_TRUE(table.match().WaitsFor(kB));
  table.Step({}, ReadyReceived{kB, {}});
  EXPECT_TRUE(table.match().WaitsFor(kA));
  EXPECT_FALSE(table.match().WaitsFor(kB));
}

}  // namespace
}  // namespace referee::match
