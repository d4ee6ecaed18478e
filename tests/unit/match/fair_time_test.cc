// Tests of first moves, the time of the whole match, and the split of a turn's time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::HasSubstr;

TEST(MatchFirstMove, MayTakeMoreAndTheBankIsNotCharged) {
  TimeControl time_control = ParseTimeControl("500ms+1s,first=2s").value();
  Table table(Long(), time_control);
  table.BeginReady();
  EXPECT_EQ(table.match().move_limit(), 2500 * kMs);
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Reply(2400 * kMs, kA, 1, 1), "played 1 a 1; ask b");
  EXPECT_EQ(table.match().bank_left(kA), 600 * kMs);
  table.Reply(2400 * kMs, kB, 2, 1);
  EXPECT_EQ(table.match().move_limit(), 500 * kMs);
}

TEST(MatchFirstMove, IsEachSeatsOwn) {
  Table table(Long(), ParseTimeControl("500ms,first=2s").value());
  table.BeginReady();
  table.Reply({}, kA, 1, 1);
  EXPECT_EQ(table.match().move_limit(), 2500 * kMs);
}

TEST(MatchReady, LimitIsThatOfTheTimeControl) {
  Table table(Long(), ParseTimeControl("500ms,ready=3s").value());
  table.Step({}, Begin{});
  EXPECT_EQ(table.next_deadline(), absl::Seconds(3));
}

TEST(MatchTime, SeatThatHasUsedMostForfeitsWhoeverIsToMove) {
  Table table(Long(), ParseTimeControl("10s,match=5s").value());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Reply(absl::Seconds(4), kA, 1, 1);
  table.Sent(absl::Seconds(8), kB, 2);
  EXPECT_EQ(table.match().move_limit(), absl::Seconds(1));
  EXPECT_EQ(table.TickAt(absl::Seconds(9)), "");
  EXPECT_EQ(table.TickAt(absl::Seconds(9) + kNs),
            "faulted b TIMEOUT 2; forfeit a TIMEOUT 2; finished ALONE");
  EXPECT_EQ(table.All<Faulted>()[0].used, absl::Seconds(1));
  EXPECT_THAT(table.match().forfeits()[0].detail, HasSubstr("4000 ms"));
}

TEST(MatchTime, SeatsForfeitUntilTheGameIsOver) {
  Table table(Long(3), ParseTimeControl("none,match=5s").value());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Reply(absl::Seconds(1), kA, 1, 1);
  table.Sent(absl::Seconds(1), kB, 2);
  EXPECT_EQ(table.TickAt(absl::Seconds(9)),
            "faulted b TIMEOUT 2; forfeit b TIMEOUT 2; forfeit a TIMEOUT 2; finished ALONE");
}

TEST(MatchTime, OfEqualsTheOneToMoveForfeits) {
  Table table(Long(), ParseTimeControl("none,match=2s").value());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Reply(absl::Seconds(1), kA, 1, 1);
  table.Sent(absl::Seconds(1), kB, 2);
  EXPECT_THAT(table.TickAt(absl::Seconds(3)), HasSubstr("forfeit b"));
}

TEST(MatchTime, CountsOnlyWhatSeatsUsed) {
  Table table(Long(), ParseTimeControl("1s,match=5s").value());
  table.BeginReady();
  table.Sent(absl::Seconds(4), kA, 1);
  table.Reply(absl::Seconds(4) + 100 * kMs, kA, 1, 1);
  table.Sent(absl::Seconds(8), kB, 2);
  EXPECT_EQ(table.match().move_limit(), absl::Seconds(1));
}

TEST(MatchTiming, SaysWhereTheTimeOfATurnWent) {
  Table table(Long());
  table.BeginReady();
  table.Step(3 * kMs, RequestSent{kA, 1, 2 * kMs, 0, Table::Time({})});
  Replied replied{kA, 1, games::Move(1), Table::Time(5 * kMs)};
  Match& match = table.match();
  const auto effects = match.Step(replied, Table::Time(40 * kMs), Table::ReadingAt(42 * kMs));
  const Timing timing = *std::get<Played>(std::get<Record>(effects[0])).timing;
  EXPECT_EQ(timing.started, 3 * kMs);
  EXPECT_EQ(timing.written, 5 * kMs);
  EXPECT_EQ(timing.read, 40 * kMs);
  EXPECT_EQ(timing.taken, 42 * kMs);
  EXPECT_EQ(timing.round_trip, 2 * kMs);
}

TEST(MatchTiming, InstantOfTheWriteIsLeftOutWhenItIsNotKnown) {
  Table table(Long());
  table.BeginReady();
  table.Reply(40 * kMs, kA, 1, 1);
  EXPECT_EQ(table.All<Played>()[0].timing->written, absl::InfiniteDuration());
}

TEST(MatchTiming, ReplyThatCameBeforeItsTurnWasDueIsDatedThen) {
  Table table(Long());
  table.BeginReady();
  table.Reply(40 * kMs, kA, 1, 1);
  table.Reply(30 * kMs, kB, 2, 1);  // a guess, read earlier
  const Timing timing = *table.All<Played>()[1].timing;
  EXPECT_EQ(timing.started, absl::ZeroDuration());
  EXPECT_EQ(timing.read, absl::ZeroDuration());
}

TEST(MatchTiming, RoundTripIsNeverLessThanWhatWasCreditedForIt) {
  Policies policies;
  policies.lag = {20 * kMs, absl::Seconds(1)};
  Table table(Long(), {}, policies);
  table.BeginReady();
  table.Step({}, RequestSent{kA, 1, 15 * kMs});
  table.Step(5 * kMs, RequestSent{kA, 1, 1 * kMs});  // again, on a new link
  table.Reply(100 * kMs, kA, 1, 1);
  const Timing timing = *table.All<Played>()[0].timing;
  EXPECT_EQ(timing.credit, 15 * kMs);
  EXPECT_GE(timing.round_trip, timing.credit);
}

TEST(MatchTiming, PassHasNone) {
  CountingRules rules = Long();
  rules.limits = {3, 0};
  Table table(rules);
  table.BeginReady();
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "played 1 a 1; played 2 b -; ask a");
  EXPECT_FALSE(table.All<Played>()[1].timing.has_value());
}

}  // namespace
}  // namespace referee::match
