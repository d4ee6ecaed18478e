// A position of Hypnosia as plain data, and the rules of a match with its options settled.
//
// Rules are immutable and shared by all states of a game. A Table is copied as bytes. The functions
// here apply a step; steps.h finds the legal steps.
#ifndef REFEREE_GAMES_HYPNOSIA_TABLE_H_
#define REFEREE_GAMES_HYPNOSIA_TABLE_H_

#include <array>
#include <cstdint>
#include <memory>

#include "referee/games/hypnosia/board.h"

namespace referee::games::hypnosia {

inline constexpr int kMinSeats = 2;
inline constexpr int kMaxSeats = 6;
inline constexpr int kPawns = 4;  // of a seat
inline constexpr int kMaxCentre = kMaxSeats * kPawns;

// The rules of one match.
class Rules {
 public:
  // REQUIRES: seats 2 to 6, turn_limit >= 1.
  Rules(std::shared_ptr<const Board> board, int seats, bool stack_bridges, int turn_limit);

  const Board& board() const { return *board_; }
  int seats() const { return seats_; }
  bool stack_bridges() const { return stack_bridges_; }
  uint32_t turn_limit() const { return turn_limit_; }
  int lane_of(int seat) const { return (kLanes - kLanes * seat / seats_) % kLanes; }
  // The destination of a pawn of `seat` from lane space `k` (1 to 4) with `die`; kNowhere if die <
  // k.
  Space out_of_lane(int seat, int k, int die) const { return out_of_lane_[seat][k - 1][die - 1]; }

 private:
  const std::shared_ptr<const Board> board_;
  const int seats_;
  const bool stack_bridges_;
  const uint32_t turn_limit_;
  std::array<std::array<std::array<Space, kDieSides>, kLaneSpaces>, kMaxSeats> out_of_lane_;
};

// The content of a ring space: a single pawn of a seat, a stack of a seat, or nothing.
using Cell = uint8_t;
inline constexpr Cell kEmpty = 0;
constexpr Cell SingleOf(int seat) { return static_cast<Cell>(1 + 2 * seat); }
constexpr Cell StackOf(int seat) { return static_cast<Cell>(2 + 2 * seat); }
constexpr bool IsStack(Cell cell) { return cell != kEmpty && cell % 2 == 0; }
constexpr int PawnsIn(Cell cell) { return cell == kEmpty ? 0 : 2 - cell % 2; }
// REQUIRES: cell is not empty.
constexpr int OwnerOf(Cell cell) { return (cell - 1) / 2; }

// The pawns of a seat in its lane and on the rings.
struct Pieces {
  uint8_t lane;                  // bit k - 1: a pawn on Lk
  uint8_t units;                 // how many of `at` are in use
  std::array<Space, kPawns> at;  // ring spaces with a single pawn or a stack, in no order

  bool none() const { return lane == 0 && units == 0; }
};

// A whole position. The cells are last, because CopyTable copies only the cells that the board has.
struct Table {
  std::array<Pieces, kMaxSeats> pieces;
  std::array<int8_t, kMaxSeats> points;     // captures minus losses
  std::array<uint8_t, kMaxCentre> centre;   // seats in order of arrival
  std::array<uint8_t, kMaxSeats> forfeits;  // seats in order of forfeiting
  uint8_t centre_count;
  uint8_t forfeit_count;
  uint8_t outside;  // pawns in lanes and on rings, of all seats
  int8_t mover;     // -1: none
  int8_t first;     // -1: not known
  std::array<int, kDice> dice;
  uint32_t turns;                         // played so far
  std::array<uint32_t, kMaxSeats> rolls;  // by seat, so far
  std::array<Cell, kMaxSpaces> cells;     // by ring space
};

// All pawns in their lanes; everything else empty.
Table StartTable(const Rules& rules);
void CopyTable(const Rules& rules, const Table& from, Table* to);

// Applies the step of `seat` with the number `code`. REQUIRES: the step is legal.
void PlayStep(const Rules& rules, int seat, uint32_t code, Table* table);

// Takes all pawns of `seat` out of its lane and off the rings.
void RemovePieces(int seat, Table* table);

// The points of a seat: captures minus losses, plus the value of its pawns in the centre.
int ScoreOf(const Rules& rules, const Table& table, int seat);
bool HasForfeited(const Table& table, int seat);

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_TABLE_H_
