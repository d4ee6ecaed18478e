// Tests of the clocks of a match: how time is counted, and which seat loses on time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::HasSubstr;

constexpr absl::Duration kLimit = absl::Milliseconds(500);  // the default
// When a request is taken as offered of which nothing was heard.
const absl::Duration kOffer = limits::kOfferLimit + kNs;

TimeControl Bank(absl::Duration per_move, absl::Duration bank, absl::Duration increment) {
  return TimeControl{per_move, bank, increment};
}

TEST(MatchClock, StartsWhenTheRequestIsHandedOver) {
  Table table(Long());
  table.BeginReady();
  EXPECT_EQ(table.next_deadline(), kOffer);
  table.Sent(20 * kMs, kA, 1);
  EXPECT_EQ(table.next_deadline(), 20 * kMs + kLimit + kNs);
  table.Reply(50 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 30 * kMs);
}

TEST(MatchClock, SecondHandoverDoesNotRestartIt) {
  Table table(Long());
  table.BeginReady();
  table.Sent(20 * kMs, kA, 1);
  table.Sent(40 * kMs, kA, 1);
  table.Reply(50 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 30 * kMs);
}

TEST(MatchClock, HandoverOfAnotherTurnOrSeatDoesNotStartIt) {
  Table table(Long());
  table.BeginReady();
  table.Sent(20 * kMs, kB, 1);
  table.Sent(20 * kMs, kA, 2);
  EXPECT_EQ(table.next_deadline(), kOffer);
  table.Sent(30 * kMs, kA, 1);
  table.Reply(50 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 20 * kMs);
}

TEST(MatchClock, ReplyBeforeTheHandoverIsKnownCostsNothing) {
  Table table(Long());
  table.BeginReady();
  EXPECT_EQ(table.Reply(50 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.match().last_turn()->used, absl::ZeroDuration());
  EXPECT_EQ(table.Sent(51 * kMs, kA, 1), "");
  EXPECT_EQ(table.next_deadline(), 50 * kMs + kOffer);
}

TEST(MatchClock, ReplyThatArrivedBeforeTheHandoverCostsNothing) {
  Table table(Long());
  table.BeginReady();
  table.Sent(20 * kMs, kA, 1);
  table.Reply(19 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, absl::ZeroDuration());
}

TEST(MatchClock, RequestOfWhichNothingIsHeardIsTakenAsOfferedInTheEnd) {
  Table table(Long());
  table.BeginReady();
  EXPECT_EQ(table.TickAt(kOffer), "");
  EXPECT_EQ(table.next_deadline(), kOffer + limits::kHandoverLimit + kNs);
  EXPECT_EQ(table.TickAt(table.next_deadline()), "");
  EXPECT_EQ(table.next_deadline(), kOffer + kLimit + kNs);
  EXPECT_EQ(table.TickAt(table.next_deadline()), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchClock, MoveOnItsDeadlineIsInTimeInBothOrders) {
  Table tick_first(Long());
  tick_first.BeginReady();
  tick_first.Sent({}, kA, 1);
  EXPECT_EQ(tick_first.TickAt(kLimit), "");
  EXPECT_EQ(tick_first.Reply(kLimit, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(tick_first.match().last_turn()->used, kLimit);
  Table move_first(Long());
  move_first.BeginReady();
  move_first.Sent({}, kA, 1);
  EXPECT_EQ(move_first.Reply(kLimit, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(move_first.TickAt(kLimit), "");
  EXPECT_EQ(move_first.match().last_turn()->used, kLimit);
}

TEST(MatchClock, TickAfterTheDeadlineIsATimeLoss) {
  Table table(Long(3));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.TickAt(kLimit + kNs), "forfeit a TIMEOUT 1; ask b");
  const Forfeited forfeited = table.match().forfeits()[0];
  EXPECT_EQ(forfeited.used, kLimit + kNs);
  EXPECT_EQ(forfeited.detail, "used 500.000001 ms of 500 ms for turn 1");
  EXPECT_EQ(table.match().turn(), 1u);
}

TEST(MatchClock, TickAtNextDeadlineNeverComesInVain) {
  Table table(Long(3));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.TickAt(table.next_deadline()), "forfeit a TIMEOUT 1; ask b");
}

TEST(MatchClock, MoveAfterTheDeadlineIsATimeLoss) {
  Table table(Long(3));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Reply(absl::Milliseconds(512), kA, 1, 1), "forfeit a TIMEOUT 1; ask b");
  EXPECT_EQ(table.match().forfeits()[0].detail, "used 512 ms of 500 ms for turn 1");
  EXPECT_EQ(table.TickAt(absl::Milliseconds(513)), "");
}

TEST(MatchClock, UnreadableMoveAfterTheDeadlineIsATimeLoss) {
  const absl::Status problem = absl::InvalidArgumentError("no such field");
  Table late(Long());
  late.BeginReady();
  late.Sent({}, kA, 1);
  EXPECT_EQ(late.Step(kLimit + kNs, RepliedUnreadably{kA, 1, problem}),
            "forfeit a TIMEOUT 1; finished ALONE");
  Table in_time(Long());
  in_time.BeginReady();
  in_time.Sent({}, kA, 1);
  EXPECT_EQ(in_time.Step(kLimit, RepliedUnreadably{kA, 1, problem}),
            "forfeit a ILLEGAL 1; finished ALONE");
  EXPECT_THAT(in_time.match().forfeits()[0].detail, HasSubstr("no such field"));
  EXPECT_EQ(in_time.match().forfeits()[0].used, kLimit);
}

TEST(MatchClock, BankRunsDownByTimeUsedAndGainsTheIncrement) {
  Table table(Long(), Bank(absl::InfiniteDuration(), absl::Seconds(1), 10 * kMs));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.match().move_limit(), absl::Seconds(1));
  table.Reply(300 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->bank_left, 710 * kMs);
  EXPECT_EQ(table.match().bank_left(kA), 710 * kMs);
  EXPECT_EQ(table.match().bank_left(kB), absl::Seconds(1));
  table.Reply(300 * kMs, kB, 2, 1);
  EXPECT_EQ(table.match().bank_left(kB), 1010 * kMs);
  EXPECT_EQ(table.match().move_limit(), 710 * kMs);
}

TEST(MatchClock, BankMayBeUsedToTheLastAndNotBeyond) {
  for (const absl::Duration beyond : {absl::ZeroDuration(), kNs}) {
    Table table(Long(), Bank(absl::InfiniteDuration(), absl::Seconds(1), absl::ZeroDuration()));
    table.BeginReady();
    table.Sent({}, kA, 1);
    const bool late = beyond > absl::ZeroDuration();
    EXPECT_EQ(table.Reply(absl::Seconds(1) + beyond, kA, 1, 1),
              late ? "forfeit a TIMEOUT 1; finished ALONE" : "played 1 a 1; ask b");
    if (!late) {
      EXPECT_EQ(table.match().bank_left(kA), absl::ZeroDuration());
    }
  }
}

TEST(MatchClock, LimitIsTheSmallerOfCapAndBank) {
  Table table(Long(), Bank(absl::Milliseconds(600), absl::Seconds(1), absl::ZeroDuration()));
  table.BeginReady();
  EXPECT_EQ(table.match().move_limit(), 600 * kMs);
  table.Sent({}, kA, 1);
  table.Reply(550 * kMs, kA, 1, 1);
  table.Reply(550 * kMs, kB, 2, 1);
  EXPECT_EQ(table.match().move_limit(), 450 * kMs);
  table.Sent(550 * kMs, kA, 3);
  EXPECT_EQ(table.next_deadline(), 1000 * kMs + kNs);
}

TEST(MatchClock, TellsTheTimeLeft) {
  Table table(Long());
  table.BeginReady();
  EXPECT_EQ(table.match().time_left(Table::Time(absl::Seconds(4))), kLimit);
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.match().time_left(Table::Time(200 * kMs)), 300 * kMs);
  EXPECT_EQ(table.match().time_left(Table::Time(absl::Seconds(4))), absl::ZeroDuration());
}

TEST(MatchLink, ClockOfALostSeatStartsWhenItsTurnIsDue) {
  Table table(Long());
  table.BeginReady();
  table.Step({}, LinkLost{kB});
  EXPECT_EQ(table.Reply(100 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.next_deadline(), 600 * kMs + kNs);
  EXPECT_EQ(table.TickAt(600 * kMs + kNs), "forfeit b DISCONNECTED 2; finished ALONE");
  EXPECT_THAT(table.match().forfeits()[0].detail, HasSubstr("link being lost"));
}

TEST(MatchLink, LossBeforeTheHandoverStartsTheClock) {
  Table table(Long());
  table.BeginReady();
  table.Step(100 * kMs, LinkLost{kA});
  EXPECT_EQ(table.next_deadline(), 600 * kMs + kNs);
}

TEST(MatchLink, LossMakesATurnDueThatWasNotOffered) {
  Table table(Long());
  table.BeginReady();
  table.Step(100 * kMs, LinkLost{kA});
  table.Step(200 * kMs, LinkBack{kA});
  table.Sent(210 * kMs, kA, 1);
  table.Reply(300 * kMs, kA, 1, 1);
  const Played played = *table.match().last_turn();
  EXPECT_EQ(played.used, 200 * kMs);
  EXPECT_EQ(played.timing->started, absl::ZeroDuration());
  EXPECT_EQ(played.timing->read, 200 * kMs);
}

TEST(MatchLink, GraceOfATurnThatWasNotOfferedBeginsWithTheLoss) {
  Policies policies;
  policies.link_grace = absl::Seconds(1);
  Table table(Long(), {}, policies);
  table.BeginReady();
  table.Step(100 * kMs, LinkLost{kA});
  table.Step(200 * kMs, LinkBack{kA});
  table.Sent(210 * kMs, kA, 1);
  table.Reply(300 * kMs, kA, 1, 1);
  const Played played = *table.match().last_turn();
  EXPECT_EQ(played.used, 100 * kMs);
  EXPECT_EQ(played.timing->paused, 100 * kMs);
  EXPECT_EQ(played.timing->read, 200 * kMs);
}

TEST(MatchLink, LinkThatTakesThePlaceOfAnOpenOneMakesATurnDueThatWasNotOffered) {
  Table table(Long());
  table.BeginReady();
  EXPECT_EQ(table.Step(100 * kMs, LinkBack{kA}), "start a; ask a");
  table.Sent(110 * kMs, kA, 1);
  table.Reply(150 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 40 * kMs);
  EXPECT_EQ(table.match().last_turn()->timing->read, 40 * kMs);
}

TEST(MatchLink, LossBeforeTheTurnIsNotChargedForEvenIfItIsSteppedLater) {
  Table table(Long());
  table.BeginReady();
  table.Reply(100 * kMs, kA, 1, 1);
  table.Step(50 * kMs, LinkLost{kB});
  EXPECT_EQ(table.next_deadline(), 600 * kMs + kNs);
}

TEST(MatchLink, LossOfAnotherSeatDoesNotStartTheClock) {
  Table table(Long());
  table.BeginReady();
  table.Step(100 * kMs, LinkLost{kB});
  EXPECT_EQ(table.next_deadline(), kOffer);
}

TEST(MatchLink, SeatThatIsBackIsToldAndAskedAndItsClockRunsOn) {
  Table table(Long());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(100 * kMs, LinkLost{kA});
  EXPECT_EQ(table.Step(200 * kMs, LinkBack{kA}), "start a; ask a");
  table.Sent(210 * kMs, kA, 1);
  EXPECT_EQ(table.Reply(300 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.match().last_turn()->used, 300 * kMs);
  EXPECT_EQ(table.Step(300 * kMs, LinkBack{kA}), "start a");
}

TEST(MatchLink, SeatThatIsBackInTimeLosesOnTimeOnly) {
  Table table(Long());
  table.BeginReady();
  table.Step({}, LinkLost{kA});
  table.Step(400 * kMs, LinkBack{kA});
  EXPECT_EQ(table.TickAt(501 * kMs), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchLink, LossAfterTheClockRanOutIsATimeLoss) {
  Table table(Long());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(kLimit + kNs, LinkLost{kA});
  EXPECT_EQ(table.TickAt(501 * kMs), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchLink, SecondLossDoesNotHideTheFirst) {
  Table table(Long());
  table.BeginReady();
  table.Step({}, LinkLost{kA});
  table.Step(kLimit + kNs, LinkLost{kA});
  EXPECT_EQ(table.TickAt(501 * kMs), "forfeit a DISCONNECTED 1; finished ALONE");
}

TEST(MatchLink, MoveThatCameBeforeTheLossIsTaken) {
  Table table(Long());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(100 * kMs, LinkLost{kA});
  EXPECT_EQ(table.Reply(90 * kMs, kA, 1, 1), "played 1 a 1; ask b");
}

}  // namespace
}  // namespace referee::match
