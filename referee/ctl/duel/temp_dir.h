// A private temporary directory, removed with all its content when this is destroyed.
#ifndef REFEREE_CTL_DUEL_TEMP_DIR_H_
#define REFEREE_CTL_DUEL_TEMP_DIR_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace referee::ctl {

// Thread-compatible.
class TempDir {
 public:
  // Makes one that only this user can enter, below $TMPDIR, or /tmp if that is not set or its name
  // too long for a socket in it. Returns an error that names the place.
  static absl::StatusOr<TempDir> Make();

  ~TempDir();
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TempDir& operator=(TempDir&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }

  const std::string& path() const { return path_; }

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_TEMP_DIR_H_
