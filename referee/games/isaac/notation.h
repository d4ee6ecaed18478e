// Moves of Isaac: as values, as numbers and as text.
//
// The order of the numbers is the ASCII order of the notation, so legal moves are sorted as
// integers. 0 is the pass. The bits of a move mirror its notation, character by character:
//
//   placement  length 3 | v 1 | cell 7
//   removal    1 | cell 7 | v 1 | advance: digit 4, end or digit 4, end or digit 4
//
// Pure functions; thread-safe.
#ifndef REFEREE_GAMES_ISAAC_NOTATION_H_
#define REFEREE_GAMES_ISAAC_NOTATION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/game.h"

namespace referee::games::isaac {

// The largest advance that a claim can state. Legal advances are far smaller.
inline constexpr int kMaxAdvance = 999;

// The content of a move.
struct Play {
  enum class Kind { kPass, kPlacement, kRemoval };
  Kind kind = Kind::kPass;
  int length = 0;  // of the piece placed; a removal does not state the length
  bool vertical = false;
  int cell = 0;     // the anchor
  int advance = 0;  // of the counter, 0 to kMaxAdvance
  // False in a claim that does not state the advance; then `advance` has no meaning.
  bool advance_stated = true;

  static Play Placement(int length, bool vertical, int cell);
  static Play Removal(int cell, bool vertical, int advance);
};

Move EncodeMove(const Play& play);
Play DecodeMove(Move move);

// Parts of move numbers, for callers that make many moves. A placement is PlacementCode of its
// length and direction, plus its cell. A removal is RemovalCode plus AdvanceCode.
constexpr uint64_t PlacementCode(int length, bool vertical) {
  return static_cast<uint64_t>(length) << 8 | static_cast<uint64_t>(vertical) << 7;
}
constexpr uint64_t RemovalCode(int cell, bool vertical) {
  return uint64_t{1} << 20 | static_cast<uint64_t>(cell) << 13 |
         static_cast<uint64_t>(vertical) << 12;
}
// The code of an advance of one digit, and of two digits: `tens` is 1 to 9.
constexpr uint64_t AdvanceCode(int digit) { return static_cast<uint64_t>(digit) << 8; }
constexpr uint64_t AdvanceCode(int tens, int units) {
  return static_cast<uint64_t>(tens) << 8 | static_cast<uint64_t>(units + 1) << 4;
}

// Appends the two digits of a cell.
void AppendCell(int cell, std::string* out);
// Appends the notation; "-" for the pass. Leaves out an advance that is not stated.
void AppendMoveText(Move move, std::string* out);
// Reads the notation. Returns InvalidArgument with the byte.
absl::StatusOr<Move> ParseMoveText(absl::string_view text);

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_NOTATION_H_
