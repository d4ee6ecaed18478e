// Keeps a host from beginning matches while a disk has little room: every kPeriod it asks how much
// there is. Running matches go on to their ends. On the way back it asks for a sixteenth more, so
// that the host does not go to and fro at the mark.
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

// Whether matches are to be held back now, `held` being whether they were. Pure.
bool HoldsBack(uint64_t free_bytes, uint64_t min_free, bool held);

// Thread-safe.
class DiskWatch {
 public:
  struct Options {
    // All must outlive this.
    Host* host = nullptr;
    const Clock* clock = nullptr;
    Timers* timers = nullptr;
    // Asks the disk, which may take long; the watch waits for its work when it is destroyed.
    Executor* executor = nullptr;
    // How many bytes are free. While it returns an error, all stays as it is.
    std::function<absl::StatusOr<uint64_t>()> free_bytes;
    uint64_t min_free = 0;
    // Called when matches are held back, with why, or no more, with an empty text. Both are called
    // by the constructor or on the executor, and may be null.
    std::function<void(const std::string& why)> on_change;
    // Called with the error when free_bytes fails, and with OK when it works again.
    std::function<void(const absl::Status&)> on_answer;
  };
  static constexpr absl::Duration kPeriod = absl::Seconds(1);

  // Asks once on this thread, so that nothing begins before; then watches until it is destroyed.
  explicit DiskWatch(Options options);
  ~DiskWatch();
  DiskWatch(const DiskWatch&) = delete;
  DiskWatch& operator=(const DiskWatch&) = delete;

 private:
  void Look();

  const Options options_;
  // Touched only in Look.
  bool held_ = false;
  bool failed_ = false;

  Mutex mutex_;
  CondVar changed_;
  bool looking_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;

  Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_DISK_WATCH_H_
