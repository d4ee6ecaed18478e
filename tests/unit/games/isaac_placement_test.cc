// Tests of Isaac's placement: the first seat, legal placements, passes and the end of the stage.
#include "tests/unit/games/isaac_fixture.h"

namespace referee::games::isaac {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

using IsaacPlacement = IsaacTest;

// Two crossing lines of pieces that leave no room for a length of more than 5.
constexpr absl::string_view kCross = "a4v04,b4h40,b6h44,a5v54";

std::string Cross(absl::string_view rest) { return absl::StrCat(kCross, " ", rest); }

TEST_F(IsaacPlacement, FirstPlayerIsDrawnByDefault) {
  for (const int drawn : {0, 1}) {
    const auto state = game_->NewState();
    ASSERT_EQ(state->phase(), Phase::kChance);
    EXPECT_EQ(state->chance().kind, Chance::Kind::kFirstPlayer);
    EXPECT_EQ(state->chance().label().text(), "first-player");
    EXPECT_EQ(state->chance().sides, 2);
    EXPECT_EQ(state->chance().count, 1);
    EXPECT_FALSE(state->first_seat().valid());
    EXPECT_FALSE(state->seat_to_move().valid());
    state->ApplyChance({drawn});
    EXPECT_EQ(state->phase(), Phase::kTurn);
    EXPECT_EQ(state->first_seat(), Seat(drawn));
    EXPECT_EQ(state->seat_to_move(), Seat(drawn));
    EXPECT_TRUE(state->roll().empty());
  }
}

TEST_F(IsaacPlacement, FirstPlayerMayBeFixed) {
  Use(2, {{"first_player", "SEAT_A"}});
  EXPECT_EQ(game_->NewState()->Position(), kStart);
  EXPECT_EQ(game_->NewState()->first_seat(), Seat(0));
  Use(2, {{"first_player", "SEAT_B"}});
  EXPECT_EQ(game_->NewState()->Position(), "- 54321,54321 0,0 0,0 - P b b");
}

TEST_F(IsaacPlacement, ThePublishedExampleBeginsWithSixHundredMovesAndThisDigest) {
  const auto state = game_->NewState();
  const dice::Key key = dice::PinnedKey(dice::PinnedSeed(5));
  EXPECT_EQ(dice::Hex(dice::Commit(dice::PinnedSeed(5))),
            "aba9351962caa0b08da114bece4b3f558a22bef6bea47ac11025119ce3e27e67");
  DrawChance(key, state.get(), [](const Chance&, absl::Span<const int>) {});
  EXPECT_EQ(state->first_seat(), Seat(0));
  EXPECT_THAT(LegalOf(*state), SizeIs(600));
  Play(state.get(), "5v39");
  EXPECT_EQ(dice::DigestText(dice::Digest(state->Position())), "22af48ed4f162c11");
}

TEST_F(IsaacPlacement, PiecesLieWhollyOnTheBoard) {
  const Texts legal = Legal(kStart);
  EXPECT_THAT(legal, AllOf(Contains("7h33"), Contains("3v70"), Contains("3h97"), Contains("7v39")));
  EXPECT_THAT(legal, AllOf(Not(Contains("7h34")), Not(Contains("3v80")), Not(Contains("3h98")),
                           Not(Contains("7v49"))));
}

TEST_F(IsaacPlacement, PieceCoversTheCellsToTheRightOrUpwardsOfItsAnchor) {
  // In the row of 7h33 only 30 to 32 stay free, in the column of 7v33 only 03 to 23.
  const std::string row = After(kStart, {"7h33"}), column = After(kStart, {"7v33"});
  EXPECT_THAT(LegalWith("3h3", row), ElementsAre("3h30"));
  EXPECT_THAT(Legal(column), AllOf(Contains("3v03"), Not(Contains("3v13")), Not(Contains("3v33"))));
  EXPECT_THAT(LegalWith("7v00", row), ElementsAre("7v00"));
  EXPECT_THAT(LegalWith("7v03", row), ElementsAre());
}

TEST_F(IsaacPlacement, SeatsTakeTurnsAndUseUpTheirOwnPieces) {
  EXPECT_EQ(After(kStart, {"7h33", "3v70"}), "a7h33,b3v70 54320,44321 0,0 0,0 - P a a");
  EXPECT_THAT(LegalWith("7", "a7h33,b3v70 54320,44321 0,0 0,0 - P a a"), SizeIs(0));
  EXPECT_THAT(LegalWith("7", "a7h33,b3v70 54320,44321 0,0 0,0 - P b a"), Not(SizeIs(0)));
}

TEST_F(IsaacPlacement, OnlySeatsWithoutRoomPass) {
  EXPECT_THAT(Legal(Cross("00021,50000 0,0 0,0 - P a a")), ElementsAre("-"));
  EXPECT_THAT(Legal(Cross("00121,50000 0,0 0,0 - P a a")), Not(Contains("-")));
}

TEST_F(IsaacPlacement, SeatWithoutPiecesPasses) {
  EXPECT_THAT(Legal(Cross("00000,50000 0,0 0,0 - P a a")), ElementsAre("-"));
}

TEST_F(IsaacPlacement, OtherSeatGoesOnAloneUntilItPassesToo) {
  const std::string position = Cross("00021,20000 0,0 0,0 - P a a");
  EXPECT_EQ(After(position, {"-"}), Cross("00021,20000 0,0 0,0 a P b a"));
  EXPECT_EQ(After(position, {"-", "3h00"}),
            "b3h00,a4v04,b4h40,b6h44,a5v54 00021,10000 0,0 0,0 a P b a");
  EXPECT_EQ(After(position, {"-", "3h00", "3h10"}),
            "b3h00,a4v04,b3h10,b4h40,b6h44,a5v54 00021,00000 0,0 0,0 a P b a");
  EXPECT_EQ(After(position, {"-", "3h00", "3h10", "-"}),
            "b3h00,a4v04,b3h10,b4h40,b6h44,a5v54 00021,00000 0,0 0,0 - S a a");
}

TEST_F(IsaacPlacement, FirstPlayerBeginsTheScoringByDefault) {
  EXPECT_EQ(After(Cross("00021,00011 0,0 0,0 b P a a"), {"-"}),
            Cross("00021,00011 0,0 0,0 - S a a"));
  EXPECT_EQ(After(Cross("00021,00011 0,0 0,0 b P a b"), {"-"}),
            Cross("00021,00011 0,0 0,0 - S b b"));
}

TEST_F(IsaacPlacement, FirstToPassBeginsTheScoringIfTheOptionSaysSo) {
  Use(2, {{"scoring_starter", "FIRST_TO_PASS"}});
  EXPECT_EQ(After(Cross("00021,00011 0,0 0,0 b P a a"), {"-"}),
            Cross("00021,00011 0,0 0,0 - S b a"));
  EXPECT_EQ(After(Cross("00021,00011 0,0 0,0 - P a b"), {"-", "-"}),
            Cross("00021,00011 0,0 0,0 - S a b"));
}

}  // namespace
}  // namespace referee::games::isaac
