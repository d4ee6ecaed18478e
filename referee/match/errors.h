// The error of a late move, which the match and the service raise, and times in texts of faults.
// base/errors.h says how errors are worded.
#ifndef REFEREE_MATCH_ERRORS_H_
#define REFEREE_MATCH_ERRORS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::match {

// A move that came `late` after the turn's `limit` was used up; `outcome` says what followed.
absl::Status MoveLate(uint32_t turn, absl::Duration late, absl::Duration limit,
                      absl::string_view outcome);

// "512.25 ms": exact, so that a loss by a nanosecond reads as one.
std::string Milliseconds(absl::Duration duration);

}  // namespace referee::match

#endif  // REFEREE_MATCH_ERRORS_H_
