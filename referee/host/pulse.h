// Shows that timers and executors go on: every period a timer has each of the executors do a piece
// of work, one after another, and then there is a beat. One that hangs ends the beats.
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
  // The first beat comes at once.
  static std::shared_ptr<Pulse> Make(Options options);

  // When this returns there is no beat any more.
  void Close();

 private:
  explicit Pulse(Options options) : options_(std::move(options)) {}
  // Asks the executors from this one on.
  void Ask(size_t executor);

  const Options options_;
  Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  Timer timer_;  // set by Make, moved under mutex_
};

}  // namespace referee::host

#endif  // REFEREE_HOST_PULSE_H_
