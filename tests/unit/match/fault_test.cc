// Tests of the cost of faults under each policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CountingRules LongOfNine(int seats = 2) {
  CountingRules rules;
  rules.seats = seats;
  rules.target = 100;
  rules.limits = {9};
  return rules;
}

Policies OnTimeout(absl::string_view policy) {
  Policies policies;
  policies.on_timeout = ParseFaultPolicy("", policy).value();
  return policies;
}

Policies OnIllegal(absl::string_view policy) {
  Policies policies;
  policies.on_illegal = ParseFaultPolicy("", policy).value();
  return policies;
}

TEST(MatchSubstitute, FirstMoveIsPlayedForASeatThatIsOutOfTime) {
  Table table(LongOfNine(), {}, OnTimeout("substitute"));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.TickAt(501 * kMs), "played 1 a 1 !TIMEOUT; ask b");
  const Played played = table.All<Played>()[0];
  EXPECT_EQ(played.used, 500 * kMs);  // what is beyond the limit is nobody's
  EXPECT_EQ(played.timing->read, 501 * kMs);
}

TEST(MatchSubstitute, RandomMoveIsDrawnWithTheDiceOfTheMatch) {
  bool other_than_first = false;
  for (uint64_t number = 1; number <= 20; ++number) {
    Table table(testing::NewCountingGame(LongOfNine()), {}, {number, {}},
                OnTimeout("substitute:random"));
    table.BeginReady();
    table.Sent({}, kA, 1);
    table.TickAt(501 * kMs);
    int index = -1;
    dice::PinnedKey(table.seed()).Uniform(dice::Label::Substitute(1), 9, absl::MakeSpan(&index, 1));
    EXPECT_EQ(table.All<Played>()[0].move, games::Move(static_cast<uint64_t>(index + 1)));
    other_than_first |= index > 0;
  }
  EXPECT_TRUE(other_than_first);
}

TEST(MatchSubstitute, StrikesAreASeatsOwnAndTheNextFaultTakesItOut) {
  Table table(LongOfNine(), {}, OnTimeout("substitute:2"));
  table.BeginReady();
  for (uint32_t turn = 1; turn <= 4; ++turn) {
    table.Sent(turn * absl::Seconds(1), Seat((turn - 1) % 2), turn);
    EXPECT_THAT(table.TickAt(turn * absl::Seconds(1) + 501 * kMs), HasSubstr("!TIMEOUT"));
  }
  table.Sent(absl::Seconds(9), kA, 5);
  EXPECT_EQ(table.TickAt(absl::Seconds(10)), "forfeit a TIMEOUT 5; finished ALONE");
}

TEST(MatchSubstitute, IllegalMoveIsRecordedBesideTheMoveThatWasPlayedForIt) {
  Table table(LongOfNine(), {}, OnIllegal("substitute:1"));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Reply(30 * kMs, kA, 1, 50), "faulted a ILLEGAL 1; played 1 a 1 !ILLEGAL; ask b");
  EXPECT_THAT(table.All<Faulted>()[0].detail, HasSubstr("illegal move 50 in turn 1"));
  EXPECT_EQ(table.All<Played>()[0].used, 30 * kMs);
  table.Reply(40 * kMs, kB, 2, 1);
  EXPECT_EQ(table.Reply(50 * kMs, kA, 3, 50), "forfeit a ILLEGAL 3; finished ALONE");
}

TEST(MatchSubstitute, StrikesForTimeAndForIllegalMovesAreCountedApart) {
  Policies policies = OnTimeout("substitute:1");
  policies.on_illegal = ParseFaultPolicy("", "substitute:1").value();
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.TickAt(501 * kMs);
  table.Reply(absl::Seconds(1), kB, 2, 1);
  EXPECT_THAT(table.Reply(absl::Seconds(1), kA, 3, 50), HasSubstr("played 3 a 1 !ILLEGAL"));
}

TEST(MatchSubstitute, ReplyThatComesAfterItIsToldThatItIsTooLate) {
  Table table(LongOfNine(), {}, OnTimeout("substitute"));
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.TickAt(501 * kMs);
  EXPECT_EQ(table.Reply(502 * kMs, kA, 1, 2), "fault a 1");
}

TEST(MatchTimeLoss, ALateReplyIsToldHowLateItWasAndWhatCameOfIt) {
  Table table(LongOfNine(), {}, OnTimeout("substitute"));
  table.BeginReady();
  EXPECT_FALSE(table.match().lost_turn(kA).has_value());
  table.Sent({}, kA, 1);
  table.TickAt(501 * kMs);
  table.Reply(708 * kMs, kA, 1, 2);
  EXPECT_THAT(table.faults(),
              ElementsAre("turn 1: the move is late: it came 208 ms after the limit of 500 ms; the "
                          "referee played in the bot's place"));
  ASSERT_TRUE(table.match().lost_turn(kA).has_value());
  EXPECT_EQ(table.match().lost_turn(kA)->turn, 1u);
  EXPECT_EQ(table.match().lost_turn(kA)->limit, 500 * kMs);
}

TEST(MatchTimeLoss, ALateReplyOfASeatThatIsOutIsToldHowLateItWas) {
  Table table(Seats(3));
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.TickAt(501 * kMs);
  table.Reply(501 * kMs, kA, 1, 1);
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("1 ms after the limit of 500 ms; the seat has "
                                                    "forfeited")));
}

TEST(MatchSubstitute, EmptiedBankGainsTheIncrementAllTheSame) {
  TimeControl bank;
  bank.per_move = absl::InfiniteDuration();
  bank.bank = absl::Seconds(1);
  bank.increment = 100 * kMs;
  Table table(LongOfNine(), bank, OnTimeout("substitute"));
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.TickAt(absl::Seconds(2));
  EXPECT_EQ(table.match().bank_left(kA), 100 * kMs);
}

TEST(MatchRetry, TurnStaysDueAndTheClockRunsOn) {
  Table table(LongOfNine(), {}, OnIllegal("retry:3"));
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Reply(100 * kMs, kA, 1, 50), "fault a 1; faulted a ILLEGAL 1");
  EXPECT_THAT(table.faults().back(), HasSubstr("2 tries left"));
  EXPECT_EQ(table.Reply(200 * kMs, kA, 1, 2), "played 1 a 2; ask b");
  EXPECT_EQ(table.All<Played>()[0].used, 200 * kMs);
}

TEST(MatchRetry, LastTryTakesTheSeatOut) {
  Table table(LongOfNine(), {}, OnIllegal("retry:2"));
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Reply(100 * kMs, kA, 1, 50);
  EXPECT_EQ(table.Reply(200 * kMs, kA, 1, 51), "forfeit a ILLEGAL 1; finished ALONE");
}

TEST(MatchRetry, TriesAreATurnsOwn) {
  Table table(LongOfNine(), {}, OnIllegal("retry:2"));
  table.BeginReady();
  table.Reply({}, kA, 1, 50);
  table.Reply({}, kA, 1, 1);
  table.Reply({}, kB, 2, 1);
  EXPECT_EQ(table.Reply({}, kA, 3, 50), "fault a 3; faulted a ILLEGAL 3");
}

TEST(MatchRetry, UnreadableMoveIsATryToo) {
  Table table(LongOfNine(), {}, OnIllegal("retry:2"));
  table.BeginReady();
  RepliedUnreadably unreadable{kA, 1, absl::InvalidArgumentError("no such cell")};
  EXPECT_EQ(table.Step({}, unreadable), "fault a 1; faulted a ILLEGAL 1");
}

TEST(MatchGrace, ClockStandsStillWhileTheLinkIsLost) {
  Policies policies;
  policies.link_grace = absl::Seconds(30);
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(100 * kMs, LinkLost{kA});
  EXPECT_EQ(table.TickAt(absl::Seconds(29)), "");
  table.Step(absl::Seconds(30), LinkBack{kA});
  EXPECT_EQ(table.Reply(absl::Seconds(30) + 50 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  const Played played = table.All<Played>()[0];
  EXPECT_EQ(played.used, 150 * kMs);
  EXPECT_EQ(played.timing->paused, absl::Seconds(30) - 100 * kMs);
}

TEST(MatchGrace, IsOfTheWholeMatchAndThenTheClockRuns) {
  Policies policies;
  policies.link_grace = absl::Seconds(1);
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step({}, LinkLost{kA});
  table.Step(800 * kMs, LinkBack{kA});
  table.Reply(800 * kMs, kA, 1, 1);
  table.Reply(800 * kMs, kB, 2, 1);
  table.Sent(absl::Seconds(1), kA, 3);
  table.Step(absl::Seconds(1), LinkLost{kA});
  EXPECT_EQ(table.next_deadline(), absl::Seconds(1) + 200 * kMs + 500 * kMs + absl::Nanoseconds(1));
  EXPECT_EQ(table.TickAt(absl::Seconds(2)), "forfeit a DISCONNECTED 3; finished ALONE");
  EXPECT_EQ(table.All<Forfeited>()[0].timing->paused, 200 * kMs);
}

TEST(MatchGrace, BeginsWithTheLossThoughTheTurnWasDueBefore) {
  Policies policies;
  policies.link_grace = absl::Seconds(30);
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(50 * kMs, LinkLost{kB});
  table.Reply(40 * kMs, kA, 1, 1);  // was read before, and is taken up now
  table.Step(90 * kMs, LinkBack{kB});
  table.Reply(100 * kMs, kB, 2, 1);
  const Timing timing = *table.All<Played>()[1].timing;
  EXPECT_EQ(timing.started, absl::ZeroDuration());
  EXPECT_EQ(timing.paused, 40 * kMs);
}

TEST(MatchGrace, IsNotUsedUpWhileAnotherSeatIsToMove) {
  Policies policies;
  policies.link_grace = absl::Seconds(1);
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Step({}, LinkLost{kB});
  table.Reply(400 * kMs, kA, 1, 1);
  EXPECT_EQ(table.next_deadline(), (400 + 1000 + 500) * kMs + absl::Nanoseconds(1));
}

TEST(MatchLag, NetworkTimeIsCreditedUpToTheCapAndTheQuota) {
  Policies policies;
  policies.lag = {20 * kMs, 30 * kMs};
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Step({}, RequestSent{kA, 1, 50 * kMs});
  EXPECT_EQ(table.next_deadline(), 520 * kMs + absl::Nanoseconds(1));
  EXPECT_EQ(table.Reply(520 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.All<Played>()[0].used, 500 * kMs);
  EXPECT_EQ(table.All<Played>()[0].timing->credit, 20 * kMs);
  EXPECT_EQ(table.All<Played>()[0].timing->round_trip, 50 * kMs);
  table.Reply(absl::Seconds(1), kB, 2, 1);
  table.Step(absl::Seconds(1), RequestSent{kA, 3, 50 * kMs});
  table.Reply(absl::Seconds(1) + 100 * kMs, kA, 3, 1);
  EXPECT_EQ(table.All<Played>()[2].timing->credit, 10 * kMs);
}

TEST(MatchLag, CreditIsNoMoreThanTheMoveTook) {
  Policies policies;
  policies.lag = {20 * kMs, 30 * kMs};
  Table table(LongOfNine(), {}, policies);
  table.BeginReady();
  table.Step({}, RequestSent{kA, 1, 15 * kMs});
  table.Reply(5 * kMs, kA, 1, 1);
  EXPECT_EQ(table.All<Played>()[0].used, absl::ZeroDuration());
  EXPECT_EQ(table.All<Played>()[0].timing->credit, 5 * kMs);
}

TEST(MatchLag, NothingIsCreditedUnlessTheMatchSaysSo) {
  Table table(LongOfNine());
  table.BeginReady();
  table.Step({}, RequestSent{kA, 1, 15 * kMs});
  table.Reply(20 * kMs, kA, 1, 1);
  EXPECT_EQ(table.All<Played>()[0].used, 20 * kMs);
}

// --- What is counted of them ---

TEST(MatchTimes, CountAForgivenTimeLossInATurnWhoseLinkWasLostAsALostLinkOnly) {
  MatchTimes times;
  times.seats.resize(1);
  Played turn;
  turn.seat = Seat(0);
  turn.substituted = Cause::kTimeout;
  turn.timing.emplace();
  CountTime(turn, &times);
  EXPECT_EQ(times.seats[0], (SeatTime{absl::ZeroDuration(), 1, 0}));
  turn.timing->link_lost = true;
  CountTime(turn, &times);
  EXPECT_EQ(times.seats[0], (SeatTime{absl::ZeroDuration(), 1, 1}));
}

TEST(MatchTimes, CountTheTurnInWhichTheTimeOfTheMatchWasUsedUp) {
  MatchTimes times;
  times.seats.resize(1);
  Faulted fault;
  fault.seat = Seat(0);
  fault.cause = Cause::kTimeout;
  fault.timing.emplace();
  fault.timing->stalled = absl::Milliseconds(3);
  fault.timing->link_lost = true;
  CountTime(fault, &times);
  EXPECT_EQ(times.seats[0], (SeatTime{absl::Milliseconds(3), 0, 1}));
}

}  // namespace
}  // namespace referee::match
