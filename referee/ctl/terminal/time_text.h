// Moments as people read them.
#ifndef REFEREE_CTL_TERMINAL_TIME_TEXT_H_
#define REFEREE_CTL_TERMINAL_TIME_TEXT_H_

#include <string>

#include "absl/time/time.h"
#include "google/protobuf/timestamp.pb.h"

namespace referee::ctl {

// "2026-11-21 16:05:00 UTC".
inline std::string TimeText(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::FromUnixSeconds(time.seconds()),
                          absl::UTCTimeZone());
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_TIME_TEXT_H_
