// Aligns timeouts to multiples of a step, so that many expire in one wake-up.
#ifndef REFEREE_SERVICE_STEP_H_
#define REFEREE_SERVICE_STEP_H_

#include <cstdint>

#include "absl/time/time.h"
#include "referee/base/clock.h"

namespace referee::service {

// Returns the first multiple of `step` after `when`.
inline Instant NextStep(absl::Duration step, Instant when) {
  const int64_t nanos = absl::ToInt64Nanoseconds(step);
  return Instant::FromNanos((when.nanos() / nanos + 1) * nanos);
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_STEP_H_
