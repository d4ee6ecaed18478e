// A forfeit changes the position of a turn for which another seat has been asked: a request for the
// position after takes the place of the one before, and nobody pays for that.
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

TEST(MatchRequest, ThatTakesAPlaceHasTheWholeTimeAndNothingBeforeIsCharged) {
  Replaced table(ParseTimeControl("500ms+1s,match=1s").value());
  table.Step(301 * kMs, table.SentOf(1));
  EXPECT_EQ(table.match().move_limit(), kMoveLimit);
  EXPECT_EQ(table.match().due(), Table::Time(301 * kMs));
  EXPECT_EQ(table.match().time_out(), Table::Time(801 * kMs));
  EXPECT_EQ(table.ReplyTo(0, 600 * kMs, kA, 1, 1), "replaced a 1");
  EXPECT_EQ(table.ReplyTo(1, 801 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.FirstTurn().used, kMoveLimit);
  EXPECT_EQ(table.FirstTurn().bank_left, kMoveLimit);
  EXPECT_EQ(table.FirstTurn().timing->read, kMoveLimit);
  EXPECT_EQ(table.match().move_limit(), kMoveLimit);  // of the match's second, too
}

TEST(MatchRequest, ThatWasReplacedStartsNoClockWhenItIsSentLate) {
  Replaced table;
  table.Step(310 * kMs, table.SentOf(0));
  EXPECT_EQ(table.match().time_out(), Instant::InfiniteFuture());
  EXPECT_EQ(table.next_deadline(), 300 * kMs + limits::kOfferLimit + kNs);
  table.Step(320 * kMs, table.SentOf(1));
  EXPECT_EQ(table.match().time_out(), Table::Time(820 * kMs));
}

TEST(MatchRequest, ThatWasReplacedLeavesItsGraceAndCredit) {
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
  EXPECT_EQ(played.timing->paused, absl::ZeroDuration());
  EXPECT_EQ(played.timing->credit, 5 * kMs);
  EXPECT_EQ(played.used, 95 * kMs);
}

TEST(MatchRequest, OfASeatWhoseLinkIsLostRunsAtOnce) {
  Table table(ThreeSeats());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step(100 * kMs, LinkLost{kA});
  table.Step(300 * kMs, Resigned{kC});
  EXPECT_EQ(table.match().time_out(), Table::Time(800 * kMs));
}

TEST(MatchRequest, ThatTakesAPlaceIsNotDueBeforeTheOneBefore) {
  Table table(ThreeSeats());
  table.BeginReady();
  table.Reply(40 * kMs, kA, 1, 1);
  table.Step(30 * kMs, Resigned{kC});  // read before, and taken up after
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
  EXPECT_EQ(table.match().time_out(), Table::Time(800 * kMs));
}

TEST(MatchRequest, KeepsItsNumberWhenTheRefereeWasKilled) {
  const Replaced before;
  Table table(ThreeSeats());
  ASSERT_TRUE(table.match().Rebuild(before.records()).ok());
  table.Step({}, Resume{absl::Seconds(60)});
  table.Step({}, LinkBack{kB});
  EXPECT_EQ(table.Step({}, LinkBack{kA}), "start a; ask a");
  EXPECT_EQ(table.match().request(), 1u);
  EXPECT_EQ(table.ReplyTo(0, {}, kA, 1, 3), "replaced a 1");
  EXPECT_EQ(table.ReplyTo(1, {}, kA, 1, 2), "played 1 a 2; ask b");
}

}  // namespace
}  // namespace referee::match
