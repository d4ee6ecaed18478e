// Formats log events as lines of text or JSON. Pure.
#ifndef REFEREE_LOG_LINE_H_
#define REFEREE_LOG_LINE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/log/event.h"

namespace referee::log {

// Returns "debug", "info", "warning" or "error".
absl::string_view LevelName(Level level);

// Both functions end the line with a newline. They emit no other control character, and valid UTF-8
// only.
//
//   2026-11-24T16:20:48.123Z warning the disk is full match=01h... (3 more were left out)
std::string TextLine(const Event& event, absl::Time now);
//   {"time":"2026-11-24T16:20:48.123Z","level":"warning","event":"seal_failed","message":...}
// ASCII only.
std::string JsonLine(const Event& event, absl::Time now);

}  // namespace referee::log

#endif  // REFEREE_LOG_LINE_H_
