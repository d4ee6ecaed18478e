// A private temporary directory that is removed with its content on destruction.
//
// If the process dies first, the next TempDir of the user removes the directory. A lock on a file
// in the directory shows whether its process lives.
#ifndef REFEREE_LAUNCH_TEMP_DIR_H_
#define REFEREE_LAUNCH_TEMP_DIR_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace referee::launch {

// Thread-compatible.
class TempDir {
 public:
  // Removes directories that dead processes of this user left, then makes a new one that only this
  // user can enter. The parent is $TMPDIR, or /tmp if that is unset or too long for the path of a
  // socket. Returns an error that names the directory.
  static absl::StatusOr<TempDir> Make();

  ~TempDir();
  TempDir(TempDir&& other) noexcept
      : path_(std::exchange(other.path_, "")), lock_fd_(std::exchange(other.lock_fd_, -1)) {}
  TempDir& operator=(TempDir&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_fd_, other.lock_fd_);
    return *this;
  }

  const std::string& path() const { return path_; }

 private:
  TempDir(std::string path, int lock_fd) : path_(std::move(path)), lock_fd_(lock_fd) {}

  std::string path_;
  int lock_fd_;
};

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_TEMP_DIR_H_
