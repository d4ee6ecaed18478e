// What the log (log.h) needs of a disk: segments, each a run of bytes of a fixed size in a slot of
// its own. log_folder.h implements it with files; a simulation, with bytes that it spoils.
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

// A segment that can be written. Destroying it leaves its bytes. Thread-safe, where threads write
// other bytes than each other.
class LogSegment {
 public:
  virtual ~LogSegment() = default;
  virtual size_t size() const = 0;
  // Writes at `offset`. When it returns OK the bytes survive the end of the process. After an error
  // a part of them may be there. Waits for the disk, unless they are held in memory. REQUIRES: it
  // ends within size().
  virtual absl::Status Write(size_t offset, absl::string_view bytes) = 0;
  // From here on a Write is to memory that outlives the process, and waits for no disk. Bytes that
  // are not written have any value. Returns ResourceExhausted when there is no such memory; then
  // nothing has changed.
  virtual absl::Status Hold() = 0;
  // Takes what was written from `begin` to `end` from that memory to the disk, where kNoFrame
  // (log_format.h) follows; with `lasts` it survives the end of the machine when this returns. May
  // wait long; nobody else waits. After an error some of it may be there; to call it again for the
  // same bytes writes all of them again.
  virtual absl::Status Save(size_t begin, size_t end, bool lasts) = 0;
  // From here on a Write is to the disk, as at first. REQUIRES: all that was written since Hold was
  // saved. Returns the memory, to be dropped where that may take a while.
  virtual std::shared_ptr<void> Release() = 0;
};

// Thread-safe.
class LogDisk {
 public:
  virtual ~LogDisk() = default;
  // The slots that have segments, in order.
  virtual absl::StatusOr<std::vector<uint32_t>> Slots() const = 0;
  // What a slot is called, for people.
  virtual std::string NameOf(uint32_t slot) const = 0;
  // The bytes of a segment.
  virtual absl::StatusOr<std::string> Read(uint32_t slot) const = 0;
  // Makes a segment of `bytes` zeros, for which there is room on the disk from then on; or opens
  // the one that is there, as large as it is. With `lasts` a new one is on the disk when this
  // returns. Returns ResourceExhausted when the disk is full; nothing is left behind then.
  virtual absl::StatusOr<std::unique_ptr<LogSegment>> Open(uint32_t slot, size_t bytes,
                                                           bool lasts) = 0;
  virtual absl::Status Remove(uint32_t slot) = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_DISK_H_
