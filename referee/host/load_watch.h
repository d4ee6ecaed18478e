// Adjusts the number of matches that a host may run at once to the load of the machine.
//
// Asks a load guard every LoadGuard::kPeriod.
#ifndef REFEREE_HOST_LOAD_WATCH_H_
#define REFEREE_HOST_LOAD_WATCH_H_

#include <functional>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/host/host.h"
#include "referee/host/stall_log.h"
#include "referee/host/timers.h"

namespace referee::host {

// Decides by how late the referee's own threads wake up: too late, a quarter fewer matches than
// run; else a sixteenth more. Pure; thread-compatible.
class LoadGuard {
 public:
  // Allows 1 to `most` matches; always `most` if `max_stall` is infinite. A block of more matches
  // than are allowed begins while nothing runs (HostView::RoomForBlocks).
  LoadGuard(int most, absl::Duration max_stall) : most_(most), max_stall_(max_stall), now_(most) {}

  // Takes the measurement of one kPeriod, and returns how many matches may run from now on.
  // `running` is how many run now.
  static constexpr absl::Duration kPeriod = absl::Seconds(1);
  int NextLimit(absl::Duration p99_stall, int running);

 private:
  const int most_;
  const absl::Duration max_stall_;
  int now_;
};

// Thread-safe.
class LoadWatch {
 public:
  struct Options {
    // All must outlive this.
    Host* host = nullptr;
    const Clock* clock = nullptr;
    Timers* timers = nullptr;
    StallLog* stalls = nullptr;
    int most = 0;  // matches at once
    absl::Duration max_stall = absl::InfiniteDuration();
    // Called with the limit and the 99th percentile of wake-up delays: at each new lowest limit,
    // and when the limit is `most` again. May be null.
    std::function<void(int, absl::Duration)> on_change;
  };

  // Watches until it is destroyed.
  explicit LoadWatch(Options options);
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;

 private:
  void Look();

  const Options options_;
  // Used only in Look.
  LoadGuard guard_;
  int now_;
  int reported_;  // the limit in the last call of on_change

  Timer timer_;  // the last member, since its call uses the others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LOAD_WATCH_H_
