// A simulated clock, with timers and an executor that run on the test's thread.
//
// The clock moves, and work runs, only when the test says so.
#ifndef REFEREE_TESTS_SUPPORT_SIMULATED_TIME_H_
#define REFEREE_TESTS_SUPPORT_SIMULATED_TIME_H_

#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "referee/base/clock.h"
#include "referee/host/timers.h"

namespace referee::testing {

// A clock whose two kinds of time move together. Thread-compatible.
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

// Timers that fire while the test advances the clock. Thread-compatible.
class SimulatedTimers final : public host::Timers {
 public:
  explicit SimulatedTimers(SimulatedClock* clock) : clock_(clock) {}

  // Moves the clock by `duration`, and stops at each due timer on the way.
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

// Runs work at once. While held, queues it in order until Release.
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
  // Runs one piece of queued work. Returns false if there is none.
  bool Step() {
    if (work_.empty()) return false;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    work();
    return true;
  }
  // Drops the queued work, as a dying process does.
  void Clear() { work_.clear(); }

 private:
  bool held_ = false;
  std::deque<std::function<void()>> work_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_SIMULATED_TIME_H_
