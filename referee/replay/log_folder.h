// Stores the segments of a log as preallocated files <data_dir>/log/<slot>.log, mode 0600.
//
// Preallocation makes a full disk show when a segment is made, never when it is written. Unsaved
// bytes of a segment are in its memory (log_memory.h), so a write needs no system call and waits
// for no disk.
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
#include "referee/replay/log_memory.h"

namespace referee::replay {

// One moment in the write of a frame.
struct WritePoint {
  uint64_t write = 0;  // number of the write, from 1
  size_t bytes = 0;    // of the whole write
  size_t written = 0;  // of these, so far
};

// Test hook that ends the process in the middle of a write. Called before each write of a frame, on
// the writing thread. Returns how many bytes to write before the next call; zero: the rest. The
// last call comes when all bytes are written.
using WriteHook = std::function<size_t(const WritePoint&)>;
// Test hook for slow disks. Called before each save of a segment, with its number, from 1.
using SyncHook = std::function<void(uint64_t sync)>;
// Called after each sync, with its duration.
using SyncedHook = std::function<void(absl::Duration took)>;

// Thread-safe. At most one per folder may write.
class LogFolder final : public LogDisk {
 public:
  // All hooks may be null.
  LogFolder(std::string data_dir, LogMemory memory, WriteHook at_write = nullptr,
            SyncHook at_sync = nullptr, SyncedHook on_synced = nullptr)
      : data_dir_(std::move(data_dir)),
        memory_(std::move(memory)),
        at_write_(std::move(at_write)),
        at_sync_(std::move(at_sync)),
        on_synced_(std::move(on_synced)) {}

  // The log of a data directory, to be read. A referee may still run there.
  static LogFolder Of(const std::string& data_dir) { return {data_dir, LogMemory::Of(data_dir)}; }

  // Makes the folder, mode 0700, and the folder of the memory. First saves to the disk what an
  // earlier process left in memory, also in another memory folder. Returns the error of the disk.
  absl::Status Make() const;
  // Removes the memory folder, if it is empty.
  void Leave() const { memory_.Leave(); }
  // Returns none if the folder does not exist. Includes slots that exist only in memory.
  absl::StatusOr<std::vector<uint32_t>> Slots() const override;
  std::string NameOf(uint32_t slot) const override;
  absl::StatusOr<std::string> Read(uint32_t slot) const override;
  absl::StatusOr<std::unique_ptr<LogSegment>> Open(uint32_t slot, size_t bytes,
                                                   bool lasts) override;
  absl::Status Remove(uint32_t slot) override;

 private:
  class FileSegment;

  // Saves the whole memory to the disk, and removes it.
  absl::Status Settle() const;

  const std::string data_dir_;
  const LogMemory memory_;
  const WriteHook at_write_;
  const SyncHook at_sync_;
  const SyncedHook on_synced_;
  std::atomic<uint64_t> writes_{0};
  std::atomic<uint64_t> syncs_{0};
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_FOLDER_H_
