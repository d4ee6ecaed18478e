// A token bucket: a rate limit of `rate.per_second` on average, with bursts of up to `rate.burst`.
//
// Pure: the time is passed in.
#ifndef REFEREE_SERVICE_PLAY_TOKEN_BUCKET_H_
#define REFEREE_SERVICE_PLAY_TOKEN_BUCKET_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"

namespace referee::service {

// Thread-compatible.
class TokenBucket {
 public:
  // Starts full. REQUIRES: rate.per_second >= 0, rate.burst >= 0.
  explicit TokenBucket(limits::Rate rate)
      : rate_(rate), available_(static_cast<double>(rate.burst)) {}

  // Takes `count` tokens. Returns false and takes none if there are fewer. A `now` earlier than in
  // a previous call counts as that call's time.
  bool Take(int64_t count, Instant now) {
    if (!Has(count, now)) return false;
    available_ -= static_cast<double>(count);
    return true;
  }

  // Whether Take would succeed.
  bool Has(int64_t count, Instant now) {
    if (now > filled_) {
      const double seconds = static_cast<double>((now.nanos() - filled_.nanos())) * 1e-9;
      available_ = std::min(static_cast<double>(rate_.burst),
                            available_ + seconds * static_cast<double>(rate_.per_second));
      filled_ = now;
    }
    return available_ >= static_cast<double>(count);
  }

  // Gives back tokens that were taken.
  void Return(int64_t count) {
    available_ =
        std::min(static_cast<double>(rate_.burst), available_ + static_cast<double>(count));
  }

  // Takes all tokens.
  void Drain(Instant now) {
    Has(0, now);
    available_ = 0;
  }

  // The time from `now` until there are `count` tokens; infinite if there never are.
  absl::Duration Wait(int64_t count, Instant now) {
    if (Has(count, now)) return absl::ZeroDuration();
    if (count > rate_.burst) return absl::InfiniteDuration();
    const double missing = static_cast<double>(count) - available_;
    return absl::Seconds(1) * (missing / static_cast<double>(rate_.per_second));
  }

 private:
  const limits::Rate rate_;
  double available_;
  Instant filled_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_TOKEN_BUCKET_H_
