#include "sdk/cpp/src/backoff.h"

#include <algorithm>

namespace referee::sdk {

absl::Duration FullJitter(int attempt, uint64_t random) {
  // Doubled ten times it is beyond the longest.
  const absl::Duration ceiling =
      std::min(kFirstBackoff * (int64_t{1} << std::min(attempt, 10)), kMaxBackoff);
  return absl::Nanoseconds(
      static_cast<int64_t>(random % static_cast<uint64_t>(absl::ToInt64Nanoseconds(ceiling) + 1)));
}

}  // namespace referee::sdk
