// Adjusts how many matches a host may run at once: every LoadGuard::kPeriod it asks a load guard.
#ifndef REFEREE_HOST_LOAD_WATCH_H_
#define REFEREE_HOST_LOAD_WATCH_H_

#include <functional>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/host/host.h"
#include "referee/host/load_guard.h"
#include "referee/host/stall_log.h"
#include "referee/host/timers.h"

namespace referee::host {

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
    // Called when the number of matches that may run changes, with the new number and the 99th
    // percentile of wake-up delays. May be null.
    std::function<void(int, absl::Duration)> on_change;
  };

  // Watches until it is destroyed.
  explicit LoadWatch(Options options);
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;

 private:
  void Look();

  const Options options_;
  // Touched only in Look.
  LoadGuard guard_;
  int now_;

  Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LOAD_WATCH_H_
