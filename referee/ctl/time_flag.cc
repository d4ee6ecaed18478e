#include "referee/ctl/time_flag.h"

#include "referee/base/errors.h"

namespace referee::ctl {

absl::StatusOr<absl::optional<absl::Time>> ReadTimeFlag(const std::string& flag,
                                                        const std::string& text) {
  if (text.empty()) return absl::optional<absl::Time>();
  absl::Time time;
  std::string error;
  if (absl::ParseTime("%E4Y-%m-%d", text, absl::UTCTimeZone(), &time, &error) ||
      absl::ParseTime(absl::RFC3339_full, text, &time, &error)) {
    return absl::make_optional(time);
  }
  return BadValue(flag, text, "a day, such as 2026-11-23, or a time, such as 2026-11-23T08:00:00Z");
}

}  // namespace referee::ctl
