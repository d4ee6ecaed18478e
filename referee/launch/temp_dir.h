// A private temporary directory, removed with all its content when this is destroyed; and if its
// process dies before, by the next that makes one: it holds a lock on a file in it while it lives.
#ifndef REFEREE_LAUNCH_TEMP_DIR_H_
#define REFEREE_LAUNCH_TEMP_DIR_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace referee::launch {

// Thread-compatible.
class TempDir {
 public:
  // Removes those that dead processes of this user have left, and makes one that only this user can
  // enter, below $TMPDIR, or /tmp if that is not set or its name
  // too long for a socket in it. Returns an error that names the place.
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
