// Tests of Isaac's scoring: legal removals, points, counters, the end of a match and the winner.
#include "tests/unit/games/isaac_fixture.h"

namespace referee::games::isaac {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

using IsaacScoring = IsaacTest;
using IsaacEnd = IsaacTest;

constexpr absl::string_view kNothingLeft = " 00000,00000 ";

std::string Scoring(absl::string_view pieces, absl::string_view rest) {
  return absl::StrCat(pieces, kNothingLeft, rest);
}

// The points of a removal: the farthest advance that is legal, all pieces being far from the
// target and counters out of reach.
size_t Points(const std::vector<std::string>& advances) { return advances.size() - 1; }

TEST_F(IsaacScoring, PointsAreOtherPiecesInTheLineTimesTheValue) {
  // Lying in the line, crossing it, of both seats; 3v27 ends below row 3 and does not count twice.
  const auto points = [this](absl::string_view piece, absl::string_view others) {
    const std::string pieces = absl::StrCat(piece, others);
    return Points(LegalWith("x50", Scoring(pieces, "0,0 0,0 - S a a")));
  };
  EXPECT_EQ(points("a3h50", ""), 0u);
  EXPECT_EQ(points("a3h50", ",b3h55"), 1u);
  EXPECT_EQ(points("a3h50", ",a3h55"), 1u);
  EXPECT_EQ(points("a3h50", ",a3h60"), 0u);
  EXPECT_EQ(points("b3v35,a3h50", ""), 1u);
  EXPECT_EQ(points("b3v35,a3h50", ",a3v53"), 2u);
  EXPECT_EQ(points("b3v35,a3v46,a3h50", ",b3v57"), 3u);
  EXPECT_EQ(points("b3v25,a3h50", ""), 0u);
  EXPECT_EQ(points("b3v35,a4h50", ""), 2u);
  EXPECT_EQ(points("b3v35,a5h50", ""), 3u);
  EXPECT_EQ(points("b3v36,a6h50", ""), 4u);
  EXPECT_EQ(points("b3v37,a7h50", ""), 6u);
}

TEST_F(IsaacScoring, LineOfAPieceIsTheOneThatItLiesAlong) {
  // The column of 3v45 holds 3h15 and 3v75, its rows 40, 50 and 60 hold three others.
  const std::string pieces = "b3h13,b3h41,a3v45,b3h51,b3h61,b3v75";
  EXPECT_EQ(Points(LegalWith("x45v", Scoring(pieces, "0,0 0,0 - S a a"))), 2u);
}

TEST_F(IsaacScoring, EachCounterInTheLineDoubles) {
  const std::string pieces = "b3v35,a3h50";
  const auto points = [&](absl::string_view scores) {
    return Points(LegalWith("x50", Scoring(pieces, absl::StrCat(scores, " 0,0 - S a a"))));
  };
  EXPECT_EQ(points("0,0"), 1u);
  EXPECT_EQ(points("53,0"), 2u);
  EXPECT_EQ(points("0,42"), 2u);   // b's counter on 57
  EXPECT_EQ(points("59,46"), 4u);  // on 59 and 53
}

TEST_F(IsaacScoring, CountersOnOneCellDoubleTwice) {
  Use(2, {{"counter_advance", "EXACT"}});
  EXPECT_THAT(Legal(Scoring("b3v35,a3h50", "57,42 0,0 - S a a")), ElementsAre("x50h+4"));
}

TEST_F(IsaacScoring, CountersAreLookedAtBeforeTheAdvance) {
  // From 49 the counter comes into the line only with the advance.
  EXPECT_THAT(Legal(Scoring("b3v35,a3h50", "49,0 0,0 - S a a")), ElementsAre("x50h+0", "x50h+1"));
}

TEST_F(IsaacScoring, AdvancesAreSortedAsText) {
  EXPECT_THAT(Legal(Scoring("b3v35,b3v36,b3v37,a5h50", "59,0 0,0 - S a a")),
              ElementsAre("x50h+0", "x50h+1", "x50h+10", "x50h+11", "x50h+12", "x50h+13", "x50h+14",
                          "x50h+15", "x50h+16", "x50h+17", "x50h+18", "x50h+2", "x50h+3", "x50h+4",
                          "x50h+5", "x50h+6", "x50h+7", "x50h+8", "x50h+9"));
}

TEST_F(IsaacScoring, CounterDoesNotAdvanceOntoTheOther) {
  // a's counter on 59, b's on 61.
  EXPECT_THAT(Legal(Scoring("b3v35,b3v36,a3h50", "59,38 0,0 - S a a")),
              ElementsAre("x50h+0", "x50h+1", "x50h+3", "x50h+4"));
  // For b, from 61 two cells on is 59.
  EXPECT_THAT(Legal(Scoring("a3v56,a3v57,b3h62", "59,38 0,0 - S b a")),
              ElementsAre("x62h+0", "x62h+1", "x62h+3", "x62h+4"));
}

TEST_F(IsaacScoring, CounterAdvancesPastTheOther) {
  // Up to 18, but not by 12, from 59 onto 71.
  const Texts legal = Legal(Scoring("b3v35,b3v36,b3v37,a5h50", "59,28 0,0 - S a a"));
  EXPECT_THAT(legal, SizeIs(18));
  EXPECT_THAT(legal, Not(Contains("x50h+12")));
  EXPECT_THAT(legal, Contains("x50h+13"));
}

TEST_F(IsaacScoring, ExactAdvancesByAllThePointsEvenOntoTheOtherCounter) {
  Use(2, {{"counter_advance", "EXACT"}});
  const std::string position = Scoring("b3v35,a3h50", "59,38 0,0 - S a a");
  EXPECT_THAT(Legal(position), ElementsAre("x50h+2"));
  EXPECT_EQ(After(position, {"x50h+2"}), Scoring("b3v35", "61,38 3,0 - S b a"));
}

TEST_F(IsaacScoring, PieceAloneInItsLineMayBeRemovedForNothing) {
  for (const char* advance : {"EXACT", "UP_TO"}) {
    Use(2, {{"counter_advance", advance}});
    EXPECT_THAT(Legal(Scoring("a3h50", "0,0 0,0 - S a a")), ElementsAre("x50h+0"));
  }
}

TEST_F(IsaacScoring, RemovedPiecesDoNotGetShorter) {
  const std::string pieces = "a3h20,a4h50,a5h70";
  EXPECT_THAT(Legal(Scoring(pieces, "0,0 4,7 - S a a")), ElementsAre("x50h+0", "x70h+0"));
  EXPECT_EQ(After(Scoring(pieces, "0,0 4,7 - S a a"), {"x50h+0"}),
            Scoring("a3h20,a5h70", "0,0 4,7 - S b a"));
  EXPECT_EQ(After(Scoring("a3h20,b3h50,a5h70", "0,0 0,0 - S a a"), {"x70h+0", "x50h+0"}),
            Scoring("a3h20", "0,0 5,3 - S a a"));
}

TEST_F(IsaacScoring, PiecesUnderACounterStay) {
  EXPECT_THAT(Legal(Scoring("a3h20,a3h50", "22,0 0,0 - S a a")), ElementsAre("x50h+0"));
  EXPECT_THAT(Legal(Scoring("a3h20,a3h50", "23,0 0,0 - S a a")), Contains("x20h+0"));
  EXPECT_THAT(Legal(Scoring("a3h20,a3v50", "0,39 0,0 - S a a")), ElementsAre("x20h+0"));  // on 60
}

TEST_F(IsaacScoring, CountersBeginOnTheirOwnersCornersOnTopOfPieces) {
  EXPECT_THAT(Legal(Scoring("a3h00,a3h50", "0,0 0,0 - S a a")), ElementsAre("x50h+0"));
  EXPECT_THAT(Legal(Scoring("b3h50,b3h97", "0,0 0,0 - S b a")), ElementsAre("x50h+0"));
}

TEST_F(IsaacScoring, SeatThatCanRemoveNothingIsOutForTheRest) {
  // a's only piece lies under b's counter, which then leaves it.
  const std::string position = Scoring("a3h20,b3v50,b3h53", "1,77 0,0 - S a a");
  EXPECT_THAT(Legal(position), ElementsAre("-"));
  EXPECT_EQ(After(position, {"-"}), Scoring("a3h20,b3v50,b3h53", "1,77 0,0 a S b a"));
  EXPECT_EQ(After(position, {"-", "x53h+1"}), Scoring("a3h20,b3v50", "1,78 0,3 a S b a"));
  EXPECT_EQ(After(position, {"-", "x53h+1", "x50v+0", "-"}), Scoring("a3h20", "1,78 0,3 ab - - a"));
}

TEST_F(IsaacScoring, PassesAreNotForSeatsThatCanRemove) {
  EXPECT_THAT(Legal(Scoring("a3h50", "0,0 0,0 - S a a")), Not(Contains("-")));
}

// --- Ends ---

TEST_F(IsaacEnd, HundredPointsWinAtOnce) {
  const auto state = At(Scoring("b3v35,b3v36,a3h50", "98,50 0,0 - S a b"));
  ASSERT_THAT(LegalOf(*state), SizeIs(3));
  Play(state.get(), "x50h+2");
  EXPECT_EQ(state->phase(), Phase::kOver);
  EXPECT_FALSE(state->seat_to_move().valid());
  EXPECT_EQ(state->Position(), Scoring("b3v35,b3v36", "100,50 3,0 - - - b"));
  EXPECT_EQ(state->outcome().reason, "TARGET_REACHED");
  EXPECT_THAT(state->outcome().scores, ElementsAre(100, 50));
  EXPECT_THAT(state->outcome().ranks, ElementsAre(1, 2));
}

TEST_F(IsaacEnd, NinetyNinePointsDoNot) {
  EXPECT_EQ(After(Scoring("b3v35,b3v36,a3h50", "98,50 0,0 - S a b"), {"x50h+1"}),
            Scoring("b3v35,b3v36", "99,50 3,0 - S b b"));
}

TEST_F(IsaacEnd, AdvanceBeyondTheTargetCountsWhole) {
  Use(2, {{"counter_advance", "EXACT"}});
  const auto state = At(Scoring("a3v35,a3v36,b5h50", "0,99 0,0 - S b a"));
  Play(state.get(), "x50h+6");
  EXPECT_EQ(state->outcome().reason, "TARGET_REACHED");
  EXPECT_THAT(state->outcome().scores, ElementsAre(0, 105));
  EXPECT_THAT(state->outcome().ranks, ElementsAre(2, 1));
}

TEST_F(IsaacEnd, WithBothSeatsOutTheHigherScoreWins) {
  const auto outcome = At("- 54321,00000 7,8 3,3 ab - - a")->outcome();
  EXPECT_EQ(outcome.reason, "NO_MOVES");
  EXPECT_THAT(outcome.scores, ElementsAre(7, 8));
  EXPECT_THAT(outcome.ranks, ElementsAre(2, 1));
}

TEST_F(IsaacEnd, OfEqualScoresTheLongerLineOfUnplayedPiecesWins) {
  // More pieces, shorter line.
  EXPECT_THAT(At("- 20000,00001 8,8 3,3 ab - - a")->outcome().ranks, ElementsAre(2, 1));
  EXPECT_THAT(At("- 30000,00001 8,8 3,3 ab - - b")->outcome().ranks, ElementsAre(1, 2));
}

TEST_F(IsaacEnd, OfEqualLinesWhoBeganThePlacementWins) {
  EXPECT_THAT(At("- 11000,00001 8,8 3,3 ab - - b")->outcome().ranks, ElementsAre(2, 1));
  EXPECT_THAT(At("- 11000,00001 8,8 3,3 ba - - a")->outcome().ranks, ElementsAre(1, 2));
}

TEST_F(IsaacEnd, WhoForfeitsLosesWhateverTheScore) {
  for (const int loser : {0, 1}) {
    for (const char* turn : {"a", "b"}) {
      const auto state = At(Scoring("a3h20,b3h50", absl::StrCat("90,90 0,0 - S ", turn, " a")));
      state->Forfeit(Seat(loser));
      EXPECT_TRUE(state->forfeited(Seat(loser)));
      EXPECT_FALSE(state->forfeited(Seat(1 - loser)));
      EXPECT_EQ(state->phase(), Phase::kOver);
      EXPECT_EQ(state->outcome().reason, "LAST_SEAT");
      EXPECT_THAT(state->outcome().scores, ElementsAre(90, 90));
      EXPECT_EQ(state->outcome().ranks[static_cast<size_t>(loser)], 2);
      EXPECT_EQ(state->outcome().ranks[static_cast<size_t>(1 - loser)], 1);
      EXPECT_EQ(state->Position(), Scoring("a3h20,b3h50", "90,90 0,0 - - - a"));
    }
  }
}

TEST_F(IsaacEnd, ForfeitInThePlacementEndsTheMatch) {
  const auto state = At(kStart);
  state->Forfeit(Seat(1));
  EXPECT_EQ(state->outcome().reason, "LAST_SEAT");
  EXPECT_THAT(state->outcome().ranks, ElementsAre(1, 2));
  EXPECT_EQ(state->Position(), "- 54321,54321 0,0 0,0 - - - a");
}

}  // namespace
}  // namespace referee::games::isaac
