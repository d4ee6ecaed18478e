// Delays between connection attempts.
#ifndef REFEREE_SDK_SRC_BACKOFF_H_
#define REFEREE_SDK_SRC_BACKOFF_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"

namespace referee::sdk {

inline constexpr absl::Duration kFirstBackoff = absl::Milliseconds(20);
inline constexpr absl::Duration kMaxBackoff = absl::Seconds(10);

// Exponential backoff with full jitter: uniform between zero and min(first backoff x 2^attempt,
// longest backoff), chosen by 64 random bits. REQUIRES: attempt >= 0.
inline absl::Duration FullJitter(int attempt, uint64_t random) {
  // After ten doublings the delay exceeds the longest.
  const absl::Duration longest =
      std::min(kFirstBackoff * (int64_t{1} << std::min(attempt, 10)), kMaxBackoff);
  const auto choices = static_cast<uint64_t>(absl::ToInt64Nanoseconds(longest) + 1);
  return absl::Nanoseconds(static_cast<int64_t>(random % choices));
}

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_BACKOFF_H_
