// Isaac for bots: the names of its types, its board and its notation. The rules themselves are in
// referee/games/isaac/RULES.md.
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

// What a piece is worth. REQUIRES: kMinLength <= length <= kMaxLength.
constexpr int ValueOf(int length) { return length == kMaxLength ? 6 : length - 2; }
// How many pieces of a length each seat begins with. REQUIRES: as for ValueOf.
constexpr int StockOf(int length) { return kMaxLength + 1 - length; }
// Where the counter of a seat with `score` points stands. REQUIRES: 0 <= score < kTarget.
constexpr int CounterCell(int seat, int score) { return seat == 0 ? score : kCells - 1 - score; }

// The cells of a piece that lies on the board, its anchor first. `length` is that of the piece.
std::vector<int> CellsOf(int length, Direction direction, int anchor);
inline std::vector<int> CellsOf(const Piece& piece) {
  return CellsOf(static_cast<int>(piece.length()), piece.direction(),
                 static_cast<int>(piece.cell()));
}
// For each cell the index in position.pieces() of the piece that covers it, or -1.
std::vector<int> Cover(const Position& position);

// Such as "7h33" or "x34h+12"; "-" is the pass.
std::string Notation(const Move& move);
// The opposite. Returns false, and leaves something in `out`, if it is no notation of a move.
bool ParseMove(absl::string_view notation, Move* out);

}  // namespace referee::sdk::isaac

#endif  // REFEREE_SDK_ISAAC_H_
