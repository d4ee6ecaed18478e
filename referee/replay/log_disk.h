// Interface of the disk below the log (log.h): segments of a fixed size, each in a numbered slot.
//
// log_folder.h implements it with files. The simulation implements it with bytes that it corrupts.
#ifndef REFEREE_REPLAY_LOG_DISK_H_
#define REFEREE_REPLAY_LOG_DISK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// A segment that can be written. Destroying the object keeps the bytes. Thread-safe for writes that
// do not overlap.
class LogSegment {
 public:
  virtual ~LogSegment() = default;
  virtual size_t size() const = 0;
  // Writes at `offset`. When it returns OK the bytes survive the end of the process. After an error
  // a part of them may be written. Waits for the disk, unless the segment is held in memory.
  // REQUIRES: the write ends within size().
  virtual absl::Status Write(size_t offset, absl::string_view bytes) = 0;
  // Makes later writes go to memory that outlives the process, so that they wait for no disk. Bytes
  // not written have any value. Returns ResourceExhausted when there is no such memory; then
  // nothing has changed.
  virtual absl::Status Hold() = 0;
  // Copies the bytes from `begin` to `end` from memory to the disk, followed by kNoFrame
  // (log_format.h). With `lasts` they survive the end of the machine when this returns. May block
  // for long; does not block other calls. After an error a part may be on the disk; another call
  // for the same bytes writes all of them again.
  virtual absl::Status Save(size_t begin, size_t end, bool lasts) = 0;
  // Makes later writes go to the disk again. Returns the memory; dropping it may take a while.
  // REQUIRES: everything written since Hold was saved.
  virtual std::shared_ptr<void> Release() = 0;
};

// Thread-safe.
class LogDisk {
 public:
  virtual ~LogDisk() = default;
  // Returns the slots that have segments, in order.
  virtual absl::StatusOr<std::vector<uint32_t>> Slots() const = 0;
  // Returns the name of a slot for people.
  virtual std::string NameOf(uint32_t slot) const = 0;
  // Returns the bytes of a segment.
  virtual absl::StatusOr<std::string> Read(uint32_t slot) const = 0;
  // Makes a segment of `bytes` zeros, with its room on the disk allocated. If the slot has a
  // segment, opens it with its own size. With `lasts` a new segment is on the disk when this
  // returns. Returns ResourceExhausted when the disk is full; then nothing is left behind.
  virtual absl::StatusOr<std::unique_ptr<LogSegment>> Open(uint32_t slot, size_t bytes,
                                                           bool lasts) = 0;
  virtual absl::Status Remove(uint32_t slot) = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_DISK_H_
