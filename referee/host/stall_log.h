// A log of stalls: when and for how long the referee itself stood still, all of its threads or the
// whole machine. A watcher that wakes up at set times reports how late it was (StallMonitor).
// The log is read with every reply of a bot, whose match gives the stalls back, and by the load
// guard. Bounded: old stalls make room for new ones.
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
  // Shorter delays are usual when a thread wakes up, and are not kept as stalls.
  static constexpr absl::Duration kShortest = absl::Milliseconds(1);

  // The watcher is to wake up next at `when`. If that passes without a wake-up, the referee is in a
  // stall from `when` on.
  void ExpectAt(Instant when);
  // The watcher woke up at `now`, `late` after the time that was set, and is to wake up next at
  // `next`.
  void Looked(Instant now, absl::Duration late, Instant next = Instant::InfiniteFuture());

  // The stalls between `from` and `until`: their sum is an upper bound on the time from a reply's
  // arrival to its reading. Includes a stall that is still under way. Takes no lock when there was
  // none.
  match::Stalls Between(Instant from, Instant until) const;

  // All stalls so far together; those that are over.
  absl::Duration total() const { return absl::Nanoseconds(total_.load()); }

  // The 99th percentile of the watcher's delays in the last kWindow to 2 * kWindow, at most a
  // factor of 1.25 too high. Zero before it first woke up.
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

  Instant expected() const { return Instant::FromNanos(expected_.load()); }
  bool IsOverdue(Instant expected, Instant until) const {
    return expected < until && until - expected >= kShortest;
  }

  mutable Mutex mutex_;
  // Written with the lock and read without it. A reader that sees a later time to wake up than a
  // stall's end sees that end, too.
  std::atomic<int64_t> newest_end_{std::numeric_limits<int64_t>::min()};
  std::atomic<int64_t> expected_{Instant::InfiniteFuture().nanos()};
  std::atomic<int64_t> total_{0};                     // nanoseconds
  std::deque<Stall> stalls_ ABSL_GUARDED_BY(mutex_);  // in order, apart
  Counts now_ ABSL_GUARDED_BY(mutex_) = {};
  Counts before_ ABSL_GUARDED_BY(mutex_) = {};
  Instant window_end_ ABSL_GUARDED_BY(mutex_);
};

// A thread that only wakes up every kPeriod and logs how late it was. What delays it also delays
// the threads that read from the transport.
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
