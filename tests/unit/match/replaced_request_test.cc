// Tests of a forfeit that changes the position while another seat has been asked for its move.
//
// A request for the new position replaces the old one. The clock runs on, and the turn may take
// PER_MOVE more, once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::Duration kMoveLimit = absl::Milliseconds(500);

CountingRules ThreeSeats() {
  CountingRules rules;
  rules.seats = 3;
  return rules;
}

// Seat a is asked for turn 1 at once; at 300 ms seat c resigns, and a's move 3 is illegal then.
struct Replaced : Table {
  explicit Replaced(const TimeControl& time_control = {}, const Policies& policies = {})
      : Table(ThreeSeats(), time_control, policies) {
    BeginReady();
    Sent({}, kA, 1);
    EXPECT_EQ(Step(300 * kMs, Resigned{kC}), "forfeit c RESIGNED 1; ask a");
  }
  RequestSent SentOf(uint32_t request) const { return RequestSent{kA, 1, {}, request}; }
  Played FirstTurn() const { return All<Played>()[0]; }
};

Policies Retry(int max_tries) {
  Policies policies;
  policies.on_illegal.action = FaultPolicy::Action::kRetry;
  policies.on_illegal.max_tries = max_tries;
  return policies;
}

TEST(MatchRequest, IsNumberedByTheForfeitsOfItsTurn) {
  CountingRules four = ThreeSeats();
  four.seats = 4;
  Table table(four);
  table.BeginReady();
  EXPECT_EQ(table.match().request(), 0u);
  table.Step({}, Resigned{kC});
  EXPECT_EQ(table.match().request(), 1u);
  table.Step({}, Resigned{Seat(3)});
  EXPECT_EQ(table.match().request(), 2u);
  table.Reply({}, kA, 1, 1);
  EXPECT_EQ(table.match().request(), 0u);
}

TEST(MatchRequest, ThatWasReplacedIsAnsweredInVain) {
  Replaced table;
  EXPECT_EQ(table.ReplyTo(0, 304 * kMs, kA, 1, 3), "replaced a 1");
  EXPECT_EQ(table.ReplyTo(0, 305 * kMs, kA, 1, 1), "replaced a 1");
  RepliedUnreadably unreadable{kA, 1, absl::InvalidArgumentError("x")};
  EXPECT_EQ(table.Step(306 * kMs, unreadable), "replaced a 1");
  EXPECT_THAT(table.All<Played>(), IsEmpty());
  EXPECT_THAT(table.faults()[0], HasSubstr("answer request 1"));
  EXPECT_EQ(table.ReplyTo(1, 307 * kMs, kA, 1, 2), "played 1 a 2; ask b");
}

TEST(MatchRequest, ThatWasReplacedCostsNoTry) {
  Replaced table({}, Retry(2));
  EXPECT_EQ(table.ReplyTo(0, 301 * kMs, kA, 1, 3), "replaced a 1");
  EXPECT_EQ(table.ReplyTo(1, 302 * kMs, kA, 1, 3), "fault a 1; faulted a ILLEGAL 1");
  EXPECT_EQ(table.ReplyTo(1, 303 * kMs, kA, 1, 2), "played 1 a 2; ask b");
}

TEST(MatchRequest, ThatReplacesAnotherMayTakeAMoveMoreAndAllIsCharged) {
  Replaced table(ParseTimeControl("500ms+2s,match=3s").value());
  table.Step(301 * kMs, table.SentOf(1));
  EXPECT_EQ(table.match().move_limit(), 2 * kMoveLimit);
  EXPECT_EQ(table.match().time_left(Table::Time(301 * kMs)), 699 * kMs);
  EXPECT_EQ(table.match().due(), Table::Time({}));
  EXPECT_EQ(table.match().time_out(), Table::Time(1000 * kMs));
  EXPECT_EQ(table.ReplyTo(0, 600 * kMs, kA, 1, 1), "replaced a 1");
  EXPECT_EQ(table.ReplyTo(1, 1000 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.FirstTurn().used, 1000 * kMs);
  EXPECT_EQ(table.FirstTurn().bank_left, 1000 * kMs);
  EXPECT_EQ(table.FirstTurn().timing->read, 1000 * kMs);
  EXPECT_EQ(table.match().move_limit(), kMoveLimit);  // of the next seat
}

TEST(MatchRequest, ThatReplacesAnotherIsLateAfterThat) {
  Replaced table;
  table.Step(301 * kMs, table.SentOf(1));
  EXPECT_EQ(table.TickAt(1000 * kMs), "");
  EXPECT_EQ(table.TickAt(1000 * kMs + kNs), "forfeit a TIMEOUT 1; finished ALONE");
  EXPECT_EQ(table.match().forfeits()[1].detail, "used 1000.000001 ms of 1000 ms for turn 1");
}

// By the rule of passes, which cost and gain nothing.
TEST(MatchRequest, ThatIsReplacedByAPassCostsNothing) {
  CountingRules rules = ThreeSeats();
  rules.limits = {1, 3};  // with a seat out: none, two
  Table table(rules, ParseTimeControl("500ms+2s").value());
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_THAT(table.Step(300 * kMs, Resigned{kC}), HasSubstr("; ask b"));
  const Played pass = table.All<Played>().at(0);
  EXPECT_EQ(pass.seat, kA);
  EXPECT_TRUE(pass.move.is_pass());
  EXPECT_EQ(pass.used, absl::ZeroDuration());
  EXPECT_FALSE(pass.timing.has_value());
  EXPECT_EQ(pass.bank_left, absl::Seconds(2));
}

// Moves enough that none of the seats has to pass when the others have resigned.
CountingRules SixSeats() {
  CountingRules rules = Long(6);
  rules.limits = {9};
  return rules;
}

// The puppets of seat a resign one after another while it thinks.
struct Puppets : Table {
  explicit Puppets(absl::string_view time_control)
      : Table(SixSeats(), ParseTimeControl(time_control).value()) {
    BeginReady();
    Sent({}, kA, 1);
  }
  void Resign(int seat, absl::Duration at) {
    Step(at, Resigned{Seat(seat)});
    Sent(at, kA, 1);
  }
};

TEST(MatchRequest, IsLengthenedOnceATurnHoweverManySeatsResign) {
  Puppets table("1s");
  table.Resign(1, 900 * kMs);
  table.Resign(2, 1900 * kMs);
  table.Resign(3, 1950 * kMs);
  EXPECT_EQ(table.match().time_out(), Table::Time(absl::Seconds(2)));
  EXPECT_EQ(table.TickAt(absl::Seconds(2) + kNs), "forfeit a TIMEOUT 1; ask e");
}

TEST(MatchRequest, TakesNoMoreOfTheBankThanThereIs) {
  Puppets table("none+3s");
  for (int seat = 1; seat <= 4; ++seat) table.Resign(seat, 700 * seat * kMs);
  EXPECT_EQ(table.match().time_out(), Table::Time(absl::Seconds(3)));
  EXPECT_EQ(table.Reply(absl::Seconds(3), kA, 1, 1), "played 1 a 1; ask f");
  EXPECT_EQ(table.match().bank_left(kA), absl::ZeroDuration());
}

TEST(MatchRequest, OfTheNextTurnIsNotLengthened) {
  Puppets table("1s");
  table.Resign(2, 900 * kMs);
  table.Reply(950 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().move_limit(), absl::Seconds(1));
}

TEST(MatchRequest, OfTheSeatAfterOneThatWasLengthenedAndResignedIsNot) {
  Puppets table("1s");
  table.Resign(2, 900 * kMs);
  EXPECT_EQ(table.Step(950 * kMs, Resigned{kA}), "forfeit a RESIGNED 1; ask b");
  EXPECT_EQ(table.match().move_limit(), absl::Seconds(1));
}

TEST(MatchRequest, OfTheFirstTurnIsNotLengthenedByASeatThatNeverCame) {
  Table table(ThreeSeats());
  table.Step({}, Begin{});
  table.Ready(kA, "");
  table.Ready(kB, "");
  table.Step(limits::kReadyLimit, Tick{});
  EXPECT_EQ(table.match().move_limit(), kMoveLimit);
  EXPECT_FALSE(table.match().forfeits()[0].interrupts_turn);
}

TEST(MatchRequest, ThatWasReplacedStartsTheClockIfItIsSentFirst) {
  Table table(ThreeSeats());
  table.BeginReady();
  table.Step(300 * kMs, Resigned{kC});
  EXPECT_EQ(table.next_deadline(), limits::kOfferLimit + kNs);
  table.Step(310 * kMs, RequestSent{kA, 1, {}, 0});
  table.Step(320 * kMs, RequestSent{kA, 1, {}, 1});
  EXPECT_EQ(table.match().time_out(), Table::Time(1310 * kMs));
}

TEST(MatchRequest, ThatWasNotAskedStartsNoClock) {
  Table table(ThreeSeats());
  table.BeginReady();
  table.Step(310 * kMs, RequestSent{kA, 1, {}, 1});
  EXPECT_EQ(table.match().time_out(), Instant::InfiniteFuture());
}

TEST(MatchRequest, ThatReplacesAnotherKeepsItsGraceAndCredit) {
  Policies policies;
  policies.link_grace = absl::Seconds(1);
  policies.lag = {20 * kMs, 20 * kMs};
  Table table(ThreeSeats(), {}, policies);
  table.BeginReady();
  table.Step({}, RequestSent{kA, 1, 20 * kMs});
  table.Step(10 * kMs, LinkLost{kA});
  table.Step(210 * kMs, LinkBack{kA});
  table.Step(300 * kMs, Resigned{kC});
  table.Step(300 * kMs, RequestSent{kA, 1, 5 * kMs, 1});
  table.ReplyTo(1, 400 * kMs, kA, 1, 1);
  const Played played = table.All<Played>()[0];
  EXPECT_EQ(played.timing->paused, 200 * kMs);
  EXPECT_EQ(played.timing->credit, 20 * kMs);
  EXPECT_EQ(played.used, 180 * kMs);
}

TEST(MatchRequest, OfASeatWhoseLinkIsLostRunsOn) {
  Table table(ThreeSeats());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(100 * kMs, LinkLost{kA});
  table.Step(300 * kMs, Resigned{kC});
  EXPECT_EQ(table.match().time_out(), Table::Time(1000 * kMs));
}

TEST(MatchRequest, ThatReplacesAnotherIsDueWithIt) {
  Table table(ThreeSeats());
  table.BeginReady();
  table.Reply(40 * kMs, kA, 1, 1);
  table.Step(60 * kMs, Resigned{kC});
  EXPECT_EQ(table.match().due(), Table::Time(40 * kMs));
}

TEST(MatchRequest, ThatWasNotAskedIsAWrongTurn) {
  Replaced table;
  EXPECT_EQ(table.ReplyTo(2, 310 * kMs, kA, 1, 1), "fault a 1");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("due is request 1")));
}

TEST(MatchRequest, ThatIsRepeatedOnANewLinkKeepsItsNumberAndItsClock) {
  Replaced table;
  table.Step(300 * kMs, table.SentOf(1));
  table.Step(400 * kMs, LinkLost{kA});
  EXPECT_EQ(table.Step(450 * kMs, LinkBack{kA}), "start a; ask a");
  EXPECT_EQ(table.match().request(), 1u);
  EXPECT_EQ(table.match().time_out(), Table::Time(1000 * kMs));
}

TEST(MatchRequest, KeepsItsNumberAndHasTheTimeOfAMoveWhenTheRefereeWasKilled) {
  const Replaced before;
  Table table(ThreeSeats());
  ASSERT_TRUE(table.match().Rebuild(before.records()).ok());
  table.Step({}, Resume{absl::Seconds(60)});
  table.Step({}, LinkBack{kB});
  EXPECT_EQ(table.Step({}, LinkBack{kA}), "start a; ask a");
  EXPECT_EQ(table.match().request(), 1u);
  EXPECT_EQ(table.match().move_limit(), kMoveLimit);
  EXPECT_EQ(table.ReplyTo(0, {}, kA, 1, 3), "replaced a 1");
  EXPECT_EQ(table.ReplyTo(1, {}, kA, 1, 2), "played 1 a 2; ask b");
}

}  // namespace
}  // namespace referee::match
