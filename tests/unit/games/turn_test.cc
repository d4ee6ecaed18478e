// Tests of the legal moves in a turn of Hypnosia.
#include "tests/unit/games/boards.h"
#include "tests/unit/games/hypnosia_fixture.h"

namespace referee::games::hypnosia {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

using HypnosiaTurn = HypnosiaTest;

TEST_F(HypnosiaTurn, LanePawnNeedsADieOfAtLeastItsNumber) {
  EXPECT_THAT(Legal("36/24/12 0001,1111 - 0,0 - a 43"), ElementsAre("4:L4>A0 3:A0>A3"));
  EXPECT_THAT(Legal("36/24/12 0001,1111 - 0,0 - a 33"), ElementsAre("-"));
  EXPECT_THAT(Legal("36/24/12 0010,1111 - 0,0 - a 55"), ElementsAre("5:L3>A2 5:A2>A7"));
}

TEST_F(HypnosiaTurn, LanePawnPassesOverOthersInTheLane) {
  EXPECT_THAT(Legal("36/24/12 1111,1111 - 0,0 - a 54"), Contains("4:L4>A0 5:A0>A5"));
}

TEST_F(HypnosiaTurn, SeatsUseTheLanesThatAreSpreadClockwise) {
  const int kEntries[7][6] = {
      {}, {}, {0, 18}, {0, 24, 12}, {0, 30, 18, 12}, {0, 30, 24, 18, 12}, {0, 30, 24, 18, 12, 6}};
  for (int seats = 2; seats <= 6; ++seats) {
    Use(seats);
    std::string lanes = "1111", points = "0";
    for (int seat = 1; seat < seats; ++seat) {
      lanes += ",1111";
      points += ",0";
    }
    for (int seat = 0; seat < seats; ++seat) {
      const std::string letter(1, Seat(seat).letter());
      const Texts legal = Legal("36/24/12 " + lanes + " - " + points + " - " + letter + " 11");
      const int entry = kEntries[seats][seat];
      EXPECT_THAT(legal, ElementsAre("1:L1>A" + std::to_string(entry) + " 1:A" +
                                     std::to_string(entry) + ">A" + std::to_string(entry + 1)));
    }
  }
}

TEST_F(HypnosiaTurn, RingsCloseOnThemselves) {
  EXPECT_THAT(Legal("35a/24/12 0000,1111 - 0,0 - a 12"),
              ElementsAre("1:A35>A0 2:A0>A2", "2:A35>A1 1:A1>A2"));
  EXPECT_THAT(Legal("36/24/11a 0000,1111 - 0,0 - a 22"), ElementsAre("2:C11>C1 2:C1>C3"));
}

TEST_F(HypnosiaTurn, CrossingABridgeCostsOnePointAndTheRestIsWalked) {
  EXPECT_THAT(Legal("3a32/24/12 0000,1111 - 0,0 - a 44"),
              ElementsAre("4:A3>A7 4:A7>A11", "4:A3>B3 4:B3>B7"));
  EXPECT_THAT(Legal("36/2a21/12 0000,1111 - 0,0 - a 16"),
              IsSupersetOf({"1:B2>C0 6:C0>C6", "6:B2>C5 1:C5>X"}));
}

TEST_F(HypnosiaTurn, FirstDieMayReachTheBridgeThatTheSecondCrosses) {
  EXPECT_THAT(Legal("2a33/24/12 0000,1111 - 0,0 - a 14"), Contains("1:A2>A3 4:A3>B3"));
}

TEST_F(HypnosiaTurn, OnePawnDoesNotCrossTwoBridgesWithOneDie) {
  EXPECT_THAT(Legal("3a32/24/12 0000,1111 - 0,0 - a 35"), Each(Not(HasSubstr("A3>C"))));
}

TEST_F(HypnosiaTurn, CentreIsEnteredWithAOneOnly) {
  EXPECT_THAT(Legal("36/24/1a10 0000,1111 - 0,0 - a 26"), Each(Not(HasSubstr("X"))));
  EXPECT_THAT(Legal("36/24/1aa9 0000,1111 - 0,0 - a 16"), Contains("1:C1>X 6:C2>C8"));
}

TEST_F(HypnosiaTurn, SinglePawnOnASinglePawnFormsAStack) {
  EXPECT_EQ(After("aa34/24/12 0011,1111 - 0,0 - a 11", "1:A0>A1 1:A1>A2"),
            "1aa33/24/12 0011,1111 - 0,0 - b 66");
  EXPECT_EQ(After("2a33/24/12 0010,1111 - 0,0 - a 51", "5:L3>A2 1:A2*>A3"),
            "3A32/24/12 0000,1111 - 0,0 - b 66");
}

TEST_F(HypnosiaTurn, OwnStackAdmitsNobody) {
  EXPECT_THAT(Legal("aA34/24/12 0000,1111 - 0,0 - a 15"), Each(Not(StartsWith("1:A0>A1"))));
}

TEST_F(HypnosiaTurn, StackMayNotLandOnAnOwnPawnOrStack) {
  EXPECT_THAT(Legal("Aa34/24/12 0000,1111 - 0,0 - a 15"), Each(Not(StartsWith("1:A0*>A1"))));
  EXPECT_THAT(Legal("AA34/24/12 0000,1111 - 0,0 - a 15"), Each(Not(StartsWith("1:A0*>A1"))));
  EXPECT_THAT(Legal("A35/24/12 0000,1111 - 0,0 - a 15"), Contains("1:A0*>A1 5:A1*>A6"));
}

TEST_F(HypnosiaTurn, SinglePawnMayLeaveAStack) {
  EXPECT_EQ(After("A35/24/12 0000,1111 - 0,0 - a 15", "1:A0>A1 5:A1>A6"),
            "a5a29/24/12 0000,1111 - 0,0 - b 66");
  EXPECT_THAT(Legal("3A32/24/12 0000,1111 - 0,0 - a 15"), Contains("1:A3>B0 5:A3>B4"));
}

TEST_F(HypnosiaTurn, AnyUnitCapturesASinglePawn) {
  EXPECT_EQ(After("ab34/24/12 0000,0001 - 0,0 - a 15", "1:A0>A1x 5:A1>A6"),
            "6a29/24/12 0000,0001 - 1,-1 - b 66");
  EXPECT_EQ(After("Ab34/24/12 0000,0001 - 0,0 - a 15", "1:A0*>A1x 5:A1*>A6"),
            "6A29/24/12 0000,0001 - 1,-1 - b 66");
}

TEST_F(HypnosiaTurn, OnlyAStackCapturesAStack) {
  EXPECT_EQ(After("AB34/24/12 0000,0001 - 0,0 - a 15", "1:A0*>A1xx 5:A1*>A6"),
            "6A29/24/12 0000,0001 - 2,-2 - b 66");
  EXPECT_THAT(Legal("AB34/24/12 0000,0001 - 0,0 - a 15"), Each(Not(HasSubstr("1:A0>A1"))));
}

TEST_F(HypnosiaTurn, BothDiceMayCapture) {
  EXPECT_EQ(After("ab4b29/24/12 0000,0001 - 0,0 - a 15", "1:A0>A1x 5:A1>A6x"),
            "6a29/24/12 0000,0001 - 2,-2 - b 66");
}

TEST_F(HypnosiaTurn, OccupiedSpacesArePassedOver) {
  EXPECT_THAT(Legal("aBB33/24/12 0000,0000 - 0,0 - a 36"),
              ElementsAre("3:A0>A3 6:A3>A9", "3:A0>A3 6:A3>B5", "6:A0>A6 3:A6>A9"));
}

TEST_F(HypnosiaTurn, LanePawnCapturesWhereItLands) {
  EXPECT_THAT(Legal("b35/24/12 0001,0001 - 0,0 - a 44"), ElementsAre("4:L4>A0x 4:A0>A4"));
}

TEST_F(HypnosiaTurn, StackMayCrossBridgesUnlessTheVariantForbidsIt) {
  EXPECT_THAT(Legal("3A32/24/12 0000,1111 - 0,0 - a 44"), Contains("4:A3*>B3 4:B3*>B7"));
  EXPECT_THAT(Legal("36/24/1A10 0000,1111 - 0,0 - a 14"), Contains("1:C1*>X 4:A0>A4").Times(0));
  EXPECT_THAT(Legal("a35/24/1A10 0000,1111 - 0,0 - a 14"), Contains("1:C1*>X 4:A0>A4"));
  Use(2, {{"stack_bridges", "false"}});
  const Texts bridge = Legal("3A32/24/12 0000,1111 - 0,0 - a 44");
  EXPECT_THAT(bridge, Each(Not(HasSubstr("*>B"))));
  EXPECT_THAT(bridge, IsSupersetOf({"4:A3*>A7 4:A7*>A11", "4:A3>B3 4:A3>B3"}));
  const Texts centre = Legal("a35/24/1A10 0000,1111 - 0,0 - a 14");
  EXPECT_THAT(centre, Each(Not(HasSubstr("*>X"))));
  EXPECT_THAT(centre, Contains("1:C1>X 4:A0>A4"));
}

TEST_F(HypnosiaTurn, StackTakesTwoPlacesOfTheCentre) {
  EXPECT_EQ(After("a35/24/1A10 0000,1111 - 0,0 - a 14", "1:C1*>X 4:A0>A4"),
            "4a31/24/12 0000,1111 aa 0,0 - b 66");
}

TEST_F(HypnosiaTurn, OneOfAStackEntersWhenOnePlaceIsLeft) {
  const char kPosition[] = "36/24/1A10 0000,0000 aabb 0,0 - a 14";
  EXPECT_THAT(Legal(kPosition), IsSupersetOf({"1:C1*>X", "1:C1>X"}));
  const std::string after = "36/24/1a10 0000,0000 aabba 0,0 - - -";
  EXPECT_EQ(After(kPosition, "1:C1*>X"), after);
  EXPECT_EQ(After(kPosition, "1:C1>X"), after);
}

TEST_F(HypnosiaTurn, EqualDiceAreTwoOrdinarySteps) {
  EXPECT_THAT(Legal("a35/24/12 0000,1111 - 0,0 - a 22"), ElementsAre("2:A0>A2 2:A2>A4"));
}

TEST_F(HypnosiaTurn, SeatPicksTheOrderOfItsDice) {
  EXPECT_THAT(Legal("a35/24/12 0000,1111 - 0,0 - a 21"),
              ElementsAre("1:A0>A1 2:A1>A3", "2:A0>A2 1:A2>A3"));
}

TEST_F(HypnosiaTurn, BothDiceMustBePlayedIfAnyOrderPlaysBoth) {
  // A pawn on A6 that has played the 1 cannot play the 4, nor the other way round.
  EXPECT_THAT(Legal("6a3BB24/24/12 0001,0000 - 0,0 - a 41"),
              ElementsAre("1:A6>A7 4:L4>A0", "4:L4>A0 1:A0>A1", "4:L4>A0 1:A6>A7"));
  EXPECT_THAT(Legal("36/24/12 0001,1111 - 0,0 - a 14"), ElementsAre("4:L4>A0 1:A0>A1"));
}

TEST_F(HypnosiaTurn, EitherDieMayBePlayedWhereOnlyOneCan) {
  EXPECT_THAT(Legal("a2B32/24/12 0000,0000 - 0,0 - a 12"), ElementsAre("1:A0>A1", "2:A0>A2"));
  EXPECT_THAT(Legal("aB1B32/24/12 0000,0000 - 0,0 - a 12"), ElementsAre("2:A0>A2"));
}

TEST_F(HypnosiaTurn, SeatThatCanPlayNoDiePasses) {
  const char kPosition[] = "aBB33/24/12 0000,0000 - 0,0 - a 12";
  EXPECT_THAT(Legal(kPosition), ElementsAre("-"));
  EXPECT_EQ(After(kPosition, "-"), "aBB33/24/12 0000,0000 - 0,0 - b 66");
}

TEST_F(HypnosiaTurn, StepThatFillsTheCentreCompletesTheTurn) {
  EXPECT_THAT(Legal("36/24/1a10 0000,1110 aaab 0,0 - a 13"),
              ElementsAre("1:C1>C2 3:C2>C5", "1:C1>X", "3:C1>C4 1:C4>C5"));
}

TEST_F(HypnosiaTurn, StepOfTheLastPawnCompletesTheTurn) {
  EXPECT_THAT(Legal("36/24/1a10 0000,0000 - 0,0 - a 16"),
              ElementsAre("1:C1>C2 6:C2>C8", "1:C1>X", "6:C1>C7 1:C7>C8", "6:C1>C7 1:C7>X"));
}

TEST_F(HypnosiaTurn, StepThatEndsTheGameCountsAsOneDie) {
  Use(3);
  // Nothing plays both dice, so another turn of one die stays legal.
  EXPECT_THAT(Legal("36/24/1a2BB6 0000,0000,0000 aaac 0,0,0 - a 13"),
              ElementsAre("1:C1>C2", "1:C1>X"));
}

TEST_F(HypnosiaTurn, OfSeveralTurnsOneListsEachOnceInAsciiOrder) {
  const Texts legal = Legal("A1a7a25/24/12 0000,1111 - 0,0 - a 12");
  Texts sorted = legal;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(legal, sorted);
  EXPECT_EQ(std::adjacent_find(legal.begin(), legal.end()), legal.end());
}

TEST_F(HypnosiaTurn, TurnsThatDifferInOrderOnlyAreDifferent) {
  EXPECT_THAT(Legal("a9a25/24/12 0000,1111 - 0,0 - a 12"),
              IsSupersetOf({"1:A0>A1 2:A10>A12", "2:A10>A12 1:A0>A1"}));
}

}  // namespace
}  // namespace referee::games::hypnosia
