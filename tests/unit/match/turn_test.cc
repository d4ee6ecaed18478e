// Tests of replies and turns: moves, passes, digests, faults, the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(MatchTurn, IsPlayedRecordedAndTheNextSeatAsked) {
  Table table(Seats(2));
  table.BeginReady();
  table.Sent(kMs, kA, 1);
  EXPECT_EQ(table.Reply(4 * kMs, kA, 1, 2), "played 1 a 2; ask b");
  const Played played = table.All<Played>()[0];
  EXPECT_EQ(played.legal_count, 3u);
  EXPECT_EQ(played.used, 3 * kMs);
  EXPECT_EQ(played.bank_left, absl::InfiniteDuration());
  EXPECT_EQ(played.digest, dice::Digest("2 b - 00"));
  EXPECT_EQ(table.match().turn(), 2u);
  EXPECT_EQ(table.match().last_turn()->number, 1u);
}

TEST(MatchTurn, TakesTheMoveThatWasMeant) {
  Table table(Seats(2));
  table.BeginReady();
  EXPECT_EQ(table.Reply({}, kA, 1, 103), "played 1 a 3; ask b");
}

TEST(MatchTurn, DigestIsOfThePositionWithTheNextDiceRolledIn) {
  CountingRules rules = Seats(3);
  rules.dice = true;
  rules.first_player = true;
  Table table(rules);
  table.BeginReady();
  const dice::Key key = dice::PinnedKey(table.seed());
  const auto ignore = [](const games::Chance&, absl::Span<const int>) {};
  const auto model = table.match().setup().game->NewState();
  games::DrawChance(key, model.get(), ignore);
  while (table.match().stage() == Match::Stage::kPlaying) {
    const Roll roll(model->roll());
    const Seat seat = table.match().seat_to_move();
    table.Reply({}, seat, table.match().turn(), 1);
    model->Apply(games::Move(1));
    games::DrawChance(key, model.get(), ignore);
    const Played played = *table.match().last_turn();
    EXPECT_EQ(played.seat, seat);
    EXPECT_EQ(played.roll, roll);
    EXPECT_EQ(played.digest, dice::Digest(model->Position()));
  }
  EXPECT_EQ(table.All<Played>().size(), 10u);
}

TEST(MatchTurn, PassIsPlayedByTheRefereeForNothing) {
  CountingRules rules = Seats(2);
  rules.limits = {2, 0, 0};
  TimeControl time_control;
  time_control.bank = absl::Seconds(1);
  time_control.increment = absl::Milliseconds(5);
  Table table(rules, time_control);
  table.BeginReady();
  table.Sent({}, kA, 1);
  EXPECT_EQ(table.Reply(7 * kMs, kA, 1, 2), "played 1 a 2; played 2 b -; played 3 a -; ask b");
  const auto played = table.All<Played>();
  EXPECT_EQ(played[0].bank_left, absl::Milliseconds(998));
  EXPECT_EQ(played[1].legal_count, 1u);
  EXPECT_EQ(played[1].used, absl::ZeroDuration());
  EXPECT_EQ(played[1].bank_left, absl::Seconds(1));
  EXPECT_EQ(played[2].bank_left, absl::Milliseconds(998));
}

TEST(MatchTurn, PassMayBeTheFirstTurnAndTheWholeGame) {
  CountingRules rules = Seats(2);
  rules.limits = {0};
  Table table(rules);
  EXPECT_THAT(table.BeginReady(), ::testing::EndsWith("played 1000 b -; finished TURNS"));
}

TEST(MatchTurn, EndOfTheGameIsTheResult) {
  CountingRules rules = Seats(2);
  rules.target = 5;
  Table table(rules);
  table.BeginReady();
  table.Reply({}, kA, 1, 2);
  EXPECT_EQ(table.Reply(3 * kMs, kB, 2, 3), "played 2 b 3; finished COUNTED");
  const Ended ended = *table.match().ended();
  EXPECT_EQ(ended.ending, Ending::kFinished);
  EXPECT_THAT(ended.scores, ElementsAre(2, 3));
  EXPECT_THAT(ended.ranks, ElementsAre(2, 1));
  EXPECT_EQ(ended.seed, table.seed());
  EXPECT_EQ(ended.time, Table::WallTime(3 * kMs));
  EXPECT_EQ(table.match().next_deadline(), Instant::InfiniteFuture());
  EXPECT_EQ(table.match().seat_to_move(), Seat::None());
  EXPECT_THAT(table.match().legal_moves(), IsEmpty());
  EXPECT_EQ(table.match().turn(), 3u);
}

TEST(MatchFault, MoveBeforeTheStart) {
  Table table(Seats(2));
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "fault a 1");
  table.Step({}, Begin{});
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "fault a 1");
  EXPECT_THAT(table.faults(), ::testing::Each(HasSubstr("not begun")));
}

TEST(MatchFault, MoveOfAnotherSeatOrTurnChangesNothing) {
  Table table(Seats(3));
  table.BeginReady();
  EXPECT_EQ(table.Reply({}, kB, 1, 1), "fault b 1");
  EXPECT_EQ(table.Reply({}, kA, 2, 1), "fault a 2");
  EXPECT_EQ(table.Reply({}, kA, 0, 1), "fault a 0");
  EXPECT_THAT(table.faults(),
              ElementsAre(HasSubstr("not asked"), HasSubstr("not asked"), ::testing::_));
  EXPECT_THAT(table.faults(), ::testing::Each(HasSubstr("due is turn 1, of seat a")));
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "played 1 a 1; ask b");
}

TEST(MatchFault, RepeatedMoveSaysSo) {
  Table table(Seats(2));
  table.BeginReady();
  table.Reply({}, kA, 1, 1);
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "fault a 1");
  EXPECT_EQ(table.Step({}, RepliedUnreadably{kA, 1, absl::InvalidArgumentError("x")}), "fault a 1");
  EXPECT_THAT(table.faults(), ::testing::Each(HasSubstr("repeated")));
  EXPECT_THAT(table.faults(), ::testing::Each(HasSubstr("due is turn 2, of seat b")));
}

TEST(MatchFault, MoveForATurnThatHasPassedSaysSo) {
  Table table(Seats(2));
  table.BeginReady();
  table.Reply({}, kA, 1, 1);
  table.Reply({}, kB, 2, 1);
  table.Reply({}, kA, 3, 1);
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "fault a 1");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("too late")));
}

TEST(MatchFault, MoveOfASeatThatHasForfeitedSaysSo) {
  Table table(Seats(3));
  table.BeginReady();
  table.Step({}, Resigned{kA});
  EXPECT_EQ(table.Reply({}, kA, 1, 1), "fault a 1");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("forfeited")));
}

TEST(MatchFault, AfterTheEndOnlyFaultsAreTold) {
  Table table(Seats(2));
  table.BeginReady();
  table.Step({}, Resigned{kA});
  EXPECT_EQ(table.Reply({}, kB, 1, 1), "fault b 1");
  EXPECT_THAT(table.faults(), ElementsAre(HasSubstr("over")));
  EXPECT_EQ(table.Step({}, ReadyReceived{kB, {}}), "fault b 0");
  for (const Event& event :
       std::vector<Event>{Begin{}, Tick{}, LinkLost{kB}, LinkBack{kB}, Resigned{kB},
                          RequestSent{kB, 1}, Stopped{Ending::kVoid, "x"}}) {
    EXPECT_EQ(table.Step(absl::Hours(1), event), "");
  }
}

TEST(MatchFault, SeatsThatDoNotExistAreIgnored) {
  Table table(Seats(2));
  table.BeginReady();
  for (Seat seat : {Seat::None(), kC, Seat(100)}) {
    EXPECT_EQ(table.Reply({}, seat, 1, 1), "");
    EXPECT_EQ(table.Step({}, Resigned{seat}), "");
    EXPECT_EQ(table.Step({}, LinkBack{seat}), "");
  }
}

TEST(MatchStop, EndsWithoutAResultInAnyStage) {
  for (int steps = 0; steps < 3; ++steps) {
    Table table(Seats(2));
    if (steps == 1) table.Step({}, Begin{});
    if (steps == 2) table.BeginReady();
    EXPECT_EQ(table.Step(kMs, Stopped{Ending::kVoid, "the disk is full"}), "void the disk is full");
    const Ended ended = *table.match().ended();
    EXPECT_EQ(ended.ending, Ending::kVoid);
    EXPECT_EQ(ended.seed, table.seed());
    EXPECT_EQ(ended.time, Table::WallTime(kMs));
    EXPECT_THAT(ended.scores, IsEmpty());
    EXPECT_THAT(ended.ranks, IsEmpty());
    EXPECT_EQ(table.match().stage(), Match::Stage::kOver);
    EXPECT_EQ(table.Step(kMs, Begin{}), "");
  }
}

}  // namespace
}  // namespace referee::match
