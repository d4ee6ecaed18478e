// Keeps a host from beginning matches while little disk space is free.
//
// Checks the free space every kPeriod. Running matches go on to their ends. Matches begin again
// only when a sixteenth more than the minimum is free, so that the host does not switch back and
// forth.
#ifndef REFEREE_HOST_DISK_WATCH_H_
#define REFEREE_HOST_DISK_WATCH_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"

namespace referee::host {

// Returns whether to hold matches back now. `held`: whether they were held back before. Pure.
bool HoldsBack(uint64_t free_bytes, uint64_t min_free, bool held);

// Thread-safe.
class DiskWatch {
 public:
  struct Options {
    // All must outlive this.
    Host* host = nullptr;
    const Clock* clock = nullptr;
    Timers* timers = nullptr;
    // Checks the disk, which may take long. The destructor waits for this work.
    Executor* executor = nullptr;
    // Returns how many bytes are free. While it returns an error, nothing changes.
    std::function<absl::StatusOr<uint64_t>()> free_bytes;
    uint64_t min_free = 0;
    // Called with the reason when matches are held back, and with an empty text when they begin
    // again. The constructor or the executor calls both functions. Both may be null.
    std::function<void(const std::string& why)> on_change;
    // Called with the error when free_bytes fails, and with OK when it works again.
    std::function<void(const absl::Status&)> on_answer;
  };
  static constexpr absl::Duration kPeriod = absl::Seconds(1);

  // Checks once on this thread, so that no match begins before. Then watches until it is destroyed.
  explicit DiskWatch(Options options);
  ~DiskWatch();
  DiskWatch(const DiskWatch&) = delete;
  DiskWatch& operator=(const DiskWatch&) = delete;

 private:
  void Look();

  const Options options_;
  // Used only in Look.
  bool held_ = false;
  bool failed_ = false;

  Mutex mutex_;
  CondVar changed_;
  bool looking_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;

  Timer timer_;  // the last member, since its call uses the others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_DISK_WATCH_H_
