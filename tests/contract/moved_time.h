// The machine's time, which a test can put forward: a clock, and timers that go by it.
//
//   MovedTime time;
//   options.clock = &time.clock();
//   options.timers = &time.timers();
//   ...
//   time.Pass(absl::Hours(1));
#ifndef REFEREE_TESTS_CONTRACT_MOVED_TIME_H_
#define REFEREE_TESTS_CONTRACT_MOVED_TIME_H_

#include <atomic>
#include <cstdint>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/host/timers.h"

namespace referee::testing {

// Thread-safe, but for Pass.
class MovedTime {
 public:
  const Clock& clock() const { return clock_; }
  host::Timers& timers() { return timers_; }

  // Puts the clock forward; what is due then is called soon after.
  void Pass(absl::Duration duration) {
    clock_.moved_ns += absl::ToInt64Nanoseconds(duration);
    poke_.SetTo(clock_.Now());
  }

 private:
  struct Moved final : Clock {
    Instant Now() const override { return real.Now() + absl::Nanoseconds(moved_ns.load()); }
    absl::Time WallNow() const override {
      return real.WallNow() + absl::Nanoseconds(moved_ns.load());
    }
    const SystemClock real{};
    std::atomic<int64_t> moved_ns{0};
  };

  Moved clock_;
  host::ThreadTimers timers_{&clock_};
  // Has the timers look at the clock.
  host::Timer poke_ = timers_.At(Instant::InfiniteFuture(), [] {});
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_MOVED_TIME_H_
