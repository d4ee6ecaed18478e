// The memory of a log: what was written to its segments and is not in their files yet. It is mapped
// files of a folder, so that it survives the process. In one that is in memory itself (a tmpfs,
// such as /dev/shm) it is lost with the machine, and a store into it waits for no disk.
//
// <base>/referee-<device>-<inode>-<number>/<slot>.log, with those that the folder of the log has,
// so that a copy of a data directory does not share its memory, and a number that is drawn at each
// start; or <data_dir>/memory/<slot>.log, without a base. Mode 0600, in a folder of mode 0700.
// Which base and number, <data_dir>/log/memory says.
#ifndef REFEREE_REPLAY_LOG_MEMORY_H_
#define REFEREE_REPLAY_LOG_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// Where Linux has such a folder.
inline constexpr char kSharedMemory[] = "/dev/shm";

// <data_dir>/log
std::string LogDir(const std::string& data_dir);
// The slots that have a file <slot>.log in a folder, in order; none if there is no such folder.
absl::StatusOr<std::vector<uint32_t>> SlotsIn(const std::string& folder);

// Thread-safe. At most one per data directory makes and removes something.
class LogMemory {
 public:
  // Of one slot. Destroying it leaves them for whoever reads the slot.
  class Bytes {
   public:
    Bytes(std::string path, char* data, size_t size)
        : path_(std::move(path)), data_(data), size_(size) {}
    ~Bytes();
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    char* data() const { return data_; }
    size_t size() const { return size_; }
    // Leaves the slot without bytes. The destructor frees these, which may take a millisecond.
    void Drop() const;

   private:
    const std::string path_;
    char* const data_;
    const size_t size_;
  };

  // To be made.
  LogMemory(std::string data_dir, std::string base);
  // Where the referee that ran last on a data directory had it.
  static LogMemory Of(const std::string& data_dir);

  // Makes the folder, and notes in the data directory where it is. Removes folders beside it of
  // data directories that are not there any more. REQUIRES: the folder of the log is there. Returns
  // the error of the system.
  absl::Status Make() const;
  // Removes the folder, if there are no bytes in it.
  void Leave() const;

  // Bytes for a slot, zeros, for all of which there is room; what it had is gone. Returns
  // ResourceExhausted when there is none.
  absl::StatusOr<std::shared_ptr<Bytes>> Begin(uint32_t slot, size_t size) const;
  // The slots that have bytes.
  std::vector<uint32_t> Slots() const;
  // Returns NotFound when it has none.
  absl::StatusOr<std::string> Read(uint32_t slot) const;
  void Remove(uint32_t slot) const;

 private:
  LogMemory(std::string data_dir, std::string base, std::string number)
      : data_dir_(std::move(data_dir)), base_(std::move(base)), number_(std::move(number)) {}

  absl::StatusOr<std::string> Folder() const;
  absl::StatusOr<std::string> PathOf(uint32_t slot) const;
  // Says in the folder whose it is.
  absl::Status NoteOwner(const std::string& folder) const;
  void Sweep() const;

  const std::string data_dir_;
  const std::string base_;
  const std::string number_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_MEMORY_H_
