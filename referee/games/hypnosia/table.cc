#include "referee/games/hypnosia/table.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace referee::games::hypnosia {
namespace {

static_assert(std::is_trivially_copyable<Table>::value && std::is_standard_layout<Table>::value,
              "a Table is copied as bytes");

void AddUnit(Space space, Pieces* pieces) { pieces->at[pieces->units++] = space; }

void RemoveUnit(Space space, Pieces* pieces) {
  int i = 0;
  while (pieces->at[i] != space) ++i;
  pieces->at[i] = pieces->at[--pieces->units];
}

// Lifts a single pawn or a stack from a ring space.
void Lift(Space from, bool stack, Pieces* pieces, Table* table) {
  Cell& cell = table->cells[from];
  if (IsStack(cell) && !stack) {
    --cell;  // dismantled: the other pawn stays
    return;
  }
  cell = kEmpty;
  RemoveUnit(from, pieces);
}

void Enter(const Rules& rules, int seat, Space from, bool stack, Table* table) {
  const int free = rules.board().centre_places() - table->centre_count;
  // If one place is left, only one pawn of a stack enters, as if it had moved alone.
  const bool both = stack && free >= 2;
  Lift(from, both, &table->pieces[seat], table);
  for (int pawn = 0; pawn < (both ? 2 : 1); ++pawn) {
    table->centre[table->centre_count++] = static_cast<uint8_t>(seat);
    --table->outside;
  }
}

void Capture(int seat, Space space, Table* table) {
  const Cell cell = table->cells[space];
  const int loser = OwnerOf(cell);
  const int pawns = PawnsIn(cell);
  RemoveUnit(space, &table->pieces[loser]);
  table->points[seat] = static_cast<int8_t>(table->points[seat] + pawns);
  table->points[loser] = static_cast<int8_t>(table->points[loser] - pawns);
  table->outside = static_cast<uint8_t>(table->outside - pawns);
}

void Land(int seat, Space to, bool stack, Table* table) {
  Cell& cell = table->cells[to];
  if (cell == SingleOf(seat)) {
    cell = StackOf(seat);
    return;
  }
  if (cell != kEmpty) Capture(seat, to, table);
  cell = stack ? StackOf(seat) : SingleOf(seat);
  AddUnit(to, &table->pieces[seat]);
}

}  // namespace

Rules::Rules(std::shared_ptr<const Board> board, int seats, bool stack_bridges, int turn_limit)
    : board_(std::move(board)),
      seats_(seats),
      stack_bridges_(stack_bridges),
      turn_limit_(static_cast<uint32_t>(turn_limit)) {
  for (int seat = 0; seat < seats_; ++seat) {
    const int entry = board_->lane_entry(lane_of(seat));
    for (int k = 1; k <= kLaneSpaces; ++k) {
      for (int die = 1; die <= kDieSides; ++die) {
        out_of_lane_[seat][k - 1][die - 1] =
            die < k ? kNowhere : static_cast<Space>((entry + die - k) % board_->ring_size(0));
      }
    }
  }
}

Table StartTable(const Rules& rules) {
  Table table{};
  for (int seat = 0; seat < rules.seats(); ++seat) {
    table.pieces[seat].lane = (1 << kLaneSpaces) - 1;
    table.outside = static_cast<uint8_t>(table.outside + kPawns);
  }
  table.mover = -1;
  table.first = -1;
  return table;
}

void CopyTable(const Rules& rules, const Table& from, Table* to) {
  std::memcpy(to, &from, offsetof(Table, cells) + rules.board().spaces() * sizeof(Cell));
}

void PlayStep(const Rules& rules, int seat, uint32_t code, Table* table) {
  const Step step = DecodeStep(code);
  const Space to = rules.board().space(step.to);
  Pieces* pieces = &table->pieces[seat];
  if (step.from.is_lane()) {
    pieces->lane = static_cast<uint8_t>(pieces->lane & ~(1 << (step.from.index() - 1)));
    Land(seat, to, /*stack=*/false, table);
    return;
  }
  const Space from = rules.board().space(step.from);
  if (to == kCentre) return Enter(rules, seat, from, step.stack, table);
  Lift(from, step.stack, pieces, table);
  Land(seat, to, step.stack, table);
}

void RemovePieces(int seat, Table* table) {
  Pieces* pieces = &table->pieces[seat];
  int pawns = 0;
  for (int k = 0; k < kLaneSpaces; ++k) pawns += pieces->lane >> k & 1;
  for (int i = 0; i < pieces->units; ++i) {
    pawns += PawnsIn(table->cells[pieces->at[i]]);
    table->cells[pieces->at[i]] = kEmpty;
  }
  table->outside = static_cast<uint8_t>(table->outside - pawns);
  pieces->lane = 0;
  pieces->units = 0;
}

int ScoreOf(const Rules& rules, const Table& table, int seat) {
  int score = table.points[seat];
  for (int i = 0; i < table.centre_count; ++i) {
    if (table.centre[i] == seat) score += rules.board().centre_places() - i;
  }
  return score;
}

bool HasForfeited(const Table& table, int seat) {
  const auto end = table.forfeits.begin() + table.forfeit_count;
  return std::find(table.forfeits.begin(), end, seat) != end;
}

}  // namespace referee::games::hypnosia
