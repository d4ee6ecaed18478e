// The use of time in a match, by turn and by seat, from its records: as a table for people and as
// JSON for programs. Pure functions, thread-safe.
#ifndef REFEREE_CTL_REPLAY_TIMES_H_
#define REFEREE_CTL_REPLAY_TIMES_H_

#include <string>

#include "referee/replay/replay.h"

namespace referee::ctl {

// Lines, in milliseconds.
std::string TimesText(const replay::Replay& replay);
// One object with a line end: `match_id`, `time_control`, `turns`, `seats`. In nanoseconds.
std::string TimesJson(const replay::Replay& replay);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_TIMES_H_
