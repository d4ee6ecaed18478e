// A simulated clock, which moves only when a test moves it, with timers and an executor to match:
// calls and work are done on the test's thread, when the test says so.
#ifndef REFEREE_TESTS_SUPPORT_SIMULATED_TIME_H_
#define REFEREE_TESTS_SUPPORT_SIMULATED_TIME_H_

#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "referee/base/clock.h"
#include "referee/host/timers.h"

namespace referee::testing {

// Both kinds of time, moved together. Thread-compatible.
class SimulatedClock final : public Clock {
 public:
  Instant Now() const override { return now_; }
  absl::Time WallNow() const override { return wall_; }
  void Advance(absl::Duration duration) {
    now_ = now_ + duration;
    wall_ += duration;
  }

 private:
  Instant now_ = Instant::FromNanos(1'000'000'000);
  absl::Time wall_ = absl::FromUnixSeconds(1'700'000'000);
};

// Fires timers as it moves the clock. Thread-compatible.
class SimulatedTimers final : public host::Timers {
 public:
  explicit SimulatedTimers(SimulatedClock* clock) : clock_(clock) {}

  // Moves the clock, stopping at each timer that is due on the way.
  void Advance(absl::Duration duration) {
    const Instant end = clock_->Now() + duration;
    while (!wakes_.empty() && wakes_.begin()->first <= end) {
      const auto [when, wake] = std::move(*wakes_.begin());
      wakes_.erase(wakes_.begin());
      if (when > clock_->Now()) clock_->Advance(when - clock_->Now());
      wake();
    }
    clock_->Advance(end - clock_->Now());
  }

 private:
  void Queue(Instant when, std::function<void()> wake) override {
    wakes_.emplace(when, std::move(wake));
  }

  SimulatedClock* const clock_;
  std::multimap<Instant, std::function<void()>> wakes_;
};

// Does work at once; while held, queues it in order until the test releases it.
class HeldExecutor : public host::Executor {
 public:
  void Run(std::function<void()> work) override {
    held_ ? work_.push_back(std::move(work)) : work();
  }
  void Hold() { held_ = true; }
  void Release() {
    held_ = false;
    while (Step()) continue;
  }
  bool held() const { return held_; }
  // Does one piece; returns false if there is none.
  bool Step() {
    if (work_.empty()) return false;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    work();
    return true;
  }
  // Drops the queued work, as when the process dies.
  void Clear() { work_.clear(); }

 private:
  bool held_ = false;
  std::deque<std::function<void()>> work_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_SIMULATED_TIME_H_
