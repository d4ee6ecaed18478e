// The board of Isaac, and the pieces on it, as sets of cells. See RULES.md.
//
// Cells are numbered as in notation, from seat a's side: 10 x row + column. Pure functions; none of
// them allocates.
#ifndef REFEREE_GAMES_ISAAC_PIECES_H_
#define REFEREE_GAMES_ISAAC_PIECES_H_

#include <array>
#include <cstdint>

namespace referee::games::isaac {

inline constexpr int kSeats = 2;
inline constexpr int kSide = 10;
inline constexpr int kCells = kSide * kSide;
inline constexpr int kMinLength = 3;
inline constexpr int kMaxLength = 7;
inline constexpr int kLengths = kMaxLength - kMinLength + 1;
inline constexpr int kTarget = 100;  // points

// By length, from kMinLength: the number of a seat's pieces, and the value of one piece.
inline constexpr std::array<uint8_t, kLengths> kStock = {5, 4, 3, 2, 1};
inline constexpr std::array<uint8_t, kLengths> kValues = {1, 2, 3, 4, 6};
inline constexpr int kPiecesPerSeat = 15;

// A set of cells: bit c is cell c. The 128-bit integer is an extension of both compilers.
__extension__ typedef unsigned __int128 Cells;

constexpr Cells CellBit(int cell) { return Cells{1} << cell; }

// All cells of the board.
inline constexpr Cells kBoard = (Cells{1} << kCells) - 1;

constexpr int RowOf(int cell) { return cell / kSide; }
constexpr int ColumnOf(int cell) { return cell % kSide; }
constexpr int OtherSeat(int seat) { return 1 - seat; }

// A straight piece; `anchor` is its lowest cell.
struct Piece {
  int length = 0;
  bool vertical = false;
  int anchor = 0;

  constexpr int value() const { return kValues[length - kMinLength]; }
  // The distance from one cell of the piece to the next.
  constexpr int stride() const { return vertical ? kSide : 1; }
  constexpr int last() const { return anchor + (length - 1) * stride(); }
  constexpr bool fits() const {
    return (vertical ? RowOf(anchor) : ColumnOf(anchor)) + length <= kSide;
  }
};

namespace internal {

constexpr Cells ShapeOf(int length, bool vertical) {
  Cells shape = 0;
  for (int i = 0; i < length; ++i) shape |= CellBit(i * (vertical ? kSide : 1));
  return shape;
}

constexpr std::array<std::array<Cells, kMaxLength + 1>, 2> MakeShapes() {
  std::array<std::array<Cells, kMaxLength + 1>, 2> shapes{};
  for (int length = kMinLength; length <= kMaxLength; ++length) {
    shapes[0][length] = ShapeOf(length, false);
    shapes[1][length] = ShapeOf(length, true);
  }
  return shapes;
}

inline constexpr std::array<std::array<Cells, kMaxLength + 1>, 2> kShapes = MakeShapes();

}  // namespace internal

// REQUIRES: the piece fits.
inline Cells CellsOf(const Piece& piece) {
  return internal::kShapes[piece.vertical ? 1 : 0][piece.length] << piece.anchor;
}

// The cell of a seat's counter at `score` points. REQUIRES: 0 <= score < kTarget.
constexpr int CounterCell(int seat, int score) { return seat == 0 ? score : kCells - 1 - score; }

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_PIECES_H_
