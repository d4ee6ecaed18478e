// An injectable clock: code that waits or measures takes a Clock, so that tests can set the time.
//
// Two kinds of time must not be mixed. Instant is monotonic, for match clocks and deadlines.
// absl::Time is the calendar, only for names and records; it may jump.
#ifndef REFEREE_BASE_CLOCK_H_
#define REFEREE_BASE_CLOCK_H_

#include <cstdint>
#include <limits>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace referee {

// A point on a monotonic clock: nanoseconds since an arbitrary origin, meaningful only within one
// process. Differences are absl::Duration.
class Instant {
 public:
  constexpr Instant() = default;
  static constexpr Instant FromNanos(int64_t nanos) { return Instant(nanos); }
  static constexpr Instant InfiniteFuture() { return Instant(std::numeric_limits<int64_t>::max()); }
  constexpr int64_t nanos() const { return nanos_; }

  friend absl::Duration operator-(Instant a, Instant b) {
    if (a == InfiniteFuture()) return absl::InfiniteDuration();
    int64_t difference;
    if (__builtin_sub_overflow(a.nanos_, b.nanos_, &difference)) {
      return absl::Nanoseconds(a.nanos_) - absl::Nanoseconds(b.nanos_);
    }
    return absl::Nanoseconds(difference);
  }
  // Saturates: a sum that is infinite or overflows becomes InfiniteFuture(); one that underflows
  // becomes the earliest instant.
  friend Instant operator+(Instant a, absl::Duration d) {
    if (a == InfiniteFuture() || d == absl::InfiniteDuration()) return InfiniteFuture();
    int64_t sum;
    if (__builtin_add_overflow(a.nanos_, absl::ToInt64Nanoseconds(d), &sum)) {
      return d > absl::ZeroDuration() ? InfiniteFuture()
                                      : Instant(std::numeric_limits<int64_t>::min());
    }
    return Instant(sum);
  }
  friend constexpr bool operator==(Instant a, Instant b) { return a.nanos_ == b.nanos_; }
  friend constexpr bool operator!=(Instant a, Instant b) { return a.nanos_ != b.nanos_; }
  friend constexpr bool operator<(Instant a, Instant b) { return a.nanos_ < b.nanos_; }
  friend constexpr bool operator<=(Instant a, Instant b) { return a.nanos_ <= b.nanos_; }
  friend constexpr bool operator>(Instant a, Instant b) { return a.nanos_ > b.nanos_; }
  friend constexpr bool operator>=(Instant a, Instant b) { return a.nanos_ >= b.nanos_; }

 private:
  explicit constexpr Instant(int64_t nanos) : nanos_(nanos) {}
  int64_t nanos_ = 0;
};

// Source of both kinds of time. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant Now() const = 0;
  virtual absl::Time WallNow() const = 0;
};

// The system's clocks: CLOCK_MONOTONIC and the calendar.
class SystemClock final : public Clock {
 public:
  Instant Now() const override;
  absl::Time WallNow() const override { return absl::Now(); }
};

}  // namespace referee

#endif  // REFEREE_BASE_CLOCK_H_
