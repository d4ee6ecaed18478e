// Events as lines. Pure.
#ifndef REFEREE_LOG_LINE_H_
#define REFEREE_LOG_LINE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/log/event.h"

namespace referee::log {

// "debug", "info", "warning", "error".
absl::string_view LevelName(Level level);

// Both end in a newline, and have no other control character and nothing that is not UTF-8.
//
//   2026-11-24T16:20:48.123Z warning the disk is full match=01h... (3 more were left out)
std::string TextLine(const Event& event, absl::Time now);
//   {"time":"2026-11-24T16:20:48.123Z","level":"warning","event":"seal_failed","message":...}
// In ASCII.
std::string JsonLine(const Event& event, absl::Time now);

}  // namespace referee::log

#endif  // REFEREE_LOG_LINE_H_
