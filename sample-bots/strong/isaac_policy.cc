#include "sample-bots/strong/isaac_policy.h"

#include <algorithm>
#include <cstdint>

#include "referee/games/isaac/notation.h"

namespace strong {
namespace {

using isaac::Piece;
using isaac::Table;
using referee::games::Move;
using referee::games::Phase;

constexpr double kFloor = 0.4;  // the weight of a point below the floor
constexpr int kTries = 4;       // random placements, of which the best is played

// Calls `visit` with each piece of a seat on the board.
template <typename Visit>
void ForEachPiece(const Table& table, int seat, Visit visit) {
  const isaac::Cells anchors = table.anchors[seat];
  for (auto low = static_cast<uint64_t>(anchors); low != 0; low &= low - 1) {
    visit(table.piece_at(__builtin_ctzll(low)));
  }
  for (auto high = static_cast<uint64_t>(anchors >> 64); high != 0; high &= high - 1) {
    visit(table.piece_at(64 + __builtin_ctzll(high)));
  }
}

int LineOf(const Table& table, const isaac::Play& play) {
  return play.vertical ? table.in_column[isaac::ColumnOf(play.cell)]
                       : table.in_row[isaac::RowOf(play.cell)];
}

Move ChoosePlacement(const isaac::Rules& rules, const Table& table, Luck* luck) {
  uint64_t legal[isaac::kMaxMoves];
  const int count = isaac::ListMoves(rules, table, legal);
  Move best = Move(legal[count - 1]);
  if (best.is_pass()) return best;
  // `legal` is sorted by length: the longest pieces are last.
  const int length = isaac::DecodeMove(best).length;
  const int shorter = static_cast<int>(
      std::lower_bound(legal, legal + count, isaac::PlacementCode(length, false)) - legal);
  int most = -1;
  for (int i = 0; i < kTries; ++i) {
    const Move move = Move(legal[shorter + luck->Below(count - shorter)]);
    const int others = LineOf(table, isaac::DecodeMove(move));
    if (others <= most) continue;
    most = others;
    best = move;
  }
  return best;
}

}  // namespace

Move Removal::ToMove(const isaac::Rules& rules, const Table& table) const {
  int advance = points;
  const int seat = table.mover;
  // UP_TO forbids the cell of the other counter.
  const int taken = isaac::kCells - 1 - table.scores[isaac::OtherSeat(seat)] - table.scores[seat];
  if (!rules.exact_advance && advance == taken && advance > 0) --advance;
  return isaac::EncodeMove(isaac::Play::Removal(piece.anchor, piece.vertical, advance));
}

Removals RateRemovals(const Table& table) {
  Removals removals;
  const int floor = table.floors[table.mover];
  std::array<int, isaac::kMaxLength + 1> by_length{};  // the points of the pieces of each length
  ForEachPiece(table, table.mover, [&](const Piece& piece) {
    if (piece.length < floor) return;
    const int points = isaac::PointsFor(table, piece);
    by_length[piece.length] += points;
    if (isaac::CountersOn(table, piece, false) > 0) return;
    removals.at[removals.count++] = {piece, points, 0};
  });
  for (int i = 0; i < removals.count; ++i) {
    Removal& removal = removals.at[i];
    int lost = 0;
    for (int length = floor; length < removal.piece.length; ++length) lost += by_length[length];
    removal.worth = removal.points - kFloor * lost;
  }
  std::sort(removals.at.begin(), removals.at.begin() + removals.count,
            [](const Removal& a, const Removal& b) { return a.worth > b.worth; });
  return removals;
}

void PlayOut(Luck luck, isaac::IsaacState* state) {
  while (state->phase() != Phase::kOver) {
    const Table& table = state->table();
    if (table.stage == isaac::Stage::kPlacement) {
      state->Apply(ChoosePlacement(state->rules(), table, &luck));
      continue;
    }
    const Removals removals = RateRemovals(table);
    state->Apply(removals.count == 0 ? Move::Pass() : removals.at[0].ToMove(state->rules(), table));
  }
}

}  // namespace strong
