// A log of stalls: when, and for how long, the referee itself stood still.
//
// A stall stops all threads of the referee, or the whole machine. A watcher that wakes up at set
// times reports how late it was (StallMonitor). Each reply of a bot reads the log, since its match
// gives stalls back; so does the load guard. Bounded: new stalls replace the oldest.
#ifndef REFEREE_HOST_STALL_LOG_H_
#define REFEREE_HOST_STALL_LOG_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/match/turn_clock.h"

namespace referee::host {

// Thread-safe.
class StallLog {
 public:
  // Shorter delays are usual when a thread wakes up, and are not logged as stalls.
  static constexpr absl::Duration kShortest = absl::Milliseconds(1);

  // Sets when the watcher should wake up next. If `when` passes without a wake-up, a stall has
  // begun at `when`.
  void ExpectAt(Instant when);
  // Notes that the watcher woke up at `now`, `late` after the set time. It should wake up next at
  // `next`.
  void Looked(Instant now, absl::Duration late, Instant next = Instant::InfiniteFuture());

  // The stalls between `from` and `until`, including one that is still under way. Takes no lock if
  // there was none.
  match::Stalls Between(Instant from, Instant until) const;

  // The sum of all stalls that are over.
  absl::Duration total() const { return absl::Nanoseconds(total_.load()); }

  // The 99th percentile of the watcher's delays in the last kWindow to 2 * kWindow; up to 25% too
  // high. Zero before the first wake-up.
  static constexpr absl::Duration kWindow = absl::Seconds(2);
  absl::Duration P99(Instant now);

 private:
  struct Stall {
    Instant from;
    Instant until;
  };
  // Counts by size: bucket i has the delays from kBase * 1.25^(i-1) to below kBase * 1.25^i.
  using Counts = std::array<uint32_t, 96>;

  void Rotate(Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Instant expected() const { return Instant::FromNanos(expected_.load()); }
  bool IsOverdue(Instant expected, Instant until) const {
    return expected < until && until - expected >= kShortest;
  }

  mutable Mutex mutex_;
  // Written with the lock, read without it. A reader that sees the wake-up time set after a stall
  // also sees the end of that stall.
  std::atomic<int64_t> newest_end_{std::numeric_limits<int64_t>::min()};
  std::atomic<int64_t> expected_{Instant::InfiniteFuture().nanos()};
  std::atomic<int64_t> total_{0};                     // nanoseconds
  std::deque<Stall> stalls_ ABSL_GUARDED_BY(mutex_);  // by time, without overlaps
  Counts now_ ABSL_GUARDED_BY(mutex_) = {};
  Counts before_ ABSL_GUARDED_BY(mutex_) = {};
  Instant window_end_ ABSL_GUARDED_BY(mutex_);
};

// A thread that wakes up every kPeriod and logs how late it was. What delays it also delays the
// threads that read from the transport.
class StallMonitor {
 public:
  static constexpr absl::Duration kPeriod = absl::Milliseconds(2);

  // Watches until it is destroyed. `clock` must outlive this.
  explicit StallMonitor(const Clock* clock);
  ~StallMonitor();
  StallMonitor(const StallMonitor&) = delete;
  StallMonitor& operator=(const StallMonitor&) = delete;

  StallLog& log() { return log_; }

 private:
  void Loop();

  const Clock* const clock_;
  StallLog log_;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_STALL_LOG_H_
