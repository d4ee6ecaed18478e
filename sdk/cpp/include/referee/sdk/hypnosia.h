// Hypnosia for bots: the names of its types, its board and its notation.
//
// The rules are in referee/games/hypnosia/RULES.md.
#ifndef REFEREE_SDK_HYPNOSIA_H_
#define REFEREE_SDK_HYPNOSIA_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/games/hypnosia/v1/hypnosia.pb.h"

namespace referee::sdk::hypnosia {

using Board = ::games::hypnosia::v1::Board;
using Move = ::games::hypnosia::v1::Move;
using Options = ::games::hypnosia::v1::Options;
using Position = ::games::hypnosia::v1::Position;
using Space = ::games::hypnosia::v1::Space;
using Step = ::games::hypnosia::v1::Step;

// Values of Space::area: the mover's own lane, the outermost ring, and the centre. kRingA + r is
// ring r, from 0.
inline constexpr int kLane = 0;
inline constexpr int kRingA = 1;
inline constexpr int kCentre = 9;

// The content of a ring space (Position::RingState::spaces).
inline constexpr bool IsEmpty(uint32_t unit) { return unit == 0; }
inline constexpr bool IsStack(uint32_t unit) { return unit != 0 && unit % 2 == 0; }
// REQUIRES: not empty.
inline constexpr int SeatOf(uint32_t unit) { return static_cast<int>((unit - 1) / 2); }

// The built-in board, "spiral-36-24-12".
Board SpiralBoard();
// The board of a match: the built-in board, or the board of the file in the options. Returns
// InvalidArgument for any other board.
absl::StatusOr<Board> BoardOf(const Options& options);
// The start lane of a seat, from 0. REQUIRES: 0 <= seat < seats.
int LaneOf(int seat, int seats);

// The notation of a move, such as "5:L2>A3 4:A3>B3"; "-" is the pass.
std::string Notation(const Move& move);
// Parses the notation of a move. Returns false for any other text, and then `out` is unspecified.
bool ParseMove(absl::string_view notation, Move* out);

}  // namespace referee::sdk::hypnosia

#endif  // REFEREE_SDK_HYPNOSIA_H_
