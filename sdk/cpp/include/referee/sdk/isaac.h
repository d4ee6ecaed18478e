// Isaac for bots: the names of its types, its board and its notation.
//
// The rules are in referee/games/isaac/RULES.md.
#ifndef REFEREE_SDK_ISAAC_H_
#define REFEREE_SDK_ISAAC_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "proto/games/isaac/v1/isaac.pb.h"

namespace referee::sdk::isaac {

using Direction = ::games::isaac::v1::Direction;
using Move = ::games::isaac::v1::Move;
using Options = ::games::isaac::v1::Options;
using Phase = ::games::isaac::v1::Phase;
using Piece = ::games::isaac::v1::Position::Piece;
using Placement = ::games::isaac::v1::Placement;
using Position = ::games::isaac::v1::Position;
using Removal = ::games::isaac::v1::Removal;

inline constexpr int kSide = 10;
inline constexpr int kCells = kSide * kSide;
inline constexpr int kMinLength = 3;
inline constexpr int kMaxLength = 7;
inline constexpr int kTarget = 100;  // points

// The value of a piece. REQUIRES: kMinLength <= length <= kMaxLength.
constexpr int ValueOf(int length) { return length == kMaxLength ? 6 : length - 2; }
// The number of pieces of a length with which each seat begins. REQUIRES: as for ValueOf.
constexpr int StockOf(int length) { return kMaxLength + 1 - length; }
// The cell of a seat's counter at `score` points. REQUIRES: 0 <= score < kTarget.
constexpr int CounterCell(int seat, int score) { return seat == 0 ? score : kCells - 1 - score; }

// The cells of a piece on the board, its anchor first.
std::vector<int> CellsOf(int length, Direction direction, int anchor);
inline std::vector<int> CellsOf(const Piece& piece) {
  return CellsOf(static_cast<int>(piece.length()), piece.direction(),
                 static_cast<int>(piece.cell()));
}
// By cell: the index in position.pieces() of the piece on the cell, or -1.
std::vector<int> Cover(const Position& position);

// The notation of a move, such as "7h33" or "x34h+12"; "-" is the pass.
std::string Notation(const Move& move);
// Parses the notation of a move. Returns false for any other text, and then `out` is unspecified.
bool ParseMove(absl::string_view notation, Move* out);

}  // namespace referee::sdk::isaac

#endif  // REFEREE_SDK_ISAAC_H_
