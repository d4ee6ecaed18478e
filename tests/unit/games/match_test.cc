// Tests of a match of Hypnosia: the first seat, the order of turns, the end and the winner.
#include "tests/unit/games/boards.h"
#include "tests/unit/games/hypnosia_fixture.h"

namespace referee::games::hypnosia {
namespace {

using ::testing::ElementsAre;

using HypnosiaMatch = HypnosiaTest;

TEST_F(HypnosiaMatch, SeatsRollInOrderAndTheHighestBegins) {
  Use(3);
  const auto state = game_->NewState();
  for (int seat = 0; seat < 3; ++seat) {
    EXPECT_EQ(state->chance().kind, Chance::Kind::kSetupRoll);
    EXPECT_EQ(state->chance().index, 0);
    EXPECT_EQ(state->chance().seat, Seat(seat));
    EXPECT_FALSE(state->first_seat().valid());
    EXPECT_FALSE(state->seat_to_move().valid());
    Roll(state.get(), 1 + seat % 2 * 5, 1);
  }
  EXPECT_EQ(state->first_seat(), Seat(1));
  EXPECT_EQ(state->seat_to_move(), Seat(1));
  EXPECT_EQ(state->chance().label().text(), "roll/1/0");
}

TEST_F(HypnosiaMatch, OnlyTiedHighestSeatsRollAgain) {
  Use(4);
  const auto state = game_->NewState();
  for (const int die : {6, 2, 6, 2}) Roll(state.get(), die, 1);
  EXPECT_EQ(state->chance().label().text(), "setup/1/0");
  Roll(state.get(), 3, 1);
  EXPECT_EQ(state->chance().label().text(), "setup/1/2");
  Roll(state.get(), 2, 2);
  EXPECT_EQ(state->chance().label().text(), "setup/2/0");
  Roll(state.get(), 1, 1);
  Roll(state.get(), 1, 2);
  EXPECT_EQ(state->first_seat(), Seat(2));
}

TEST_F(HypnosiaMatch, StartsWithFourPawnsInEachLane) {
  const auto state = game_->NewState();
  Roll(state.get(), 1, 1);
  Roll(state.get(), 2, 1);
  Roll(state.get(), 5, 4);
  EXPECT_EQ(state->Position(), "36/24/12 1111,1111 - 0,0 - b 54");
}

TEST_F(HypnosiaMatch, RollsOfASeatAreCounted) {
  const auto state = At("a35/24/12 0000,1000 - 0,0 - a 11");
  Play(state.get(), "1:A0>A1 1:A1>A2");
  EXPECT_EQ(state->chance().label().text(), "roll/1/0");
  Roll(state.get(), 2, 2);
  Play(state.get(), "2:L1>A19 2:A19>A21");
  EXPECT_EQ(state->chance().label().text(), "roll/0/0");
  Roll(state.get(), 2, 2);
  Play(state.get(), "2:A2>A4 2:A4>A6");
  EXPECT_EQ(state->chance().label().text(), "roll/1/1");
}

TEST_F(HypnosiaMatch, SeatWithNoPawnToMoveIsSkipped) {
  Use(3);
  EXPECT_EQ(After("a35/24/12 0000,0000,1000 bb 0,0,0 - a 11", "1:A0>A1 1:A1>A2"),
            "2a33/24/12 0000,0000,1000 bb 0,0,0 - c 66");
}

TEST_F(HypnosiaMatch, LastSeatWithPawnsToMoveGoesOnAlone) {
  EXPECT_EQ(After("a35/24/12 0000,0000 bb 0,0 - a 11", "1:A0>A1 1:A1>A2"),
            "2a33/24/12 0000,0000 bb 0,0 - a 66");
}

TEST_F(HypnosiaMatch, PawnsInTheCentreScoreInOrderOfArrival) {
  const auto state = At("36/24/12 1000,1000 abbaa 3,-3 - - -");
  EXPECT_EQ(state->outcome().reason, "CENTRE_FULL");
  EXPECT_THAT(state->outcome().scores, ElementsAre(5 + 2 + 1 + 3, 4 + 3 - 3));
  EXPECT_EQ(state->score(Seat(0)), 11);
}

TEST_F(HypnosiaMatch, CentreOfAnotherSizeScoresFromItsNumberOfPlaces) {
  Use(2, {{"board", testing::kTinyBoard}});
  EXPECT_THAT(At("7 0000,0000 ba 0,0 - - -")->outcome().scores, ElementsAre(1, 2));
}

TEST_F(HypnosiaMatch, EndsWhenTheCentreIsFull) {
  const auto state = At("36/24/1a10 0000,1110 aaab 0,0 - a 13");
  Play(state.get(), "1:C1>X");
  EXPECT_EQ(state->phase(), Phase::kOver);
  EXPECT_EQ(state->outcome().reason, "CENTRE_FULL");
  EXPECT_EQ(state->Position(), "36/24/12 0000,1110 aaaba 0,0 - - -");
}

TEST_F(HypnosiaMatch, EndsWhenNoPawnIsLeftToMove) {
  const auto state = At("36/24/1a10 0000,0000 - 0,0 - a 16");
  Play(state.get(), "1:C1>X");
  EXPECT_EQ(state->outcome().reason, "NO_PAWNS");
}

TEST_F(HypnosiaMatch, EndsAtTheTurnLimitAndPassesCount) {
  Use(2, {{"turn_limit", "2"}});
  const auto state = At("aBB33/24/12 0000,0000 - 0,0 - a 12");
  Play(state.get(), "-");
  ASSERT_EQ(state->phase(), Phase::kChance);
  Roll(state.get(), 6, 6);
  Play(state.get(), "6:A1*>A7 6:A7*>A13");
  EXPECT_EQ(state->outcome().reason, "TURN_LIMIT");
  EXPECT_EQ(state->Position(), "a1B10B22/24/12 0000,0000 - 0,0 - - -");
}

TEST_F(HypnosiaMatch, OfSeveralEndsTheFirstIsNamed) {
  Use(2, {{"turn_limit", "1"}});
  auto state = At("36/24/1a10 0000,1110 aaab 0,0 - a 13");
  Play(state.get(), "1:C1>X");
  EXPECT_EQ(state->outcome().reason, "CENTRE_FULL");
  state = At("36/24/1a10 0000,0000 - 0,0 - a 16");
  Play(state.get(), "1:C1>X");
  EXPECT_EQ(state->outcome().reason, "NO_PAWNS");
  EXPECT_EQ(At("36/24/12 0000,0000 aabbb 0,0 - - -")->outcome().reason, "CENTRE_FULL");
  EXPECT_EQ(At("36/24/12 0000,0000 aabbb 0,0 b - -")->outcome().reason, "LAST_SEAT");
}

TEST_F(HypnosiaMatch, ForfeitOfTheMoverPassesTheDiceOn) {
  Use(3);
  const auto state = At("a17b17/24/12 1100,0111,1111 - 0,0,0 - a 12");
  state->Forfeit(Seat(0));
  EXPECT_TRUE(state->forfeited(Seat(0)));
  EXPECT_EQ(state->chance().label().text(), "roll/1/0");
  Roll(state.get(), 6, 5);
  EXPECT_EQ(state->Position(), "18b17/24/12 0000,0111,1111 - 0,0,0 a b 65");
}

TEST_F(HypnosiaMatch, ForfeitOfAnotherSeatLeavesTheDiceWithTheMover) {
  Use(3);
  const auto state = At("aBB33/24/12 0000,0000,1111 - 0,0,0 - a 12");
  EXPECT_THAT(LegalOf(*state), ElementsAre(Move::Pass()));
  state->Forfeit(Seat(1));
  EXPECT_EQ(state->Position(), "a35/24/12 0000,0000,1111 - 0,0,0 b a 12");
  EXPECT_EQ(LegalOf(*state).size(), 2u);  // what stood in the way is gone
}

TEST_F(HypnosiaMatch, ForfeitIsNoTurn) {
  Use(3, {{"turn_limit", "1"}});
  const auto state = At("a35/24/12 0000,1000,1111 - 0,0,0 - a 12");
  state->Forfeit(Seat(0));
  Roll(state.get(), 1, 1);
  EXPECT_EQ(state->phase(), Phase::kTurn);
}

TEST_F(HypnosiaMatch, ForfeitLeavesPawnsInTheCentreAndScoresNothing) {
  Use(3);
  const auto state = At("a35/24/12 0000,1000,1111 ab 1,-1,0 - a 12");
  state->Forfeit(Seat(1));
  EXPECT_EQ(state->Position(), "a35/24/12 0000,0000,1111 ab 1,-1,0 b a 12");
  EXPECT_EQ(state->score(Seat(1)), 3);
}

TEST_F(HypnosiaMatch, EndsWhenAllButOneHaveForfeited) {
  Use(3);
  const auto state = At("a35/24/12 0000,1000,1111 - 0,0,0 - a 12");
  state->Forfeit(Seat(2));
  ASSERT_EQ(state->phase(), Phase::kTurn);
  state->Forfeit(Seat(1));
  EXPECT_EQ(state->outcome().reason, "LAST_SEAT");
  EXPECT_THAT(state->outcome().ranks, ElementsAre(1, 2, 3));
}

TEST_F(HypnosiaMatch, ForfeitThatLeavesNoPawnToMoveEndsTheMatch) {
  Use(3);
  const auto state = At("a35/24/12 0000,0000,0000 bcbc 0,0,0 - a 12");
  state->Forfeit(Seat(0));
  EXPECT_EQ(state->outcome().reason, "NO_PAWNS");
  EXPECT_THAT(state->outcome().ranks, ElementsAre(3, 1, 2));
}

TEST_F(HypnosiaMatch, ForfeitedSeatIsSkipped) {
  Use(3);
  const auto state = At("a35/24/12 0000,1000,1111 - 0,0,0 - a 11");
  state->Forfeit(Seat(1));
  Play(state.get(), "1:A0>A1 1:A1>A2");
  EXPECT_EQ(state->seat_to_move(), Seat(2));
}

TEST_F(HypnosiaMatch, HigherScoresRankFirst) {
  Use(4);
  EXPECT_THAT(At("36/24/12 0000,0000,0000,0000 - 0,2,-3,1 - - -")->outcome().ranks,
              ElementsAre(3, 1, 4, 2));
}

TEST_F(HypnosiaMatch, EqualScoresRankByTheFirstArrivalInTheCentre) {
  Use(3);
  // a and b have 4 each: b's 4 is worth as much, but a came first.
  EXPECT_THAT(At("36/24/12 0000,0000,0000 ab -1,0,0 - - -")->outcome().ranks, ElementsAre(1, 2, 3));
  EXPECT_THAT(At("36/24/12 0000,0000,0000 ba 0,-1,0 - - -")->outcome().ranks, ElementsAre(2, 1, 3));
}

TEST_F(HypnosiaMatch, EqualScoresRankWhoIsInTheCentreBeforeWhoIsNot) {
  Use(3);
  EXPECT_THAT(At("36/24/12 0000,0000,0000 ab 0,-4,0 - - -")->outcome().ranks, ElementsAre(1, 2, 3));
}

TEST_F(HypnosiaMatch, EqualScoresOutsideTheCentreShareTheRank) {
  Use(4);
  EXPECT_THAT(At("36/24/12 0000,0000,0000,0000 - 1,0,1,-2 - - -")->outcome().ranks,
              ElementsAre(1, 3, 1, 4));
}

TEST_F(HypnosiaMatch, ForfeitedSeatsRankLastTheEarlierTheLower) {
  Use(4);
  EXPECT_THAT(At("36/24/12 0000,0000,0000,0000 cccaa 9,0,9,1 ca - -")->outcome().ranks,
              ElementsAre(3, 2, 4, 1));
}

TEST_F(HypnosiaMatch, DiceCanBeReplacedWhileATurnIsDue) {
  const auto state = At("a35/24/12 0000,1000 - 0,0 - a 11");
  EXPECT_TRUE(state->SetRoll({3, 6}).ok());
  EXPECT_THAT(state->roll(), ElementsAre(3, 6));
  EXPECT_FALSE(state->SetRoll({3}).ok());
  EXPECT_FALSE(state->SetRoll({3, 7}).ok());
  EXPECT_FALSE(state->SetRoll({0, 1}).ok());
  EXPECT_THAT(state->roll(), ElementsAre(3, 6));
  EXPECT_FALSE(At("36/24/12 0000,0000 - 0,0 - - -")->SetRoll({1, 1}).ok());
}

}  // namespace
}  // namespace referee::games::hypnosia
