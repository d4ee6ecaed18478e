// The disk of a log as files <data_dir>/log/<slot>.log, mode 0600, preallocated and mapped. A write
// is a copy into the map: it needs no system call, survives the end of the process, and waits for
// no disk as long as its pages were prepared and are not being synced. Full disks are met when a
// segment is made, never when it is written.
#ifndef REFEREE_REPLAY_LOG_FOLDER_H_
#define REFEREE_REPLAY_LOG_FOLDER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/replay/log_disk.h"

namespace referee::replay {

// A moment in the writing of a frame to the log.
struct WritePoint {
  uint64_t write = 0;  // its number, from 1
  size_t bytes = 0;    // of the whole write
  size_t written = 0;  // of these, so far
};

// For tests that end the process in the middle of a write. Called before each write of a frame;
// returns how many bytes to write before the next call (zero, or more than are left: all that are
// left). The last call finds all bytes written. Called on the threads that write.
using WriteHook = std::function<size_t(const WritePoint&)>;

// For tests of disks that are slow or hang. Called before each sync, with its number, from 1, on
// the thread that syncs.
using SyncHook = std::function<void(uint64_t sync)>;

// For who watches the disk. Called after each sync, with how long it took, on the thread that
// synced.
using SyncedHook = std::function<void(absl::Duration took)>;

// <data_dir>/log
std::string LogDir(const std::string& data_dir);

// Thread-safe. At most one per folder writes.
class LogFolder final : public LogDisk {
 public:
  // All hooks may be null.
  explicit LogFolder(std::string folder, WriteHook at_write = nullptr, SyncHook at_sync = nullptr,
                     SyncedHook on_synced = nullptr)
      : folder_(std::move(folder)),
        at_write_(std::move(at_write)),
        at_sync_(std::move(at_sync)),
        on_synced_(std::move(on_synced)) {}

  // Makes the folder, mode 0700. Returns the error of the disk.
  absl::Status Make() const;
  // None if there is no folder.
  absl::StatusOr<std::vector<uint32_t>> Slots() const override;
  std::string NameOf(uint32_t slot) const override;
  absl::StatusOr<std::string> Read(uint32_t slot) const override;
  absl::StatusOr<std::unique_ptr<LogSegment>> Open(uint32_t slot, size_t bytes,
                                                   bool lasts) override;
  absl::Status Remove(uint32_t slot) override;

 private:
  class MappedSegment;

  const std::string folder_;
  const WriteHook at_write_;
  const SyncHook at_sync_;
  const SyncedHook on_synced_;
  std::atomic<uint64_t> writes_{0};
  std::atomic<uint64_t> syncs_{0};
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_FOLDER_H_
