// A heartbeat that proves that timers and executors still work.
//
// Every period a timer starts a piece of work, which passes through each executor in turn; then the
// beat follows. If the timer or an executor hangs, the beats stop.
//
//   const std::shared_ptr<Pulse> pulse =
//       Pulse::Make({&clock, &timers, {&executor}, absl::Seconds(10), [&] { manager.Beat(); }});
#ifndef REFEREE_HOST_PULSE_H_
#define REFEREE_HOST_PULSE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/timers.h"

namespace referee::host {

// Thread-safe.
class Pulse : public std::enable_shared_from_this<Pulse> {
 public:
  struct Options {
    // All must outlive Close.
    const Clock* clock = nullptr;
    Timers* timers = nullptr;
    std::vector<Executor*> executors;
    absl::Duration period;
    std::function<void()> beat;  // on the last of the executors; must be short
  };
  // Starts the pulse. The first beat comes at once.
  static std::shared_ptr<Pulse> Make(Options options);

  // When this returns, no beat is running, and none will follow.
  void Close();

 private:
  explicit Pulse(Options options) : options_(std::move(options)) {}
  // Passes through the executors from this one on, then beats.
  void Ask(size_t executor);

  const Options options_;
  Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  Timer timer_;  // set by Make, moved under mutex_
};

}  // namespace referee::host

#endif  // REFEREE_HOST_PULSE_H_
