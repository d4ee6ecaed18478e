// A match as JSON, for programs that do not read replay files. Its members are in FORMAT.md under
// "JSON"; their order is stable.
#ifndef REFEREE_REPLAY_JSON_H_
#define REFEREE_REPLAY_JSON_H_

#include <string>

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

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_JSON_H_
