// Tests of resolving moves of Isaac: the error names the rule that an illegal move breaks.
#include "tests/unit/games/isaac_fixture.h"

namespace referee::games::isaac {
namespace {

using ::testing::HasSubstr;

namespace pb = ::games::isaac::v1;

class IsaacResolve : public IsaacTest {
 protected:
  // What a typed move means in a position: its notation, or the error.
  std::string ResolveWire(absl::string_view position, const pb::Move& typed) const {
    ::referee::v1::Move move;
    *move.mutable_isaac() = typed;
    const auto claimed = Conversion().MoveFromWire(*game_, move);
    if (!claimed.ok()) return std::string(claimed.status().message());
    const auto state = At(position);
    const auto resolved = state->Resolve(*claimed, LegalOf(*state));
    return resolved.ok() ? game_->MoveText(*resolved) : std::string(resolved.status().message());
  }

  static pb::Move Placement(uint32_t length, int direction, uint32_t cell) {
    pb::Move move;
    move.mutable_placement()->set_length(length);
    move.mutable_placement()->set_direction(static_cast<pb::Direction>(direction));
    move.mutable_placement()->set_cell(cell);
    return move;
  }
  // Without an advance if it is negative.
  static pb::Move Removal(uint32_t cell, int direction, int advance) {
    pb::Move move;
    move.mutable_removal()->set_cell(cell);
    move.mutable_removal()->set_direction(static_cast<pb::Direction>(direction));
    if (advance >= 0) move.mutable_removal()->set_advance(static_cast<uint32_t>(advance));
    return move;
  }

  void ExpectIllegal(absl::string_view position, absl::string_view move,
                     const std::string& why) const {
    EXPECT_EQ(WhyIllegal(position, move), absl::StrCat("move '", move, "' is illegal: ", why));
  }
};

constexpr absl::string_view kPlacing = "a7h33,b3v70 54320,44321 0,0 0,0 - P a a";
// a's counter on 59, b's on 61; 3h50 scores 4, 3v24 lies under nothing, 5h57 under a's counter.
constexpr absl::string_view kScoring =
    "a4v14,b3v35,b3v36,a3h50,a3h57,a3h60 00000,00000 59,38 3,0 - S a a";

TEST_F(IsaacResolve, PieceOffTheBoard) {
  ExpectIllegal(kPlacing, "6h05", "a piece of length 6 at 05 leaves the board on the right");
  ExpectIllegal(kPlacing, "3v89", "a piece of length 3 at 89 leaves the board at the top");
}

TEST_F(IsaacResolve, PieceOverAnother) {
  ExpectIllegal(kPlacing, "3v15", "cell 35 is covered by a's piece 7h33");
  ExpectIllegal(kPlacing, "3h38", "a piece of length 3 at 38 leaves the board on the right");
  ExpectIllegal(kPlacing, "4h90", "cell 90 is covered by b's piece 3v70");
}

TEST_F(IsaacResolve, PieceNotInStock) {
  ExpectIllegal(kPlacing, "7h00", "no piece of length 7 is left to place");
}

TEST_F(IsaacResolve, PlacementInTheScoringAndRemovalInThePlacement) {
  ExpectIllegal(kScoring, "3h00", "the placement is over: a piece is removed now, such as x34h+2");
  ExpectIllegal(kPlacing, "x33h+0",
                "the placement is not over: a piece is placed now, such as 3h34");
}

TEST_F(IsaacResolve, PassOfASeatThatCanMove) {
  ExpectIllegal(kPlacing, "-", "a pass is for a seat that can place nothing");
  ExpectIllegal(kScoring, "-", "a pass is for a seat that can remove nothing");
}

TEST_F(IsaacResolve, NoPieceThere) {
  ExpectIllegal(kScoring, "x99h+0", "no piece lies on 99");
  ExpectIllegal(kScoring, "x51h+0", "the piece on 51, 3h50, is named by its anchor 50");
  ExpectIllegal(kScoring, "x50v+0", "the piece on 50 lies h, not v");
}

TEST_F(IsaacResolve, PieceOfTheOther) {
  ExpectIllegal(kScoring, "x35v+0", "the piece on 35, 3v35, is b's");
  ExpectIllegal(kScoring, "x55v+0", "the piece on 55, 3v35, is b's");
}

TEST_F(IsaacResolve, PieceBelowTheFloor) {
  ExpectIllegal("a3h20,a4h50 00000,00000 0,0 4,0 - S a a", "x20h+0",
                "the piece has length 3, and seat a has removed one of length 4");
}

TEST_F(IsaacResolve, PieceUnderACounter) {
  ExpectIllegal(kScoring, "x57h+0", "a's counter stands on the piece, on 59");
  ExpectIllegal(kScoring, "x60h+0", "b's counter stands on the piece, on 61");
}

TEST_F(IsaacResolve, AdvanceBeyondThePoints) {
  ExpectIllegal(kScoring, "x14v+3",
                "the piece scores 0, and the counter advances by 0 to 0, not 3");
  ExpectIllegal(kScoring, "x50h+7",
                "the piece scores 6, and the counter advances by 0 to 6, not 7");
  ExpectIllegal(kScoring, "x50h+999",
                "the piece scores 6, and the counter advances by 0 to 6, not 999");
}

TEST_F(IsaacResolve, AdvanceOntoTheOtherCounter) {
  ExpectIllegal(kScoring, "x50h+2", "an advance of 2 leads onto 61, where b's counter stands");
}

TEST_F(IsaacResolve, AdvanceThatIsNotExact) {
  Use(2, {{"counter_advance", "EXACT"}});
  for (const char* move : {"x50h+5", "x50h+7"}) {
    EXPECT_THAT(WhyIllegal(kScoring, move),
                HasSubstr("the piece scores 6, and the counter advances by all of it "
                          "(counter_advance=EXACT), not "));
  }
}

TEST_F(IsaacResolve, MoveOfASeatThatCanOnlyPassIsRefusedWithItsOwnCause) {
  ExpectIllegal("a3h20,b3h50 00000,00000 22,0 0,0 - S a a", "x20h+0",
                "a's counter stands on the piece, on 22");
}

TEST_F(IsaacResolve, TypedMovesAreUnderstood) {
  EXPECT_EQ(ResolveWire(kPlacing, Placement(3, 1, 0)), "3h00");
  EXPECT_EQ(ResolveWire(kPlacing, Placement(6, 2, 41)), "6v41");
  EXPECT_EQ(ResolveWire(kScoring, Removal(50, 1, 4)), "x50h+4");
}

TEST_F(IsaacResolve, TypedRemovalMayLeaveOutTheOnlyAdvance) {
  EXPECT_EQ(ResolveWire(kScoring, Removal(14, 2, -1)), "x14v+0");
  EXPECT_THAT(ResolveWire(kScoring, Removal(50, 1, -1)),
              HasSubstr("move 'x50h' is illegal: say by how much the counter advances, 0 to 6"));
  EXPECT_THAT(ResolveWire(kScoring, Removal(35, 2, -1)), HasSubstr("is b's"));
  Use(2, {{"counter_advance", "EXACT"}});
  EXPECT_EQ(ResolveWire(kScoring, Removal(50, 1, -1)), "x50h+6");
}

TEST_F(IsaacResolve, TypedMovesOutsideTheBoardNameTheirField) {
  EXPECT_EQ(ResolveWire(kPlacing, Placement(3, 1, 100)),
            "move: placement.cell: 100 is not a cell, 0 to 99");
  EXPECT_EQ(ResolveWire(kPlacing, Placement(8, 1, 0)),
            "move: placement.length: 8 is not a length, 3 to 7");
  EXPECT_EQ(ResolveWire(kPlacing, Placement(3, 0, 0)),
            "move: placement.direction: 0 is not 1 (horizontal) or 2 (vertical)");
  EXPECT_EQ(ResolveWire(kScoring, Removal(4294967295, 1, 0)),
            "move: removal.cell: 4294967295 is not a cell, 0 to 99");
  EXPECT_EQ(ResolveWire(kScoring, Removal(50, 7, 0)),
            "move: removal.direction: 7 is not 1 (horizontal) or 2 (vertical)");
  EXPECT_EQ(ResolveWire(kScoring, Removal(50, 1, 1000)),
            "move: removal.advance: 1000 is not a number from 0 to 999");
}

TEST_F(IsaacResolve, TypedMoveOfNothingIsAPass) {
  EXPECT_THAT(ResolveWire(kPlacing, pb::Move()), HasSubstr("a pass is for a seat that can place"));
}

TEST_F(IsaacResolve, MoveOfAnotherGameIsRefused) {
  ::referee::v1::Move move;
  move.mutable_hypnosia();
  EXPECT_EQ(Conversion().MoveFromWire(*game_, move).status().message(),
            "move: hypnosia: a move of another game, as the match is of isaac; set isaac, or "
            "notation; one of TurnRequest.legal_moves can be sent back as it is");
}

TEST_F(IsaacResolve, MoveOfNothingSaysWhatToSet) {
  EXPECT_THAT(
      std::string(Conversion().MoveFromWire(*game_, ::referee::v1::Move()).status().message()),
      HasSubstr("move: isaac: not set, nor is another member; set isaac, or notation"));
}

TEST_F(IsaacResolve, EmptyNotationSaysHowAMoveIsWritten) {
  ::referee::v1::Move move;
  move.set_notation("");
  EXPECT_EQ(Conversion().MoveFromWire(*game_, move).status().message(),
            "move: notation: empty; give the move as 'refctl rules legal' writes it, the pass as "
            "'-'");
}

}  // namespace
}  // namespace referee::games::isaac
