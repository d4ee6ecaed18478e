// A match as lines of JSON, one a turn, for who trains bots or studies a game. Fields: FORMAT.md.
// Pure.
#ifndef REFEREE_REPLAY_TURN_LINES_H_
#define REFEREE_REPLAY_TURN_LINES_H_

#include <string>

#include "absl/status/status.h"
#include "referee/replay/replay.h"

namespace referee::replay {

// Appends a line for each turn that was played. Returns InvalidArgument that names the turn, and
// appends nothing, when the records cannot be played. REQUIRES: replay.ended(), and the rules of
// its game are here.
absl::Status AppendTurnLines(const Replay& replay, std::string* out);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_TURN_LINES_H_
