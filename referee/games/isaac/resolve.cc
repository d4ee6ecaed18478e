// IsaacState::Resolve: finds the legal move that a claim means, or the rule that it breaks.
#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/games/errors.h"
#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"

namespace referee::games::isaac {
namespace {

std::string CellText(int cell) {
  std::string text;
  AppendCell(cell, &text);
  return text;
}

// Finds the rule that a claim breaks.
class Judge {
 public:
  Judge(const Rules& rules, const Table& table)
      : rules_(rules), table_(table), seat_(table.mover) {}

  // REQUIRES: the claim is not the pass, and not legal.
  std::string WhyIllegal(const Play& claim) const {
    const bool placing = claim.kind == Play::Kind::kPlacement;
    if (placing && table_.stage == Stage::kScoring) {
      return "the placement is over: a piece is removed now, such as x34h+2";
    }
    if (!placing && table_.stage == Stage::kPlacement) {
      return "the placement is not over: a piece is placed now, such as 3h34";
    }
    return placing ? WhyNotPlaced({claim.length, claim.vertical, claim.cell})
                   : WhyNotRemoved(claim);
  }

 private:
  static std::string Name(int seat) { return std::string(1, static_cast<char>('a' + seat)); }
  static std::string Describe(const Piece& piece) {
    return absl::StrCat(piece.length, piece.vertical ? "v" : "h", CellText(piece.anchor));
  }

  std::string WhyNotPlaced(const Piece& piece) const {
    if (table_.unplayed_of(seat_, piece.length) == 0) {
      return absl::StrCat("no piece of length ", piece.length, " is left to place");
    }
    if (!piece.fits()) {
      return absl::StrCat("a piece of length ", piece.length, " at ", CellText(piece.anchor),
                          " leaves the board ", piece.vertical ? "at the top" : "on the right");
    }
    for (int cell = piece.anchor; cell <= piece.last(); cell += piece.stride()) {
      if ((table_.covered >> cell & 1) == 0) continue;
      const int anchor = AnchorOf(cell);
      return absl::StrCat("cell ", CellText(cell), " is covered by ", OwnerOf(anchor), "'s piece ",
                          Describe(table_.piece_at(anchor)));
    }
    return "it is not among the legal moves";
  }

  std::string WhyNotRemoved(const Play& claim) const {
    const std::string cell = CellText(claim.cell);
    if ((table_.covered >> claim.cell & 1) == 0) return absl::StrCat("no piece lies on ", cell);
    const int anchor = AnchorOf(claim.cell);
    const Piece piece = table_.piece_at(anchor);
    if (!table_.anchored(seat_, anchor)) {
      return absl::StrCat("the piece on ", cell, ", ", Describe(piece), ", is ", OwnerOf(anchor),
                          "'s");
    }
    if (anchor != claim.cell) {
      return absl::StrCat("the piece on ", cell, ", ", Describe(piece), ", is named by its anchor ",
                          CellText(anchor));
    }
    if (piece.vertical != claim.vertical) {
      return absl::StrCat("the piece on ", cell, " lies ", piece.vertical ? "v" : "h", ", not ",
                          claim.vertical ? "v" : "h");
    }
    if (piece.length < table_.floors[seat_]) {
      return absl::StrCat("the piece has length ", piece.length, ", and seat ", Name(seat_),
                          " has removed one of length ", table_.floors[seat_]);
    }
    const Cells cells = CellsOf(piece);
    for (int seat = 0; seat < kSeats; ++seat) {
      if ((cells & CellBit(table_.counter(seat))) == 0) continue;
      return absl::StrCat(Name(seat), "'s counter stands on the piece, on ",
                          CellText(table_.counter(seat)));
    }
    return WhyNotAdvanced(claim, PointsFor(table_, piece));
  }

  std::string WhyNotAdvanced(const Play& claim, int points) const {
    if (!claim.advance_stated) {
      return absl::StrCat("say by how much the counter advances, 0 to ", points);
    }
    if (rules_.exact_advance) {
      return absl::StrCat("the piece scores ", points,
                          ", and the counter advances by all of it (counter_advance=EXACT), not ",
                          claim.advance);
    }
    if (claim.advance > points) {
      return absl::StrCat("the piece scores ", points, ", and the counter advances by 0 to ",
                          points, ", not ", claim.advance);
    }
    const int other = OtherSeat(seat_);
    return absl::StrCat("an advance of ", claim.advance, " leads onto ",
                        CellText(table_.counter(other)), ", where ", Name(other),
                        "'s counter stands");
  }

  // The anchor of the piece on `cell`. REQUIRES: a piece covers `cell`.
  int AnchorOf(int cell) const {
    int anchor = cell;
    while (table_.piece[anchor] == 0 || (CellsOf(table_.piece_at(anchor)) & CellBit(cell)) == 0) {
      --anchor;
    }
    return anchor;
  }
  std::string OwnerOf(int anchor) const { return Name(table_.anchored(0, anchor) ? 0 : 1); }

  const Rules& rules_;
  const Table& table_;
  const int seat_;
};

}  // namespace

absl::StatusOr<Move> IsaacState::Resolve(Move claimed, absl::Span<const Move> legal) const {
  if (std::binary_search(legal.begin(), legal.end(), claimed)) return claimed;
  const Play claim = DecodeMove(claimed);
  const bool placing = table_.stage == Stage::kPlacement;
  const auto refuse = [claimed](absl::string_view why) {
    std::string text;
    AppendMoveText(claimed, &text);
    return IllegalMove(text, why);
  };
  if (claimed.is_pass()) {
    return refuse(placing ? "a pass is for a seat that can place nothing"
                          : "a pass is for a seat that can remove nothing");
  }
  if (claim.kind == Play::Kind::kRemoval && !claim.advance_stated) {
    // An advance that is not stated is settled if only one advance is legal.
    Play least = claim;
    least.advance_stated = true;
    least.advance = 0;
    Play most = least;
    most.advance = kMaxAdvance;
    const auto low = std::lower_bound(legal.begin(), legal.end(), EncodeMove(least));
    const auto high = std::upper_bound(legal.begin(), legal.end(), EncodeMove(most));
    if (high - low == 1) return *low;
  }
  return refuse(Judge(rules_, table_).WhyIllegal(claim));
}

}  // namespace referee::games::isaac
