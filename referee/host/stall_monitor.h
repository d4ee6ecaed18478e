// A thread that only wakes up every kPeriod and logs how late it was. What delays it also delays
// the threads that read from the transport.
#ifndef REFEREE_HOST_STALL_MONITOR_H_
#define REFEREE_HOST_STALL_MONITOR_H_

#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/stall_log.h"

namespace referee::host {

// Thread-safe.
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

#endif  // REFEREE_HOST_STALL_MONITOR_H_
