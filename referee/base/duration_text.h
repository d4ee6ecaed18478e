// Formats times for people: rounded durations with a unit, and UTC timestamps.
#ifndef REFEREE_BASE_DURATION_TEXT_H_
#define REFEREE_BASE_DURATION_TEXT_H_

#include <string>

#include "absl/time/time.h"

namespace referee {

// Returns "412 us", "208 ms", "7.3 s", "45 s", "12 min 5 s" or "3 h 20 min". Where the exact
// duration decides something, show it with absl::FormatDuration instead.
std::string RoundedText(absl::Duration duration);

// Returns "2026-11-27T20:00:00Z".
std::string UtcText(absl::Time time);

}  // namespace referee

#endif  // REFEREE_BASE_DURATION_TEXT_H_
