// A match as JSON: whole, or one line per turn for training and analysis.
//
// For programs that do not read replay files. EXPORTS.md has the members; their order is stable.
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

// Returns one object, followed by a line end.
std::string ReplayJson(const Replay& replay, const Extras& extras = {},
                       JsonLayout layout = JsonLayout::kPretty);

// Appends a line for each turn that was played. When the records cannot be played, appends nothing
// and returns InvalidArgument that names the turn. REQUIRES: replay.ended(), and this program has
// the rules of the game.
absl::Status AppendTurnLines(const Replay& replay, std::string* out);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_JSON_H_
