// Moments on the command line.
#ifndef REFEREE_CTL_TIME_FLAG_H_
#define REFEREE_CTL_TIME_FLAG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::ctl {

// Reads a day, which begins at midnight UTC, or a time as RFC 3339 has it; none of an empty text.
// Returns InvalidArgument that names `flag`.
absl::StatusOr<absl::optional<absl::Time>> ReadTimeFlag(const std::string& flag,
                                                        const std::string& text);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TIME_FLAG_H_
