// Move generator of Hypnosia: lists the legal steps and moves.
//
// Pure functions on a Table; none of them allocates.
#ifndef REFEREE_GAMES_HYPNOSIA_STEPS_H_
#define REFEREE_GAMES_HYPNOSIA_STEPS_H_

#include <array>
#include <cstdint>

#include "referee/games/game.h"
#include "referee/games/hypnosia/table.h"

namespace referee::games::hypnosia {

// A legal use of one die, found by ListSteps.
struct FoundStep {
  uint32_t code;
  Space from;
  Space to;
  bool stack;
};

// Four pawns make at most eight steps with one die: four units that walk or cross, or two stacks
// that each do either as a unit or dismantled.
inline constexpr int kMaxSteps = 8;
// Two orders of the dice; for each first step a second step or none.
inline constexpr int kMaxMoves = 2 * kMaxSteps * (kMaxSteps + 1);

// The position within a turn, as the mover sees it. The changes of the first step are an overlay on
// the table's cells. So looking ahead copies no board and undoes nothing.
struct View {
  const Board* board;
  const Table* table;
  int seat;
  Pieces pieces;             // units in the order of their notation, so that steps are found sorted
  int free_places;           // in the centre
  int outside;               // pawns in lanes and on rings, of all seats
  Space left = kNowhere;     // the space that the first step left, if on a ring
  Space entered = kNowhere;  // the space on which the first step landed, if on a ring
  Cell left_cell = kEmpty;
  Cell entered_cell = kEmpty;

  View(const Rules& rules, const Table& t, int mover)
      : board(&rules.board()),
        table(&t),
        seat(mover),
        pieces(t.pieces[mover]),
        free_places(rules.board().centre_places() - t.centre_count),
        outside(t.outside) {
    const int units = pieces.units;
    pieces.units = 0;
    for (int i = 0; i < units; ++i) AddUnit(pieces.at[i]);
  }

  Cell cell(Space space) const {
    if (space == entered) return entered_cell;
    if (space == left) return left_cell;
    return table->cells[space];
  }
  void AddUnit(Space space) {
    const uint32_t code = board->from_code(space, false);
    int i = pieces.units++;
    for (; i > 0 && board->from_code(pieces.at[i - 1], false) > code; --i) {
      pieces.at[i] = pieces.at[i - 1];
    }
    pieces.at[i] = space;
  }
  // REQUIRES: a unit is on `space`.
  void RemoveUnit(Space space) {
    int i = 0;
    while (pieces.at[i] != space) ++i;
    --pieces.units;
    for (; i < pieces.units; ++i) pieces.at[i] = pieces.at[i + 1];
  }
  // Whether the game ends in the middle of a turn.
  bool over() const { return free_places == 0 || outside == 0; }
};

// The number of pawns that a unit of `seat` captures by landing on `cell`; -1 if landing is
// illegal.
int Landing(int seat, bool stack, Cell cell);

// Fills `out` with the legal steps of `die`, sorted by number. Returns their count.
int ListSteps(const Rules& rules, const View& view, int die, FoundStep* out);

// Returns the view after the first step of a turn. REQUIRES: `view` is the view before that step.
View After(const View& view, const FoundStep& step);

// Fills `out` with the numbers of the legal moves of `seat` with `dice`, sorted. Returns their
// count. If no die can be played, the only move is the pass. REQUIRES: the game is not over, `out`
// has room for kMaxMoves.
int ListMoves(const Rules& rules, const Table& table, int seat, const std::array<int, kDice>& dice,
              uint64_t* out);

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_STEPS_H_
