// Tests of the start of a match: readiness, start rolls, absent seats.
//
// Nonces are in nonce_test.cc.
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
using ::testing::SizeIs;

TEST(MatchStart, TellsEverySeatAndWaitsForAll) {
  Table table(Seats(3));
  EXPECT_EQ(table.Step({}, Begin{}), "start a; start b; start c");
  EXPECT_EQ(table.match().stage(), Match::Stage::kReadying);
  EXPECT_EQ(table.next_deadline(), limits::kReadyLimit);
  EXPECT_EQ(table.Step({}, ReadyReceived{kB, {}}), "");
  EXPECT_EQ(table.Step({}, ReadyReceived{kA, {}}), "");
  EXPECT_EQ(table.Step({}, ReadyReceived{kC, {}}), "started; ask a");
  EXPECT_EQ(table.match().stage(), Match::Stage::kPlaying);
  EXPECT_EQ(table.match().seat_to_move(), kA);
  EXPECT_EQ(table.match().turn(), 1u);
}

TEST(MatchStart, TimeToBeReadyCountsFromWhenTheBotsAreTold) {
  Table table(Seats(2));
  const absl::Duration late = absl::Seconds(2);
  table.match().Step(Begin{}, Table::Time({}), Table::ReadingAt(late));
  EXPECT_EQ(table.next_deadline(), late + limits::kReadyLimit);
}

TEST(MatchStart, SecondBeginDoesNothing) {
  Table table(Seats(2));
  table.Step({}, Begin{});
  EXPECT_EQ(table.Step(absl::Seconds(1), Begin{}), "");
  EXPECT_EQ(table.next_deadline(), limits::kReadyLimit);
}

TEST(MatchStart, NobodyIsToMoveBeforeIt) {
  Table table(Seats(2));
  EXPECT_EQ(table.match().seat_to_move(), Seat::None());
  EXPECT_EQ(table.match().next_deadline(), Instant::InfiniteFuture());
  table.Step({}, Begin{});
  EXPECT_EQ(table.match().seat_to_move(), Seat::None());
  EXPECT_EQ(table.match().move_limit(), absl::ZeroDuration());
}

TEST(MatchStart, ReadyOnceEachAndOnlyWhenAsked) {
  Table table(Seats(2));
  EXPECT_EQ(table.Step({}, ReadyReceived{kA, {}}), "fault a 0");
  table.Step({}, Begin{});
  EXPECT_EQ(table.Step({}, ReadyReceived{kA, {}}), "");
  EXPECT_EQ(table.Step({}, ReadyReceived{kA, {}}), "fault a 0");
  table.Step({}, ReadyReceived{kB, {}});
  EXPECT_EQ(table.Step({}, ReadyReceived{kB, {}}), "fault b 0");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("not been announced"), HasSubstr("already"),
                                          HasSubstr("already")));
}

TEST(MatchStart, LateReadyIsAnsweredAndDoesNothing) {
  Table table(Seats(3));
  table.Step({}, Begin{});
  table.Step({}, ReadyReceived{kA, {}});
  table.Step({}, ReadyReceived{kB, {}});
  table.TickAt(limits::kReadyLimit);
  EXPECT_EQ(table.Step(limits::kReadyLimit, ReadyReceived{kC, {}}), "fault c 0");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("has begun")));
  EXPECT_FALSE(table.match().ready(kC));
}

TEST(MatchStart, PinnedMatchListsNoNoncesAndIgnoresThem) {
  CountingRules rules = Seats(2);
  rules.dice = true;
  Table table(rules);
  table.Step({}, Begin{});
  table.Ready(kA, "ay");
  table.Ready(kB, "bee");
  EXPECT_THAT(table.All<Started>()[0].nonces, IsEmpty());
  EXPECT_THAT(table.All<Started>()[0].nonce_hashes, IsEmpty());
  EXPECT_EQ(table.Reveal(kA, "ay"), "fault a 0");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("take no nonces")));
  int roll[2];
  dice::PinnedKey(table.seed()).Uniform(dice::Label::Roll(kA, 0), 6, absl::MakeSpan(roll));
  EXPECT_THAT(table.match().state().roll(), ElementsAre(roll[0] + 1, roll[1] + 1));
}

TEST(MatchStart, RecordsStartRollsButNotTurnRolls) {
  CountingRules rules = Seats(2);
  rules.setup_rolls = true;
  rules.dice = true;
  Table table(rules);
  table.BeginReady();
  const dice::Key key = dice::PinnedKey(table.seed());
  const auto drawn = table.All<Drawn>();
  ASSERT_THAT(drawn, SizeIs(2));
  for (int i = 0; i < 2; ++i) {
    int roll[2];
    key.Uniform(dice::Label::Setup(0, Seat(i)), 6, absl::MakeSpan(roll));
    EXPECT_EQ(drawn[i].kind, games::Chance::Kind::kSetupRoll);
    EXPECT_EQ(drawn[i].round, 0);
    EXPECT_EQ(drawn[i].seat, Seat(i));
    EXPECT_EQ(drawn[i].roll, Roll({roll[0] + 1, roll[1] + 1}));
  }
}

TEST(MatchStart, RecordsTheFirstPlayerDrawn) {
  CountingRules rules = Seats(2);
  rules.first_player = true;
  for (uint64_t number = 0; number < 8; ++number) {
    Table table(rules, {}, {number, {}});
    int first[1];
    dice::PinnedKey(table.seed()).Uniform(dice::Label::FirstPlayer(), 2, absl::MakeSpan(first));
    const std::string letter(1, Seat(first[0]).letter());
    EXPECT_EQ(table.BeginReady(), "started; drawn first " + letter + "; ask " + letter);
    EXPECT_EQ(table.All<Drawn>()[0].roll.size(), 0);
  }
}

TEST(MatchStart, SeatsThatAreNotReadyInTimeForfeit) {
  Table table(Seats(4));
  table.Step({}, Begin{});
  table.Step({}, ReadyReceived{kB, {}});
  table.Step({}, ReadyReceived{Seat(3), {}});
  table.Step(absl::Seconds(1), LinkLost{kC});
  EXPECT_EQ(table.TickAt(limits::kReadyLimit - absl::Nanoseconds(1)), "");
  EXPECT_EQ(table.TickAt(limits::kReadyLimit),
            "started; forfeit a TIMEOUT 1; forfeit c DISCONNECTED 1; ask b");
  EXPECT_THAT(table.match().forfeits()[0].detail, HasSubstr("10s"));
  EXPECT_EQ(table.match().forfeits()[0].used, absl::ZeroDuration());
}

TEST(MatchStart, ResignationBeforeItRanksAboveSeatsThatNeverCame) {
  Table table(Seats(4));
  EXPECT_EQ(table.Step({}, Resigned{kA}), "");
  table.Step({}, Begin{});
  EXPECT_EQ(table.Step({}, Resigned{kB}), "");
  for (Seat seat : {kA, kB, kC}) table.Step({}, ReadyReceived{seat, {}});
  EXPECT_EQ(table.TickAt(limits::kReadyLimit),
            "started; forfeit d TIMEOUT 1; forfeit a RESIGNED 1; forfeit b RESIGNED 1; "
            "finished ALONE");
}

TEST(MatchStart, DoesNotWaitForASeatThatResigned) {
  Table table(Seats(3));
  table.Step({}, Begin{});
  EXPECT_EQ(table.Step({}, Resigned{kA}), "");
  EXPECT_EQ(table.Step({}, ReadyReceived{kB, {}}), "");
  EXPECT_EQ(table.Step({}, ReadyReceived{kC, {}}), "started; forfeit a RESIGNED 1; ask b");
  EXPECT_FALSE(table.match().ready(kA));
}

TEST(MatchStart, ResignationOfTheLastSeatThatIsWaitedForStartsTheMatch) {
  Table table(Seats(3));
  table.Step({}, Begin{});
  for (Seat seat : {kA, kB}) table.Step({}, ReadyReceived{seat, {}});
  EXPECT_EQ(table.Step({}, Resigned{kC}), "started; forfeit c RESIGNED 1; ask a");
}

TEST(MatchStart, ResignationThatLeavesOneSeatEndsTheMatchAtOnce) {
  Table table(Seats(2));
  table.Step({}, Begin{});
  EXPECT_EQ(table.Step({}, Resigned{kA}), "started; forfeit a RESIGNED 1; finished ALONE");
  EXPECT_THAT(table.match().ended()->ranks, ElementsAre(2, 1));
  EXPECT_EQ(table.Step({}, Resigned{kB}), "");
  EXPECT_EQ(table.next_deadline(), absl::InfiniteDuration());
}

TEST(MatchStart, SeatThatWasReadyMayResignToo) {
  Table table(Seats(2));
  table.Step({}, Begin{});
  table.Step({}, ReadyReceived{kA, {}});
  EXPECT_EQ(table.Step({}, Resigned{kA}), "started; forfeit a RESIGNED 1; finished ALONE");
}

TEST(MatchStart, ResignationsCountInTheirOrder) {
  Table table(Seats(3));
  table.Step({}, Begin{});
  table.Step({}, Resigned{kC});
  EXPECT_EQ(table.Step({}, Resigned{kA}),
            "started; forfeit c RESIGNED 1; forfeit a RESIGNED 1; finished ALONE");
}

TEST(MatchStart, VerdictSaysWhoResignedWithoutBeingAskedForAMove) {
  Table table(Seats(3));
  table.Step({}, Begin{});
  table.Step({}, Resigned{kC});
  for (Seat seat : {kA, kB}) table.Step({}, ReadyReceived{seat, {}});
  table.Step({}, Resigned{kA});
  EXPECT_THAT(table.match().ended()->forfeits, ElementsAre(SeatForfeit{kC, Cause::kResigned, true},
                                                           SeatForfeit{kA, Cause::kResigned}));
  EXPECT_TRUE(WasSilent(*table.match().ended(), kC));
  EXPECT_FALSE(WasSilent(*table.match().ended(), kA));
}

TEST(MatchStart, ResignationWhileAnotherSeatThinksIsNotBeforeTheFirstTurn) {
  Table table(Seats(2));
  table.BeginReady();
  table.Step({}, Resigned{kB});
  EXPECT_THAT(table.match().ended()->forfeits, ElementsAre(SeatForfeit{kB, Cause::kResigned}));
}

TEST(MatchStart, WithoutAReadySeatThatStaysIsCancelled) {
  Table table(Seats(3));
  table.Step({}, Begin{});
  table.Step({}, ReadyReceived{kA, {}});
  table.Step({}, Resigned{kA});
  EXPECT_EQ(table.TickAt(limits::kReadyLimit), "cancelled no bot was ready within 10s");
}

TEST(MatchStart, WithoutAnyReadySeatIsCancelled) {
  Table table(Seats(2));
  table.Step({}, Begin{});
  EXPECT_EQ(table.TickAt(limits::kReadyLimit), "cancelled no bot was ready within 10s");
  EXPECT_EQ(table.match().stage(), Match::Stage::kOver);
  EXPECT_THAT(table.match().ended()->scores, IsEmpty());
  EXPECT_EQ(table.match().ended()->seed, table.seed());
}

TEST(MatchStart, SeatWhoseLinkIsBackIsToldAgain) {
  Table table(Seats(2));
  table.Step({}, LinkLost{kB});
  EXPECT_EQ(table.Step({}, LinkBack{kB}), "");
  table.Step({}, Begin{});
  table.Step({}, LinkLost{kA});
  EXPECT_EQ(table.Step({}, LinkBack{kA}), "start a");
  table.Step({}, ReadyReceived{kA, {}});
  EXPECT_EQ(table.TickAt(limits::kReadyLimit), "started; forfeit b TIMEOUT 1; finished ALONE");
}

}  // namespace
}  // namespace referee::match
