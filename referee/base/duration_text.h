// Times for people: durations, rounded, with a unit; and moments, in UTC.
#ifndef REFEREE_BASE_DURATION_TEXT_H_
#define REFEREE_BASE_DURATION_TEXT_H_

#include <string>

#include "absl/time/time.h"

namespace referee {

// "412 us", "208 ms", "7.3 s", "45 s", "12 min 5 s", "3 h 20 min". A duration that decides
// something is to be shown exactly instead, as absl::FormatDuration does.
std::string RoundedText(absl::Duration duration);

// "2026-11-27T20:00:00Z".
std::string UtcText(absl::Time time);

}  // namespace referee

#endif  // REFEREE_BASE_DURATION_TEXT_H_
