// Tests of the referee's own stalls: the time given back, and when a match has no contest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kLimit = absl::Milliseconds(500);  // the default

// Seat a is asked at once.
struct Asked : Table {
  explicit Asked(absl::string_view time_control = "500ms", const Policies& policies = {},
                 int seats = 2)
      : Table(Long(seats), ParseTimeControl(time_control).value(), policies) {
    BeginReady();
    Sent({}, kA, 1);
  }
  std::string ReplyAfterStall(absl::Duration at, Seat seat, uint32_t turn, absl::Duration stall) {
    return Step(at, Replied{seat, turn, games::Move(1)}, stall);
  }
  Played Last() const { return All<Played>().back(); }
};

TEST(MatchStall, IsNotCharged) {
  Asked table("500ms+1s");
  EXPECT_EQ(table.ReplyAfterStall(300 * kMs, kA, 1, 50 * kMs), "played 1 a 1; ask b");
  EXPECT_EQ(table.Last().used, 250 * kMs);
  EXPECT_EQ(table.Last().timing->stalled, 50 * kMs);
  EXPECT_EQ(table.match().bank_left(kA), 750 * kMs);
}

TEST(MatchStall, NeitherCostsTheMatchNorMakesItVoid) {
  Asked table;
  EXPECT_EQ(table.ReplyAfterStall(510 * kMs, kA, 1, 10 * kMs), "played 1 a 1; ask b");
  EXPECT_EQ(table.Last().used, kLimit);
}

TEST(MatchStall, ReplyANanosecondLaterThanLimitAndStallIsALossAndNotVoid) {
  Asked table;
  EXPECT_EQ(table.ReplyAfterStall(510 * kMs + kNs, kA, 1, 10 * kMs),
            "forfeit a TIMEOUT 1; finished ALONE");
  EXPECT_EQ(table.match().forfeits()[0].detail,
            "used 500.000001 ms of 500 ms for turn 1, 10 ms of the referee's own not counted");
}

// --- A bot that sends what is refused. ---

TEST(MatchStall, IsChargedToASeatWhoseBotSentWhatWasRefused) {
  Asked table("500ms+1s");
  EXPECT_EQ(table.Step(200 * kMs, Refused{kA}, 50 * kMs), "");
  EXPECT_EQ(table.ReplyAfterStall(300 * kMs, kA, 1, 50 * kMs), "played 1 a 1; ask b");
  EXPECT_EQ(table.Last().used, 300 * kMs) << "also what the referee stood still before that";
  EXPECT_EQ(table.Last().timing->stalled, absl::ZeroDuration());
  EXPECT_TRUE(table.Last().timing->stalls_charged);
}

TEST(MatchStall, IsChargedToThatSeatForTheRestOfTheMatchAndToNoOther) {
  Asked table;
  table.Reply(100 * kMs, kA, 1, 1);
  table.Sent(100 * kMs, kB, 2);
  EXPECT_EQ(table.Step(150 * kMs, Refused{kA}), "");
  table.ReplyAfterStall(200 * kMs, kB, 2, 50 * kMs);
  EXPECT_EQ(table.Last().used, 50 * kMs);
  EXPECT_FALSE(table.Last().timing->stalls_charged);
  for (const uint32_t turn : {3u, 5u}) {
    table.Sent(200 * kMs, kA, turn);
    table.ReplyAfterStall(300 * kMs, kA, turn, 50 * kMs);
    EXPECT_EQ(table.Last().used, 100 * kMs);
    EXPECT_TRUE(table.Last().timing->stalls_charged);
    table.Sent(300 * kMs, kB, turn + 1);
    table.Reply(200 * kMs, kB, turn + 1, 1);
  }
}

TEST(MatchStall, ThatIsChargedMakesNoMatchVoidAndIsNotWaitedOut) {
  Asked table("500ms,stall=20ms");
  table.Step(200 * kMs, Refused{kA}, 40 * kMs);
  EXPECT_EQ(table.next_deadline(), kLimit + kNs);
  EXPECT_EQ(table.ReplyAfterStall(kLimit + kNs, kA, 1, 40 * kMs),
            "forfeit a TIMEOUT 1; finished ALONE");
  EXPECT_TRUE(table.match().forfeits()[0].timing->stalls_charged);
}

TEST(MatchStall, ThatIsChargedIsSoAfterTheRefereeWasStartedAgain) {
  Asked table;
  table.Step(10 * kMs, Refused{kA});
  table.Reply(100 * kMs, kA, 1, 1);
  table.Sent(100 * kMs, kB, 2);
  table.Reply(200 * kMs, kB, 2, 1);
  Match again(table.match().setup(), table.seed());
  ASSERT_EQ(again.Rebuild(table.records()), absl::OkStatus());
  const auto step = [&again](absl::Duration at, const Event& event, absl::Duration stall = {}) {
    return again.Step(event, Table::Time(at), Table::ReadingAt(at, {stall, stall}));
  };
  step(absl::Seconds(1), Resume{absl::Seconds(9)});
  step(absl::Seconds(1), LinkBack{kA});
  step(absl::Seconds(1), LinkBack{kB});
  step(absl::Seconds(1), RequestSent{kA, 3});
  step(absl::Seconds(1) + 300 * kMs, Replied{kA, 3, games::Move(1)}, 50 * kMs);
  EXPECT_EQ(again.last_turn()->used, 300 * kMs);
  EXPECT_TRUE(again.last_turn()->timing->stalls_charged);
}

// --- Quotas. ---

TEST(MatchStall, GivesBackNoMoreThanWasUsed) {
  Asked table;
  table.ReplyAfterStall(10 * kMs, kA, 1, 50 * kMs);
  EXPECT_EQ(table.Last().used, absl::ZeroDuration());
  EXPECT_EQ(table.Last().timing->stalled, 10 * kMs);
}

TEST(MatchStall, IsGivenBackUpToTheQuotaOfAMove) {
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(table.ReplyAfterStall(510 * kMs, kA, 1, 30 * kMs), "played 1 a 1; ask b");
  EXPECT_EQ(table.Last().used, 490 * kMs);
  EXPECT_EQ(table.Last().timing->stalled, 20 * kMs);
}

TEST(MatchStall, IsGivenBackUpToTheQuotaOfTheSeatInTheMatch) {
  Asked table("500ms,stall=20ms/30ms");
  table.ReplyAfterStall(100 * kMs, kA, 1, 20 * kMs);
  table.Sent(100 * kMs, kB, 2);
  table.ReplyAfterStall(200 * kMs, kB, 2, 20 * kMs);
  EXPECT_EQ(table.Last().timing->stalled, 20 * kMs);  // the seats have one each
  table.Sent(200 * kMs, kA, 3);
  table.ReplyAfterStall(300 * kMs, kA, 3, 20 * kMs);
  EXPECT_EQ(table.Last().timing->stalled, 10 * kMs);
}

TEST(MatchStall, WithoutAQuotaGivesNothingBack) {
  Asked table("500ms,stall=0s");
  table.ReplyAfterStall(100 * kMs, kA, 1, 20 * kMs);
  EXPECT_EQ(table.Last().used, 100 * kMs);
}

TEST(MatchStall, IsTakenOffBeforeNetworkTimeIsCredited) {
  Policies policies;
  policies.lag = {20 * kMs, absl::Seconds(1)};
  Table table(Long(), {}, policies);
  table.BeginReady();
  table.Step({}, RequestSent{kA, 1, 20 * kMs});
  table.Step(30 * kMs, Replied{kA, 1, games::Move(1)}, 25 * kMs);
  const Timing timing = *table.All<Played>()[0].timing;
  EXPECT_EQ(timing.stalled, 25 * kMs);
  EXPECT_EQ(timing.credit, 5 * kMs);
}

TEST(MatchStall, SilenceIsJudgedOnceItHasBeenWaitedOut) {
  Asked table;
  EXPECT_EQ(table.Step(501 * kMs, Tick{}, 10 * kMs), "");
  EXPECT_EQ(table.next_deadline(), 510 * kMs + kNs);
  EXPECT_EQ(table.Step(510 * kMs + kNs, Tick{}, 10 * kMs), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchStall, SilenceIsJudgedOnceAllHaveBeenWaitedOutWhateverTheQuota) {
  const Stalls all{60 * kMs, 25 * kMs};
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(table.Step(550 * kMs, Tick{}, all), "");
  EXPECT_EQ(table.next_deadline(), 560 * kMs + kNs);
  EXPECT_EQ(table.Step(560 * kMs + kNs, Tick{}, all), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchStall, ReplyInTimeThatIsTakenUpAfterOneCounts) {
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(table.Step(550 * kMs, Tick{}, Stalls{60 * kMs, 25 * kMs}), "");
  EXPECT_EQ(table.Step(520 * kMs, Replied{kA, 1, games::Move(1)}, Stalls{35 * kMs, 18 * kMs}),
            "played 1 a 1; ask b");
}

TEST(MatchStall, OfOneTurnIsNotHeldAgainstTheNext) {
  Asked table;
  table.Step(501 * kMs, Tick{}, 10 * kMs);
  table.Step(absl::ZeroDuration(), Replied{kA, 1, games::Move(1)});  // had come in time
  table.Sent(absl::Seconds(1), kB, 2);
  EXPECT_EQ(table.TickAt(absl::Seconds(1) + 501 * kMs), "forfeit b TIMEOUT 2; finished ALONE");
}

TEST(MatchStall, ReplacedRequestLeavesTheQuotaAsItWas) {
  Asked table("500ms,stall=20ms", {}, 3);
  table.Step(100 * kMs, Resigned{kC}, 20 * kMs);
  table.Sent(100 * kMs, kA, 1);
  table.Step(200 * kMs, Replied{kA, 1, games::Move(1), Instant::InfiniteFuture(), 1}, 20 * kMs);
  EXPECT_EQ(table.Last().timing->stalled, 20 * kMs);
}

TEST(MatchStall, IsLookedForSinceTheClockRuns) {
  Table table(Long());
  table.BeginReady();
  EXPECT_EQ(table.match().ClockRunsFrom(Table::Time(7 * kMs)), Table::Time(7 * kMs));
  table.Sent(20 * kMs, kA, 1);
  EXPECT_EQ(table.match().ClockRunsFrom(Table::Time(70 * kMs)), Table::Time(20 * kMs));
}

TEST(MatchStall, IsNotLookedForWhileTheClockStandsStillForALostLink) {
  Policies policies;
  policies.link_grace = 100 * kMs;
  Asked table("500ms", policies);
  table.Step(50 * kMs, LinkLost{kA}, 10 * kMs);
  EXPECT_EQ(table.match().ClockRunsFrom(Table::Time(90 * kMs)), Table::Time(150 * kMs));
  table.Step(110 * kMs, LinkBack{kA});
  EXPECT_EQ(table.match().ClockRunsFrom(Table::Time(120 * kMs)), Table::Time(110 * kMs));
  table.ReplyAfterStall(200 * kMs, kA, 1, 20 * kMs);
  EXPECT_EQ(table.Last().timing->stalled, 30 * kMs);
  EXPECT_EQ(table.Last().used, 110 * kMs);
}

// Until a refused move is written down, the bot does not hear that it may try again.
TEST(MatchStall, TimeOfTheDiskWhileTheClockRunsOnIsGivenBack) {
  Policies policies;
  policies.on_illegal.action = FaultPolicy::Action::kRetry;
  Asked table("500ms", policies);
  table.Step(100 * kMs, Replied{kA, 1, games::Move(9)});
  table.match().Handing(Table::Time(300 * kMs));
  table.Reply(600 * kMs, kA, 1, 1);
  EXPECT_EQ(table.Last().timing->stalled, 200 * kMs);
  EXPECT_EQ(table.Last().used, 400 * kMs);
}

TEST(MatchNoContest, NeedsAStallBeyondTheQuota) {
  Asked at_quota("500ms,stall=20ms");
  EXPECT_EQ(at_quota.ReplyAfterStall(521 * kMs, kA, 1, 20 * kMs),
            "forfeit a TIMEOUT 1; finished ALONE");
  Asked beyond("500ms,stall=20ms");
  EXPECT_THAT(beyond.ReplyAfterStall(521 * kMs, kA, 1, 21 * kMs),
              HasSubstr("no contest a 1; void seat a used 501 ms of 500 ms"));
  const NoContest evidence = beyond.All<NoContest>()[0];
  EXPECT_EQ(evidence.used, 501 * kMs);
  EXPECT_EQ(evidence.limit, kLimit);
  EXPECT_EQ(evidence.stall, 21 * kMs);
  EXPECT_EQ(evidence.timing.stalled, 20 * kMs);
  EXPECT_EQ(beyond.match().ended()->ending, Ending::kVoid);
}

TEST(MatchNoContest, NeedsOneStallBeyondTheQuotaAndNotManyBelow) {
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(table.Step(521 * kMs, Replied{kA, 1, games::Move(1)}, Stalls{200 * kMs, 20 * kMs}),
            "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchNoContest, NeedsAReplyNoLaterThanTheLongestStall) {
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(
      table.Step(530 * kMs + kNs, Replied{kA, 1, games::Move(1)}, Stalls{200 * kMs, 30 * kMs}),
      "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchNoContest, NeedsAReplyNoLaterThanTheStall) {
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(table.ReplyAfterStall(600 * kMs + kNs, kA, 1, 100 * kMs),
            "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchNoContest, NeedsAReply) {
  Asked table("500ms,stall=20ms");
  EXPECT_EQ(table.Step(550 * kMs, Tick{}, 100 * kMs), "");
  EXPECT_EQ(table.Step(600 * kMs + kNs, Tick{}, 100 * kMs), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchNoContest, IsNotMadeByAShortStallOnceTheQuotaOfTheMatchIsUsedUp) {
  Asked table("500ms,stall=20ms/20ms");
  table.ReplyAfterStall(100 * kMs, kA, 1, 20 * kMs);
  table.Sent(100 * kMs, kB, 2);
  table.Reply(100 * kMs, kB, 2, 1);
  table.Sent(100 * kMs, kA, 3);
  EXPECT_EQ(table.ReplyAfterStall(606 * kMs, kA, 3, 6 * kMs),
            "forfeit a TIMEOUT 3; finished ALONE");
}

// --- A bot that does not read ---

TEST(MatchUnreadLink, ClockCountsFromWhenTheTurnWasDue) {
  Table table(Long());
  table.BeginReady();
  table.Offered(10 * kMs, kA, 1);
  EXPECT_EQ(table.next_deadline(), 15 * kMs + kNs);
  EXPECT_EQ(table.TickAt(15 * kMs + kNs), "");
  EXPECT_EQ(table.next_deadline(), 10 * kMs + kLimit + kNs);
  table.Reply(110 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 100 * kMs);
  EXPECT_EQ(table.match().last_turn()->timing->started, absl::ZeroDuration());
}

TEST(MatchUnreadLink, ReplyWithoutTheRequestIsChargedToo) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  table.Reply(400 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 400 * kMs);
}

TEST(MatchUnreadLink, RequestThatIsTakenLateIsChargedFromWhenItWasDue) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  table.Sent(300 * kMs, kA, 1);
  EXPECT_EQ(table.next_deadline(), kLimit + kNs);
  EXPECT_EQ(table.TickAt(kLimit + kNs), "forfeit a TIMEOUT 1; finished ALONE");
}

TEST(MatchUnreadLink, ResignationBeforeTheTickIsChargedAsItsTimesSay) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  table.Step(6 * kMs, Resigned{kA});
  const Forfeited forfeited = table.match().forfeits()[0];
  EXPECT_EQ(forfeited.used, 6 * kMs);
  EXPECT_EQ(forfeited.timing->read - forfeited.timing->started, 6 * kMs);
}

TEST(MatchUnreadLink, ResignationBeforeTheOfferIsChargedNothing) {
  Table table(Long());
  table.BeginReady();
  table.Step(16 * kMs, Resigned{kA});
  const Forfeited forfeited = table.match().forfeits()[0];
  EXPECT_EQ(forfeited.used, absl::ZeroDuration());
  EXPECT_EQ(forfeited.timing->started, absl::ZeroDuration());
  EXPECT_EQ(forfeited.timing->read, absl::ZeroDuration());
}

TEST(MatchUnreadLink, GainsNoMoreThanTheHandoverLimit) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  table.Sent(limits::kHandoverLimit, kA, 1);
  EXPECT_EQ(table.next_deadline(), limits::kHandoverLimit + kLimit + kNs);
}

TEST(MatchUnreadLink, HandoverInTimeThatIsToldLateCountsInEitherOrder) {
  Table tick_first(Long());
  tick_first.BeginReady();
  tick_first.Offered({}, kA, 1);
  tick_first.TickAt(limits::kHandoverLimit + kMs);
  tick_first.Sent(limits::kHandoverLimit - kMs, kA, 1);
  Table sent_first(Long());
  sent_first.BeginReady();
  sent_first.Offered({}, kA, 1);
  sent_first.Sent(limits::kHandoverLimit - kMs, kA, 1);
  sent_first.TickAt(limits::kHandoverLimit + kMs);
  EXPECT_EQ(tick_first.next_deadline(), sent_first.next_deadline());
}

TEST(MatchUnreadLink, NewLinkDoesNotGiveTheTimeBack) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  EXPECT_EQ(table.Step(300 * kMs, LinkBack{kA}), "start a; ask a");
  table.Step(300 * kMs, RequestSent{kA, 1});
  table.Reply(400 * kMs, kA, 1, 1);
  EXPECT_EQ(table.match().last_turn()->used, 400 * kMs);
}

TEST(MatchUnreadLink, LossOfTheLinkDoesNotGiveTheTimeBack) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  table.Step(300 * kMs, LinkLost{kA});
  EXPECT_EQ(table.next_deadline(), kLimit + kNs);
}

TEST(MatchUnreadLink, RequestThatReplacesAnotherCountsFromWhenTheFirstWasOffered) {
  Table table(Long(3));
  table.BeginReady();
  table.Offered({}, kA, 1);
  EXPECT_EQ(table.Step(300 * kMs, Resigned{kC}), "forfeit c RESIGNED 1; ask a");
  table.Offered(301 * kMs, kA, 1);
  table.Step(600 * kMs, Replied{kA, 1, games::Move(1), Instant::InfiniteFuture(), 1});
  EXPECT_EQ(table.match().last_turn()->used, 600 * kMs);
}

TEST(MatchUnreadLink, StallsAreGivenBackToIt) {
  Table table(Long());
  table.BeginReady();
  table.Offered({}, kA, 1);
  table.Step(400 * kMs, Replied{kA, 1, games::Move(1)}, 100 * kMs);
  EXPECT_EQ(table.match().last_turn()->used, 300 * kMs);
}

// --- The time until what led to a turn was written, and until it was offered ---

TEST(MatchDue, TimeOfTheDiskIsNobodys) {
  Table table(Long());
  table.BeginReady();
  table.Sent({}, kA, 1);
  table.Step({}, LinkLost{kB});
  table.Reply(100 * kMs, kA, 1, 1);
  table.match().Handing(Table::Time(absl::Seconds(2)));
  EXPECT_EQ(table.next_deadline(), absl::Seconds(2) + kLimit + kNs);
}

TEST(MatchDue, RequestThatIsOfferedLateByTheRefereeCostsNothing) {
  Table table(Long());
  table.BeginReady();
  table.match().Handing(Table::Time(1 * kMs));
  EXPECT_EQ(table.TickAt(absl::Seconds(3)), "");
  table.Sent(absl::Seconds(3), kA, 1);
  EXPECT_EQ(table.next_deadline(), absl::Seconds(3) + kLimit + kNs);
}

TEST(MatchDue, RepeatedRequestDoesNotMoveIt) {
  Asked table;
  table.Step(100 * kMs, LinkBack{kA});
  table.match().Handing(Table::Time(200 * kMs));
  table.Reply(300 * kMs, kA, 1, 1);
  EXPECT_EQ(table.Last().used, 300 * kMs);
}

// --- What the verdict says of it ---

TEST(MatchTimes, CountWhatWasGivenBackLostAndLost) {
  Policies policies;
  policies.on_timeout.action = FaultPolicy::Action::kSubstitute;
  Asked table("500ms", policies);
  table.ReplyAfterStall(100 * kMs, kA, 1, 20 * kMs);
  table.Sent(100 * kMs, kB, 2);
  table.Step(150 * kMs, LinkLost{kB});
  table.Step(160 * kMs, LinkBack{kB});
  table.Reply(200 * kMs, kB, 2, 1);
  table.Sent(200 * kMs, kA, 3);
  table.Step(710 * kMs, Tick{}, 5 * kMs);
  table.Step(710 * kMs, Resigned{kA});
  const MatchTimes times = table.match().ended()->times;
  EXPECT_EQ(times.seats[0].given_back, 25 * kMs);
  EXPECT_EQ(times.seats[0].time_losses, 1);
  EXPECT_EQ(times.seats[0].lost_links, 0);
  EXPECT_EQ(times.seats[1], (SeatTime{absl::ZeroDuration(), 0, 1}));
  EXPECT_FALSE(times.late.valid());
}

TEST(MatchTimes, NameTheSeatThatWasLateInAVoidMatch) {
  Asked table("500ms,stall=20ms");
  table.ReplyAfterStall(521 * kMs, kA, 1, 21 * kMs);
  EXPECT_EQ(table.match().ended()->times.late, kA);
  EXPECT_EQ(table.match().ended()->times.seats[0].given_back, 20 * kMs);
}

}  // namespace
}  // namespace referee::match
