// Parser of board files: games.hypnosia.v1.Board as JSON, with the field names of the protocol.
//
// RULES.md explains the fields.
//
//   {"name": "tiny",
//    "rings": [{"size": 7, "bridges": [{"from": 0}, {"from": 2}]}],
//    "lane_entries": [0, 1, 2, 3, 4, 5],
//    "centre_places": 2}
//
// Pure; thread-safe.
#ifndef REFEREE_GAMES_HYPNOSIA_BOARD_FILE_H_
#define REFEREE_GAMES_HYPNOSIA_BOARD_FILE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/hypnosia/board.h"

namespace referee::games::hypnosia {

// Reads a board file. Checks only syntax, field names and types; Board::Make checks the values.
// Returns InvalidArgument for any other text, with the field. If the text is not JSON, the error
// has line and column, from 1 and in bytes.
absl::StatusOr<BoardSpec> ParseBoardFile(absl::string_view text);

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_BOARD_FILE_H_
