// Where Hypnosia's rules and its generated types meet: board files, and values on the wire
// (proto/games/hypnosia/v1/hypnosia.proto). No generated type appears in this header.
#ifndef REFEREE_GAMES_HYPNOSIA_CONVERT_H_
#define REFEREE_GAMES_HYPNOSIA_CONVERT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/hypnosia/board.h"

namespace referee::games {
class Wire;
}

namespace referee::games::hypnosia {

// Reads a board file: a Board message in protobuf text format. Checks syntax and field names only;
// Board::Make judges the values. Returns InvalidArgument that names line and column. Writes nothing
// to stderr, whatever the text.
absl::StatusOr<BoardSpec> ParseBoardFile(absl::string_view text);

// The conversions of this game; lives for ever.
const Wire& HypnosiaWire();

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_CONVERT_H_
