// Dates and times on the command line.
#ifndef REFEREE_CTL_TIME_FLAG_H_
#define REFEREE_CTL_TIME_FLAG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::ctl {

// Parses a date, which means midnight UTC, or a time in RFC 3339; unset for an empty text. Returns
// InvalidArgument that names `flag`.
absl::StatusOr<absl::optional<absl::Time>> ReadTimeFlag(const std::string& flag,
                                                        const std::string& text);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TIME_FLAG_H_
