// Board files: the protobuf text format of games.hypnosia.v1.Board, as far as a board needs it. See
// RULES.md for the fields.
//
//   name: "tiny"                      # a comment ends with the line
//   ring { size: 7 bridge { from: 0 } bridge { from: 2 } }
//   lane_entry: [0, 1, 2, 3, 4, 5]    # or lane_entry: 0 lane_entry: 1 ...
//   centre_places: 2
//
// Three spellings that protobuf reads are refused, since no board needs them: numbers in octal or
// hexadecimal, escapes in strings, and strings in several parts. Pure; thread-safe.
#ifndef REFEREE_GAMES_HYPNOSIA_BOARD_FILE_H_
#define REFEREE_GAMES_HYPNOSIA_BOARD_FILE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/hypnosia/board.h"

namespace referee::games::hypnosia {

// Reads a board file. Checks syntax and field names only; Board::Make judges the values. Returns
// InvalidArgument that names line and column, both from 1 and in bytes, whatever the text.
absl::StatusOr<BoardSpec> ParseBoardFile(absl::string_view text);

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_BOARD_FILE_H_
