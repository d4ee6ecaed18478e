// The memory of a log: mapped files with the bytes of segments that are not saved yet.
//
// The files survive the process. In a file system in memory (a tmpfs such as /dev/shm) they are
// lost with the machine, and a store into them waits for no disk.
//
// Path: <base>/referee-<device>-<inode>-<number>/<slot>.log, or <data_dir>/memory/<slot>.log
// without a base. Device and inode are those of the log folder, so that a copy of a data directory
// has its own memory. The number is random at each start. <data_dir>/log/memory records base and
// number. Files have mode 0600, folders 0700.
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

// The usual tmpfs of Linux.
inline constexpr char kSharedMemory[] = "/dev/shm";

// Returns <data_dir>/log.
std::string LogDir(const std::string& data_dir);
// Returns the slots with a file <slot>.log in a folder, in order; none if the folder does not
// exist.
absl::StatusOr<std::vector<uint32_t>> SlotsIn(const std::string& folder);

// Thread-safe. At most one per data directory may make or remove files.
class LogMemory {
 public:
  // The memory of one slot. Destroying the object keeps the file.
  class Bytes {
   public:
    Bytes(std::string path, char* data, size_t size)
        : path_(std::move(path)), data_(data), size_(size) {}
    ~Bytes();
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    char* data() const { return data_; }
    size_t size() const { return size_; }
    // Removes the file of the slot. The destructor frees the memory, which may take a millisecond.
    void Drop() const;

   private:
    const std::string path_;
    char* const data_;
    const size_t size_;
  };

  // A new memory; see Make.
  LogMemory(std::string data_dir, std::string base);
  // The memory of the last referee that ran on a data directory.
  static LogMemory Of(const std::string& data_dir);

  // Makes the folder, and records its place in the data directory. Removes abandoned folders beside
  // it, of data directories that no longer exist. Returns the error of the system. REQUIRES: the
  // log folder exists.
  absl::Status Make() const;
  // Removes the folder, if it is empty.
  void Leave() const;

  // Makes zeroed memory for a slot, with its room allocated; drops the slot's old memory. Returns
  // ResourceExhausted when there is no room.
  absl::StatusOr<std::shared_ptr<Bytes>> Begin(uint32_t slot, size_t size) const;
  // Returns the slots that have memory.
  std::vector<uint32_t> Slots() const;
  // Returns NotFound when the slot has no memory.
  absl::StatusOr<std::string> Read(uint32_t slot) const;
  void Remove(uint32_t slot) const;

 private:
  LogMemory(std::string data_dir, std::string base, std::string number)
      : data_dir_(std::move(data_dir)), base_(std::move(base)), number_(std::move(number)) {}

  absl::StatusOr<std::string> Folder() const;
  absl::StatusOr<std::string> PathOf(uint32_t slot) const;
  // Writes the name of the data directory into the folder.
  absl::Status NoteOwner(const std::string& folder) const;
  void Sweep() const;

  const std::string data_dir_;
  const std::string base_;
  const std::string number_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_MEMORY_H_
