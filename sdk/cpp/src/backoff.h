// How long to wait before trying again.
#ifndef REFEREE_SDK_SRC_BACKOFF_H_
#define REFEREE_SDK_SRC_BACKOFF_H_

#include <cstdint>

#include "absl/time/time.h"

namespace referee::sdk {

inline constexpr absl::Duration kFirstBackoff = absl::Milliseconds(20);
inline constexpr absl::Duration kMaxBackoff = absl::Seconds(10);
// The longest while matches are waited for that others take over in the end: a referee that is
// started again in time has them still.
inline constexpr absl::Duration kMaxBackoffOfMatches = absl::Seconds(1);

// Exponential with full jitter: anything between zero and the first backoff doubled `attempt`
// times, or the longest, by 64 random bits. REQUIRES: attempt >= 0.
absl::Duration FullJitter(int attempt, uint64_t random);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_BACKOFF_H_
