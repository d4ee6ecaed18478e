// A position of Isaac as plain data, and its legal moves. See RULES.md.
//
// A Table is a plain value: copying it copies the position. No function here allocates.
#ifndef REFEREE_GAMES_ISAAC_TABLE_H_
#define REFEREE_GAMES_ISAAC_TABLE_H_

#include <array>
#include <cstdint>

#include "referee/games/game.h"
#include "referee/games/isaac/pieces.h"

namespace referee::games::isaac {

enum class FirstPlayer { kRandom, kSeatA, kSeatB };
enum class ScoringStarter { kFirstPlayer, kFirstToPass };

// The options of a match.
struct Rules {
  bool exact_advance = false;  // counter_advance=EXACT
  FirstPlayer first_player = FirstPlayer::kRandom;
  ScoringStarter scoring_starter = ScoringStarter::kFirstPlayer;
};

enum class Stage : uint8_t { kPlacement, kScoring };

struct Table {
  // The pieces on the board: the cells that they cover, and their anchors by seat.
  Cells covered = 0;
  std::array<Cells, kSeats> anchors{};
  // By anchor: the length of the piece, plus kVertical for a vertical piece; 0 without a piece.
  std::array<uint8_t, kCells> piece{};
  // The number of pieces that cover a cell of each row, and of each column.
  std::array<uint8_t, kSide> in_row{};
  std::array<uint8_t, kSide> in_column{};

  std::array<std::array<uint8_t, kLengths>, kSeats> unplayed = {kStock, kStock};
  std::array<int16_t, kSeats> scores{};
  // The minimum length of the next removed piece; 0 before the first removal.
  std::array<uint8_t, kSeats> floors{};
  // The seats that have passed in the placement, or have dropped out of the scoring, in order.
  std::array<uint8_t, kSeats> out{};
  uint8_t out_count = 0;
  Stage stage = Stage::kPlacement;
  int8_t first = -1;      // the seat that began the placement; -1 before it is known
  int8_t mover = -1;      // when the match is over: the last seat that moved
  int8_t forfeited = -1;  // the seat that has forfeited; -1: none

  static constexpr uint8_t kVertical = 8;

  bool anchored(int seat, int cell) const { return (anchors[seat] >> cell & 1) != 0; }
  // REQUIRES: a piece is anchored at `anchor`.
  Piece piece_at(int anchor) const {
    return {piece[anchor] & 7, (piece[anchor] & kVertical) != 0, anchor};
  }
  bool is_out(int seat) const {
    return (out_count > 0 && out[0] == seat) || (out_count > 1 && out[1] == seat);
  }
  int unplayed_of(int seat, int length) const { return unplayed[seat][length - kMinLength]; }
  // The sum of the lengths of the seat's unplayed pieces.
  int unplayed_line(int seat) const;
  // The cell of the seat's counter. REQUIRES: the counter is on the board.
  int counter(int seat) const { return CounterCell(seat, scores[seat]); }
};

// REQUIRES: the piece fits, and its cells are free.
void PutPiece(int seat, const Piece& piece, Table* table);
// Removes the piece of `seat` that is anchored at `anchor`.
void TakePiece(int seat, int anchor, Table* table);

// The score for removing the piece. REQUIRES: both counters are on the board.
int PointsFor(const Table& table, const Piece& piece);
// The number of counters on the cells of the piece or, if `line`, on its whole line.
int CountersOn(const Table& table, const Piece& piece, bool line);

// An empty board allows 600 placements. A removal scores at most 72 points: a piece of length 7,
// with three other pieces in its line, and both counters. So fifteen pieces make at most 15 x 73
// moves.
inline constexpr int kMaxMoves = kPiecesPerSeat * 73;

// Fills `out` with the numbers of the mover's legal moves, sorted. Returns their count. If nothing
// can be placed or removed, the only move is the pass. REQUIRES: the match is not over, `out` has
// room for kMaxMoves.
int ListMoves(const Rules& rules, const Table& table, uint64_t* out);

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_TABLE_H_
