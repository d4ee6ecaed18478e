// A match as JSON, for programs that do not read replay files. Its members are in FORMAT.md under
// "JSON"; their order is stable.
#ifndef REFEREE_REPLAY_JSON_H_
#define REFEREE_REPLAY_JSON_H_

#include <string>

#include "referee/replay/replay.h"

namespace referee::replay {

// One object, pretty, with a line end after it.
std::string ReplayJson(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_JSON_H_
