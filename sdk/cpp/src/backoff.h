// How long to wait before trying again.
#ifndef REFEREE_SDK_SRC_BACKOFF_H_
#define REFEREE_SDK_SRC_BACKOFF_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"

namespace referee::sdk {

inline constexpr absl::Duration kFirstBackoff = absl::Milliseconds(20);
inline constexpr absl::Duration kMaxBackoff = absl::Seconds(10);

// Exponential with full jitter: anything between zero and the first backoff doubled `attempt`
// times, or the longest, by 64 random bits. REQUIRES: attempt >= 0.
inline absl::Duration FullJitter(int attempt, uint64_t random) {
  // Doubled ten times it is beyond the longest.
  const absl::Duration longest =
      std::min(kFirstBackoff * (int64_t{1} << std::min(attempt, 10)), kMaxBackoff);
  const auto choices = static_cast<uint64_t>(absl::ToInt64Nanoseconds(longest) + 1);
  return absl::Nanoseconds(static_cast<int64_t>(random % choices));
}

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_BACKOFF_H_
