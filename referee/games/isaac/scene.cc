// Draws Isaac for pages. The places of the geometry are the cells, in their order.
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/games/isaac/game.h"
#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"

namespace referee::games::isaac {
namespace {

constexpr int kCellUnits = 100;
constexpr int kBoardMargin = 10;

std::string CellName(int cell) {
  std::string name;
  AppendCell(cell, &name);
  return name;
}

// Number and length of unplayed pieces, such as "5x3 2x7".
std::string UnplayedText(const Table& table, int seat) {
  std::string text;
  for (int length = kMinLength; length <= kMaxLength; ++length) {
    const int count = table.unplayed_of(seat, length);
    if (count > 0) absl::StrAppend(&text, text.empty() ? "" : " ", count, "x", length);
  }
  return text.empty() ? "none" : text;
}

std::string HoldingOf(const Table& table, int seat) {
  std::string text = absl::StrCat("unplayed ", UnplayedText(table, seat));
  if (table.stage == Stage::kScoring && table.floors[seat] > 0) {
    absl::StrAppend(&text, ", floor ", static_cast<int>(table.floors[seat]));
  }
  if (table.is_out(seat)) {
    absl::StrAppend(&text, table.stage == Stage::kPlacement ? ", passed" : ", out");
  }
  return text;
}

void AddMarks(const Table& table, const Table& before, Move last, Scene* scene) {
  const Play play = DecodeMove(last);
  if (play.kind == Play::Kind::kPlacement) {
    const Piece piece{play.length, play.vertical, play.cell};
    scene->marks.push_back({SceneMark::Kind::kLaid, piece.anchor, piece.last()});
    return;
  }
  const Piece piece = before.piece_at(play.cell);
  const int seat = before.mover;
  scene->marks.push_back({SceneMark::Kind::kRemoved, piece.anchor, piece.last()});
  if (play.advance > 0 && table.scores[seat] < kTarget) {
    scene->marks.push_back({SceneMark::Kind::kMoved, before.counter(seat), table.counter(seat)});
  }
}

}  // namespace

BoardGeometry IsaacGame::Geometry() const {
  BoardGeometry geometry;
  geometry.width = geometry.height = kSide * kCellUnits + 2 * kBoardMargin;
  for (int cell = 0; cell < kCells; ++cell) {
    BoardPlace place;
    place.kind = BoardPlace::Kind::kCell;
    place.name = CellName(cell);
    place.x = kBoardMargin + kCellUnits * ColumnOf(cell) + kCellUnits / 2;
    place.y = kBoardMargin + kCellUnits * (kSide - 1 - RowOf(cell)) + kCellUnits / 2;
    place.landmark = RowOf(cell) == 0 || ColumnOf(cell) == 0;
    geometry.places.push_back(place);
  }
  geometry.seat_angles = {0, 180};
  return geometry;
}

Scene IsaacGame::SceneOf(const State& state, const State* before, Move last) const {
  const Table& table = static_cast<const IsaacState&>(state).table();
  Scene scene;
  for (int seat = 0; seat < kSeats; ++seat) {
    for (int cell = 0; cell < kCells; ++cell) {
      if (!table.anchored(seat, cell)) continue;
      const Piece piece = table.piece_at(cell);
      scene.pieces.push_back({ScenePiece::Kind::kBar, Seat(seat), piece.anchor, piece.last()});
    }
    scene.holdings.push_back(HoldingOf(table, seat));
  }
  for (int seat = 0; seat < kSeats && table.stage == Stage::kScoring; ++seat) {
    if (table.scores[seat] >= kTarget) continue;
    const int cell = table.counter(seat);
    scene.pieces.push_back({ScenePiece::Kind::kCounter, Seat(seat), cell, cell});
  }
  if (before != nullptr && !last.is_pass()) {
    AddMarks(table, static_cast<const IsaacState*>(before)->table(), last, &scene);
  }
  return scene;
}

std::string IsaacGame::Describe(const State& before, Move move) const {
  const Table& table = static_cast<const IsaacState&>(before).table();
  const Play play = DecodeMove(move);
  if (play.kind == Play::Kind::kPlacement) {
    const Piece piece{play.length, play.vertical, play.cell};
    return absl::StrCat("lays a piece of ", play.length, " on ", CellName(piece.anchor), " to ",
                        CellName(piece.last()));
  }
  const Piece piece = table.piece_at(play.cell);
  return absl::StrCat("removes its piece of ", piece.length, " from ", CellName(piece.anchor),
                      " to ", CellName(piece.last()), " and advances by ", play.advance, ", to ",
                      table.scores[table.mover] + play.advance);
}

}  // namespace referee::games::isaac
