#include "referee/replay/log_origin.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/log_memory.h"

namespace referee::replay {
namespace {

constexpr size_t kMaxOriginBytes = 64;

std::string OriginPath(const std::string& data_dir) { return LogDir(data_dir) + "/origin"; }

// Returns the inode and the creation time of a file. The time is zero where the file system has
// none.
absl::StatusOr<std::string> OriginOf(int fd, const std::string& path) {
  struct statx info {};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &info) != 0) {
    return FileError("cannot look at", path, errno);
  }
  const bool knows_birth = (info.stx_mask & STATX_BTIME) != 0;
  return absl::StrCat(info.stx_ino, " ", knows_birth ? info.stx_btime.tv_sec : 0, ".",
                      knows_birth ? info.stx_btime.tv_nsec : 0, "\n");
}

// Moves a folder, if it exists.
absl::Status Move(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return FileError("cannot move", from, errno);
}

// Makes a new folder with the next free number.
absl::StatusOr<std::string> MakeNumbered(const std::string& parent) {
  if (absl::Status s = MakeDirectories(parent, 0700); !s.ok()) return s;
  for (int number = 1;; ++number) {
    std::string path = absl::StrCat(parent, "/", number);
    if (mkdir(path.c_str(), 0700) == 0) return path;
    if (errno != EEXIST) return FileError("cannot make directory", path, errno);
  }
}

}  // namespace

absl::StatusOr<bool> IsCopiedLog(const std::string& data_dir, bool used) {
  const std::string path = OriginPath(data_dir);
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (absl::IsNotFound(file.status())) return used;
  if (!file.ok()) return file.status();
  const absl::StatusOr<std::string> said = ReadAll(file->fd(), kMaxOriginBytes, path);
  if (!said.ok()) return said.status();
  const absl::StatusOr<std::string> origin = OriginOf(file->fd(), path);
  if (!origin.ok()) return origin.status();
  return *said != *origin;
}

absl::StatusOr<std::string> MoveCopiedLog(const std::string& data_dir) {
  absl::StatusOr<std::string> folder = MakeNumbered(data_dir + "/copied");
  if (!folder.ok()) return folder;
  // Move the log last: its origin shows that it is a copy, so an interrupted move can be repeated.
  absl::Status moved = Move(data_dir + "/memory", *folder + "/memory");
  if (moved.ok()) moved = Move(LogDir(data_dir), *folder + "/log");
  if (moved.ok()) moved = SyncFolderOf(LogDir(data_dir));
  if (!moved.ok()) return moved;
  return folder;
}

absl::Status MarkLog(const std::string& data_dir) {
  if (absl::Status s = MakeDirectories(LogDir(data_dir), 0700); !s.ok()) return s;
  const std::string path = OriginPath(data_dir);
  const std::string made = path + ".new";
  unlink(made.c_str());
  const absl::StatusOr<File> file = OpenFile(made, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file.ok()) return file.status();
  const absl::StatusOr<std::string> origin = OriginOf(file->fd(), made);
  if (!origin.ok()) return origin.status();
  absl::Status written = WriteAll(file->fd(), *origin, made);
  if (written.ok()) written = SyncData(file->fd(), made);
  if (!written.ok()) return written;
  return rename(made.c_str(), path.c_str()) == 0 ? absl::OkStatus()
                                                 : FileError("cannot write", path, errno);
}

}  // namespace referee::replay
