#include "referee/replay/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::replay {
namespace {

// Returns the folder that contains `path`.
std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::Status Sync(int fd, const std::string& path) {
  return fsync(fd) == 0 ? absl::OkStatus() : FileError("cannot write", path, errno);
}

}  // namespace

absl::Status FileTooLarge(absl::string_view path, size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": larger than the ", limit, " bytes that are read"));
}

absl::Status SyncData(int fd, const std::string& path) {
  return fdatasync(fd) == 0 ? absl::OkStatus() : FileError("cannot write", path, errno);
}

absl::Status SyncFolderOf(const std::string& path) {
  const absl::StatusOr<File> folder = OpenFile(FolderOf(path), O_RDONLY | O_DIRECTORY);
  return folder.ok() ? Sync(folder->fd(), path) : folder.status();
}

File::~File() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<File> OpenFile(const std::string& path, int flags, mode_t mode) {
  int fd;
  do {
    fd = open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd >= 0) return File(fd);
  return FileError((flags & O_ACCMODE) == O_RDONLY ? "cannot read" : "cannot write", path, errno);
}

absl::Status WriteAll(int fd, absl::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return FileError("cannot write", path, errno);
    }
  }
  return absl::OkStatus();
}

absl::Status WriteAt(int fd, absl::string_view bytes, uint64_t offset, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
      offset += static_cast<uint64_t>(written);
    } else if (errno != EINTR) {
      return FileError("cannot write", path, errno);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(int fd, size_t limit, const std::string& path) {
  constexpr size_t kFirstRead = 16 * 1024;
  std::string bytes;
  size_t size = 0;
  struct stat info;
  const bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
  if (regular && static_cast<size_t>(info.st_size) > limit) return FileTooLarge(path, limit);
  // One byte more than the file has: the read that fills the buffer also finds the end.
  bytes.resize(regular ? static_cast<size_t>(info.st_size) + 1 : kFirstRead);
  while (true) {
    if (size == bytes.size()) bytes.resize(2 * size);
    const ssize_t got = read(fd, &bytes[size], bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError("cannot read", path, errno);
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > limit) return FileTooLarge(path, limit);
  }
  bytes.resize(size);
  return bytes;
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path, size_t limit) {
  absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return file.status();
  return ReadAll(file->fd(), limit, path);
}

absl::StatusOr<std::string> ReadAt(int fd, const std::string& path, uint64_t offset, size_t size) {
  std::string bytes(size, '\0');
  size_t got = 0;
  while (got < size) {
    const ssize_t part = pread(fd, &bytes[got], size - got, static_cast<off_t>(offset + got));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return FileError("cannot read", path, errno);
    if (part == 0) break;
    got += static_cast<size_t>(part);
  }
  bytes.resize(got);
  return bytes;
}

absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const dir = opendir(folder.c_str());
  if (dir == nullptr && errno == ENOENT) return names;
  if (dir == nullptr) return FileError("cannot read", folder, errno);
  errno = 0;
  while (const dirent* const entry = readdir(dir)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    errno = 0;
  }
  const int error_number = errno;
  closedir(dir);
  if (error_number != 0) return FileError("cannot read", folder, error_number);
  std::sort(names.begin(), names.end());
  return names;
}

absl::Status MakeDirectories(const std::string& path, mode_t mode, bool sync) {
  const auto made = [&] { return sync ? SyncFolderOf(path) : absl::OkStatus(); };
  if (mkdir(path.c_str(), mode) == 0) return made();
  const int error_number = errno;
  struct stat info;
  if (error_number == EEXIST && stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return absl::OkStatus();
  }
  const std::string above = FolderOf(path);
  if (error_number != ENOENT || above == path) {
    return FileError("cannot make directory", path, error_number);
  }
  if (absl::Status s = MakeDirectories(above, mode, sync); !s.ok()) return s;
  if (mkdir(path.c_str(), mode) == 0 || errno == EEXIST) return made();
  return FileError("cannot make directory", path, errno);
}

absl::Status WriteFileWhole(const std::string& path, absl::string_view bytes, mode_t mode,
                            bool sync) {
  const std::string temporary = path + ".tmp";
  absl::StatusOr<File> file = OpenFile(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode);
  if (!file.ok()) return file.status();
  absl::Status status = WriteAll(file->fd(), bytes, temporary);
  if (status.ok() && sync) status = Sync(file->fd(), temporary);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = FileError("cannot write", path, errno);
  }
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return sync ? SyncFolderOf(path) : absl::OkStatus();
}

}  // namespace referee::replay
