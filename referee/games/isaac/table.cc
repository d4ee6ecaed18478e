#include "referee/games/isaac/table.h"

#include "referee/games/isaac/notation.h"

namespace referee::games::isaac {
namespace {

constexpr Cells FirstColumns(int count) {
  Cells columns = 0;
  for (int row = 0; row < kSide; ++row) {
    columns |= ((Cells{1} << count) - 1) << (row * kSide);
  }
  return columns;
}

// By length: the cells that can be the anchor of a piece along a row.
constexpr std::array<Cells, kMaxLength + 1> MakeRowAnchors() {
  std::array<Cells, kMaxLength + 1> anchors{};
  for (int length = kMinLength; length <= kMaxLength; ++length) {
    anchors[length] = FirstColumns(kSide - length + 1);
  }
  return anchors;
}
constexpr std::array<Cells, kMaxLength + 1> kRowAnchors = MakeRowAnchors();

// Calls `visit` with each cell of the set, in order.
template <typename Visit>
inline void ForEachCell(Cells cells, Visit visit) {
  for (uint64_t word = static_cast<uint64_t>(cells); word != 0; word &= word - 1) {
    visit(__builtin_ctzll(word));
  }
  for (uint64_t word = static_cast<uint64_t>(cells >> 64); word != 0; word &= word - 1) {
    visit(64 + __builtin_ctzll(word));
  }
}

// Adds the piece to the counts of its row and column lines, or removes it, by the sign of `change`.
void CountInLines(const Piece& piece, int change, Table* table) {
  auto& along = piece.vertical ? table->in_column : table->in_row;
  auto& across = piece.vertical ? table->in_row : table->in_column;
  const int row = RowOf(piece.anchor), column = ColumnOf(piece.anchor);
  const int line = piece.vertical ? column : row;
  const int from = piece.vertical ? row : column;
  along[line] = static_cast<uint8_t>(along[line] + change);
  for (int i = from; i < from + piece.length; ++i) {
    across[i] = static_cast<uint8_t>(across[i] + change);
  }
}

uint64_t* ListPlacements(const Table& table, uint64_t* out) {
  const Cells free = kBoard & ~table.covered;
  const auto& stock = table.unplayed[table.mover];
  // The starts of lines of free cells, one cell longer in each round. Lines along rows may run over
  // the edge into the next row; kRowAnchors removes them. Lines along columns fall off the top.
  Cells along_row = free & free >> 1;
  Cells along_column = free & free >> kSide;
  for (int length = kMinLength; length <= kMaxLength; ++length) {
    along_row &= free >> (length - 1);
    along_column &= free >> ((length - 1) * kSide);
    if (stock[length - kMinLength] == 0) continue;
    const uint64_t horizontal = PlacementCode(length, false);
    ForEachCell(along_row & kRowAnchors[length],
                [&](int cell) { *out++ = horizontal + static_cast<uint64_t>(cell); });
    const uint64_t vertical = PlacementCode(length, true);
    ForEachCell(along_column, [&](int cell) { *out++ = vertical + static_cast<uint64_t>(cell); });
  }
  return out;
}

// Lists all advances from 0 to `points` except `taken`, in the ASCII order of their digits.
uint64_t* ListAdvances(uint64_t removal, int points, int taken, uint64_t* out) {
  *out++ = removal | AdvanceCode(0);
  for (int digit = 1; digit <= 9 && digit <= points; ++digit) {
    if (digit != taken) *out++ = removal | AdvanceCode(digit);
    for (int units = 0; units <= 9 && 10 * digit + units <= points; ++units) {
      if (10 * digit + units != taken) *out++ = removal | AdvanceCode(digit, units);
    }
  }
  return out;
}

uint64_t* ListRemovals(const Rules& rules, const Table& table, uint64_t* out) {
  const int seat = table.mover;
  const Cells counters = CellBit(table.counter(0)) | CellBit(table.counter(1));
  // The advance onto the other counter, which UP_TO forbids. Never 0 there: under UP_TO the
  // counters never share a cell.
  const int taken = kCells - 1 - table.scores[OtherSeat(seat)] - table.scores[seat];
  ForEachCell(table.anchors[seat], [&](int anchor) {
    const Piece piece = table.piece_at(anchor);
    if (piece.length < table.floors[seat] || (CellsOf(piece) & counters) != 0) return;
    const int points = PointsFor(table, piece);
    const uint64_t removal = RemovalCode(anchor, piece.vertical);
    if (!rules.exact_advance) {
      out = ListAdvances(removal, points, taken, out);
    } else {
      *out++ = EncodeMove(Play::Removal(anchor, piece.vertical, points)).code();
    }
  });
  return out;
}

}  // namespace

int Table::unplayed_line(int seat) const {
  int line = 0;
  for (int i = 0; i < kLengths; ++i) line += unplayed[seat][i] * (kMinLength + i);
  return line;
}

void PutPiece(int seat, const Piece& piece, Table* table) {
  table->covered |= CellsOf(piece);
  table->anchors[seat] |= CellBit(piece.anchor);
  table->piece[piece.anchor] =
      static_cast<uint8_t>(piece.length | (piece.vertical ? Table::kVertical : 0));
  CountInLines(piece, 1, table);
}

void TakePiece(int seat, int anchor, Table* table) {
  const Piece piece = table->piece_at(anchor);
  table->covered &= ~CellsOf(piece);
  table->anchors[seat] &= ~CellBit(anchor);
  table->piece[anchor] = 0;
  CountInLines(piece, -1, table);
}

int CountersOn(const Table& table, const Piece& piece, bool line) {
  int count = 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    const int cell = table.counter(seat);
    const bool in_line = piece.vertical ? ColumnOf(cell) == ColumnOf(piece.anchor)
                                        : RowOf(cell) == RowOf(piece.anchor);
    const bool on_piece = in_line && cell >= piece.anchor && cell <= piece.last();
    count += (line ? in_line : on_piece) ? 1 : 0;
  }
  return count;
}

int PointsFor(const Table& table, const Piece& piece) {
  const int in_line =
      piece.vertical ? table.in_column[ColumnOf(piece.anchor)] : table.in_row[RowOf(piece.anchor)];
  return (in_line - 1) * piece.value() << CountersOn(table, piece, true);
}

int ListMoves(const Rules& rules, const Table& table, uint64_t* out) {
  const uint64_t* const end = table.stage == Stage::kPlacement ? ListPlacements(table, out)
                                                               : ListRemovals(rules, table, out);
  if (end != out) return static_cast<int>(end - out);
  *out = Move::Pass().code();
  return 1;
}

}  // namespace referee::games::isaac
