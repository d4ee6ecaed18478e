// The error for a late move, and durations as text for fault messages.
//
// Both the match and the service return MoveLate. base/errors.h has the style of error messages.
#ifndef REFEREE_MATCH_ERRORS_H_
#define REFEREE_MATCH_ERRORS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::match {

// Returns FailedPrecondition. The move came `late` after `limit`; `outcome` says what followed.
absl::Status MoveLate(uint32_t turn, absl::Duration late, absl::Duration limit,
                      absl::string_view outcome);

// Returns exact milliseconds, such as "512.25 ms", so that even a loss by a nanosecond shows.
std::string Milliseconds(absl::Duration duration);

}  // namespace referee::match

#endif  // REFEREE_MATCH_ERRORS_H_
