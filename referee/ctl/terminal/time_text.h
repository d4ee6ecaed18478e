// Moments and durations as people read them.
#ifndef REFEREE_CTL_TERMINAL_TIME_TEXT_H_
#define REFEREE_CTL_TERMINAL_TIME_TEXT_H_

#include <string>

#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace referee::ctl {

// "2026-11-21 16:05:00 UTC".
inline std::string TimeText(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::FromUnixSeconds(time.seconds()),
                          absl::UTCTimeZone());
}

// "7.3 s", or "2m5s" from a minute on.
inline std::string TimeText(const google::protobuf::Duration& duration) {
  const absl::Duration time =
      absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
  if (time < absl::Minutes(1)) return absl::StrFormat("%.1f s", absl::ToDoubleSeconds(time));
  return absl::FormatDuration(absl::Trunc(time, absl::Seconds(1)));
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_TIME_TEXT_H_
