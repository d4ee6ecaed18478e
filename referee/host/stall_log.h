// When and for how long the referee itself stood still: all of its threads, or the machine. Fed by
// whoever wakes up at set times and sees how much too late that was (stall_monitor.h); asked when a
// seat has lost on time, and by the load guard. Bounded: old stalls make room for new ones.
#ifndef REFEREE_HOST_STALL_LOG_H_
#define REFEREE_HOST_STALL_LOG_H_

#include <array>
#include <cstdint>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"

namespace referee::host {

// Thread-safe.
class StallLog {
 public:
  // Delays that are shorter are how threads wake up, and not kept as stalls.
  static constexpr absl::Duration kShortest = absl::Milliseconds(1);

  // Whoever watches means to look again at `when`: should that be past already when somebody asks,
  // the referee stands still at that moment.
  void ExpectAt(Instant when);
  // He looked, `late` after he meant to.
  void Looked(Instant now, absl::Duration late);

  // How long the referee stood still between the two, all told: an upper bound on how much later a
  // reply may have been read than it arrived. What has begun by `until` counts.
  absl::Duration Between(Instant from, Instant until) const;

  // The 99th percentile of how late the looks of the last kWindow to 2 * kWindow were, within a
  // factor of 1.25 above. Zero before the first.
  static constexpr absl::Duration kWindow = absl::Seconds(2);
  absl::Duration P99(Instant now);

 private:
  struct Stall {
    Instant from;
    Instant until;
  };
  // Counts by size: bucket i holds what is below kBase * 1.25^i.
  using Counts = std::array<uint32_t, 96>;

  void Rotate(Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  Instant expected_ ABSL_GUARDED_BY(mutex_) = Instant::InfiniteFuture();
  std::deque<Stall> stalls_ ABSL_GUARDED_BY(mutex_);  // in order, apart
  Counts now_ ABSL_GUARDED_BY(mutex_) = {};
  Counts before_ ABSL_GUARDED_BY(mutex_) = {};
  Instant window_end_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::host

#endif  // REFEREE_HOST_STALL_LOG_H_
