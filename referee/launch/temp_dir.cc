#include "referee/launch/temp_dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::launch {
namespace {

constexpr char kTemplate[] = "/refctl.XXXXXX";
constexpr char kPrefix[] = "refctl.";
constexpr char kLock[] = "/lock";
// Room for a file name in the directory.
constexpr size_t kLongestName = 24;

std::string Parent() {
  const char* given = getenv("TMPDIR");
  const std::string parent = given == nullptr ? "" : given;
  const size_t longest = sizeof(sockaddr_un::sun_path) - sizeof(kTemplate) - kLongestName;
  return parent.empty() || parent.size() > longest ? "/tmp" : parent;
}

// Locks the file under another name first, so that other processes only ever see it locked. Returns
// -1 on failure.
int Lock(const std::string& directory) {
  const std::string making = absl::StrCat(directory, kLock, ".new");
  const int fd = open(making.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return fd;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
      rename(making.c_str(), absl::StrCat(directory, kLock).c_str()) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}

// Whether a process of this user made the directory and has died.
bool IsLeft(const std::string& directory) {
  struct stat found;
  if (lstat(directory.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) ||
      found.st_uid != geteuid()) {
    return false;
  }
  const int fd = open(absl::StrCat(directory, kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  const bool left = flock(fd, LOCK_EX | LOCK_NB) == 0;
  close(fd);
  return left;
}

void RemoveLeft(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
    const std::string path = entry.path().string();
    if (!absl::StartsWith(entry.path().filename().string(), kPrefix) || !IsLeft(path)) continue;
    std::filesystem::remove_all(path, ignored);
  }
}

}  // namespace

absl::StatusOr<TempDir> TempDir::Make() {
  const std::string parent = Parent();
  RemoveLeft(parent);
  std::string path = absl::StrCat(parent, kTemplate);
  if (mkdtemp(path.data()) == nullptr) return FileError("cannot make a directory", path, errno);
  const int lock_fd = Lock(path);
  return TempDir(std::move(path), lock_fd);
}

TempDir::~TempDir() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (lock_fd_ >= 0) close(lock_fd_);
}

}  // namespace referee::launch
