// A match as JSON, for programs that do not read replay files: whole, or a line for each turn, to
// train bots or to study a game. EXPORTS.md has the members; their order is stable.
#ifndef REFEREE_REPLAY_JSON_H_
#define REFEREE_REPLAY_JSON_H_

#include <string>

#include "absl/status/status.h"
#include "referee/replay/replay.h"
#include "referee/replay/transcript.h"

namespace referee::replay {

enum class JsonLayout {
  kPretty,   // a member a line
  kOneLine,  // the object on one line
};

// One object with a line end after it.
std::string ReplayJson(const Replay& replay, const Extras& extras = {},
                       JsonLayout layout = JsonLayout::kPretty);

// Appends a line for each turn that was played. Returns InvalidArgument that names the turn, and
// appends nothing, when the records cannot be played. REQUIRES: replay.ended(), and the rules of
// its game are here.
absl::Status AppendTurnLines(const Replay& replay, std::string* out);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_JSON_H_
