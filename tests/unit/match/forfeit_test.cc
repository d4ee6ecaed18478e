// Tests of forfeits, and of their effect on the current turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

CountingRules Three() {
  CountingRules rules;
  rules.seats = 3;
  rules.dice = true;
  return rules;
}

TEST(MatchForfeit, IllegalMoveTakesTheSeatOutAndSaysWhy) {
  Table table(Three());
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Reply(3 * kMs, kA, 1, 4), "forfeit a ILLEGAL 1; ask b");
  const Forfeited forfeited = table.All<Forfeited>()[0];
  EXPECT_EQ(forfeited.used, 3 * kMs);
  EXPECT_EQ(forfeited.detail, "illegal move 4 in turn 1: at most 3 may be added");
  EXPECT_THAT(table.match().forfeits(), SizeIs(1));
}

TEST(MatchForfeit, DoesNotUseUpTheTurn) {
  Table table(Three());
  table.BeginReady();
  table.Reply({}, kA, 1, 1);
  table.Reply({}, kB, 2, 9);
  EXPECT_EQ(table.match().turn(), 2u);
  EXPECT_EQ(table.Reply({}, kC, 2, 1), "played 2 c 1; ask a");
}

TEST(MatchForfeit, DigestIsOfThePositionAfterWithTheNextDice) {
  Table table(Three());
  table.BeginReady();
  table.Step({}, Resigned{kA});
  EXPECT_EQ(table.All<Forfeited>()[0].digest, dice::Digest(table.match().state().Position()));
  EXPECT_THAT(table.match().state().Position(), HasSubstr("0 b "));
}

TEST(MatchForfeit, ResignedSeatToMoveLosesWithItsTimeNoted) {
  Table table(Three());
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Step(5 * kMs, Resigned{kA}), "forfeit a RESIGNED 1; ask b");
  EXPECT_EQ(table.All<Forfeited>()[0].used, 5 * kMs);
  EXPECT_EQ(table.Step(6 * kMs, Resigned{kA}), "");
}

TEST(MatchForfeit, ByResignationKeepsTheReasonThatTheBotGave) {
  Table table(Three());
  table.BeginReady();
  table.Step({}, Resigned{kC, "KeyError: 'x'"});
  table.Step({}, Resigned{kA});
  EXPECT_EQ(table.All<Forfeited>()[0].detail, "resigned in turn 1: KeyError: 'x'");
  EXPECT_EQ(table.All<Forfeited>()[1].detail, "resigned in turn 1");
}

TEST(MatchForfeit, ByResignationBeforeTheStartKeepsTheReasonToo) {
  Table table(Three());
  table.Step({}, Begin{});
  table.Step({}, Resigned{kA, "the model is missing"});
  table.Step({}, Resigned{kB});
  EXPECT_EQ(table.All<Forfeited>()[0].detail,
            "resigned before the first turn: the model is missing");
}

TEST(MatchForfeit, OfAnotherSeatLeavesTheDiceAndTheClockOfTheTurnDue) {
  Table table(Three());
  table.BeginReady();
  table.Sent(10 * kMs, kA, 1);
  const Roll roll(table.match().state().roll());
  EXPECT_EQ(table.Step(20 * kMs, Resigned{kC}), "forfeit c RESIGNED 1; ask a");
  EXPECT_EQ(table.All<Forfeited>()[0].used, absl::ZeroDuration());
  EXPECT_EQ(Roll(table.match().state().roll()), roll);
  table.Sent(21 * kMs, kA, 1);
  EXPECT_EQ(table.Reply(40 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.match().last_turn()->used, 30 * kMs);
  EXPECT_EQ(table.match().last_turn()->roll, roll);
}

TEST(MatchForfeit, OfAnotherSeatBeforeTheHandoverLeavesTheHandoverDeadline) {
  Table table(Three());
  table.BeginReady();
  table.Offered({}, kA, 1);
  const absl::Duration deadline = table.next_deadline();
  table.Step(20 * kMs, Resigned{kC});
  table.Offered(20 * kMs, kA, 1);
  EXPECT_EQ(table.next_deadline(), deadline);
}

TEST(MatchForfeit, OfAnotherSeatMakesTheReplyCountAgainstThePositionAfter) {
  Table table(Three());
  table.BeginReady();
  EXPECT_THAT(table.match().legal_moves(), SizeIs(3));
  table.Step({}, Resigned{kC});
  EXPECT_THAT(table.match().legal_moves(), SizeIs(2));
  EXPECT_EQ(table.Reply({}, kA, 1, 3), "forfeit a ILLEGAL 1; finished ALONE");
}

TEST(MatchForfeit, OfAnotherSeatThatLeavesOnlyThePassIsPassed) {
  CountingRules rules = Three();
  rules.limits = {1, 3};
  TimeControl time_control;
  time_control.bank = absl::Seconds(1);
  Table table(rules, time_control);
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Step(20 * kMs, Resigned{kC}), "forfeit c RESIGNED 1; played 1 a -; ask b");
  EXPECT_EQ(table.match().last_turn()->used, absl::ZeroDuration());
  EXPECT_EQ(table.match().bank_left(kA), absl::Seconds(1));
  EXPECT_EQ(table.Reply(21 * kMs, kA, 1, 1), "fault a 1");
}

TEST(MatchForfeit, OfTheLastButOneEndsTheGame) {
  Table table(Three());
  table.BeginReady();
  table.Step({}, Resigned{kB});
  EXPECT_EQ(table.Step({}, Resigned{kC}), "forfeit c RESIGNED 1; finished ALONE");
  EXPECT_THAT(table.match().ended()->ranks, ElementsAre(1, 2, 2));
}

TEST(MatchForfeit, OfOneSeatGivesTheNextAFreshClock) {
  Table table(Three());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.TickAt(absl::Seconds(1));
  const absl::Duration fresh = absl::Seconds(1) + limits::kOfferLimit + kNs;
  EXPECT_EQ(table.next_deadline(), fresh);
  EXPECT_EQ(table.Sent(absl::Seconds(2), kA, 1), "");
  EXPECT_EQ(table.next_deadline(), fresh);
}

}  // namespace
}  // namespace referee::match
