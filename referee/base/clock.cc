#include "referee/base/clock.h"

#include <chrono>

namespace referee {

Instant SystemClock::Now() const {
  const auto since_origin = std::chrono::steady_clock::now().time_since_epoch();
  return Instant::FromNanos(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since_origin).count());
}

}  // namespace referee
