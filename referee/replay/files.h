// POSIX file operations for replays, the log and keys. Thread-safe.
//
// Every error names the file. Paths are the system's paths.
#ifndef REFEREE_REPLAY_FILES_H_
#define REFEREE_REPLAY_FILES_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// Owns a file descriptor.
class File {
 public:
  File() = default;
  explicit File(int fd) : fd_(fd) {}
  ~File();
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int fd() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

// open(2) with O_CLOEXEC added.
absl::StatusOr<File> OpenFile(const std::string& path, int flags, mode_t mode = 0);

// Writes all of `bytes` at the file offset: one write(2), more only after a partial write.
absl::Status WriteAll(int fd, absl::string_view bytes, const std::string& path);
// Writes all of `bytes` at `offset`; the file offset does not change.
absl::Status WriteAt(int fd, absl::string_view bytes, uint64_t offset, const std::string& path);

absl::Status FileTooLarge(absl::string_view path, size_t limit);
// Reads to the end. Returns FileTooLarge when there are more than `limit` bytes.
absl::StatusOr<std::string> ReadAll(int fd, size_t limit, const std::string& path);
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, size_t limit);

// Reads `size` bytes from `offset` on, or fewer at the end of the file.
absl::StatusOr<std::string> ReadAt(int fd, const std::string& path, uint64_t offset, size_t size);

// Flushes the data of a file to the disk.
absl::Status SyncData(int fd, const std::string& path);
// Flushes the directory of `path` to the disk.
absl::Status SyncFolderOf(const std::string& path);

// Returns the names in a folder, sorted, without hidden ones; none if the folder does not exist.
absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& folder);

// Makes a directory and its parents if they do not exist. With `sync`, new ones are on the disk
// when this returns.
absl::Status MakeDirectories(const std::string& path, mode_t mode, bool sync = false);

// Writes a file atomically: first as `path` + ".tmp", then renamed. With `sync` it is on the disk
// when this returns. After an error nothing is left behind.
absl::Status WriteFileWhole(const std::string& path, absl::string_view bytes, mode_t mode,
                            bool sync);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FILES_H_
