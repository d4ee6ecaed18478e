#include "referee/replay/log_memory.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/log_format.h"

namespace referee::replay {
namespace {

absl::Status NoLogMemory(const absl::Status& why) {
  return absl::Status(
      why.code(), absl::StrCat("the log needs memory that survives this process: ", why.message(),
                               ", or name another folder with --log-memory"));
}

constexpr absl::string_view kPrefix = "referee-";
constexpr absl::string_view kSuffix = ".log";
constexpr absl::string_view kOwnerFile = "/of";
constexpr size_t kMaxNoteBytes = 64 * 1024;

// The file in a data directory that records where its memory is.
std::string NotePath(const std::string& data_dir) { return LogDir(data_dir) + "/memory"; }

// Identifies the mount namespace: paths mean the same in processes with equal text.
std::string Namespace() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/ns/mnt", error).string();
}

std::string DrawNumber() {
  uint64_t number = 0;
  randombytes_buf(&number, sizeof(number));
  return absl::StrCat(absl::Hex(number, absl::kZeroPad16));
}

// Returns whether a folder is this user's, and its data directory, visible from here, no longer
// exists. Does not open files of other users.
bool IsAbandoned(const std::string& folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) {
    return false;
  }
  const absl::StatusOr<std::string> owner =
      ReadWholeFile(absl::StrCat(folder, kOwnerFile), kMaxNoteBytes);
  if (!owner.ok()) return false;
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(*owner, absl::MaxSplits('\n', 1));
  if (parts.first.empty() || parts.first != Namespace()) return false;
  return access(LogDir(std::string(absl::StripSuffix(parts.second, "\n"))).c_str(), F_OK) != 0 &&
         errno == ENOENT;
}

}  // namespace

std::string LogDir(const std::string& data_dir) { return data_dir + "/log"; }

absl::StatusOr<std::vector<uint32_t>> SlotsIn(const std::string& folder) {
  const absl::StatusOr<std::vector<std::string>> names = NamesIn(folder);
  if (!names.ok()) return names.status();
  std::vector<uint32_t> slots;
  for (absl::string_view name : *names) {
    uint32_t slot;
    if (absl::ConsumeSuffix(&name, kSuffix) && absl::SimpleAtoi(name, &slot)) slots.push_back(slot);
  }
  std::sort(slots.begin(), slots.end());
  return slots;
}

LogMemory::Bytes::~Bytes() { munmap(data_, size_); }

void LogMemory::Bytes::Drop() const { unlink(path_.c_str()); }

LogMemory::LogMemory(std::string data_dir, std::string base)
    : LogMemory(std::move(data_dir), std::move(base), DrawNumber()) {}

LogMemory LogMemory::Of(const std::string& data_dir) {
  const absl::StatusOr<std::string> note = ReadWholeFile(NotePath(data_dir), kMaxNoteBytes);
  if (!note.ok()) return {data_dir, "", ""};
  const std::pair<std::string, std::string> parts = absl::StrSplit(*note, absl::MaxSplits('\n', 1));
  return {data_dir, parts.first, std::string(absl::StripSuffix(parts.second, "\n"))};
}

absl::StatusOr<std::string> LogMemory::Folder() const {
  if (base_.empty()) return data_dir_ + "/memory";
  const std::string log = LogDir(data_dir_);
  struct stat info;
  if (stat(log.c_str(), &info) != 0) return FileError("cannot use", log, errno);
  return absl::StrCat(base_, "/", kPrefix, info.st_dev, "-", info.st_ino, "-", number_);
}

absl::StatusOr<std::string> LogMemory::PathOf(uint32_t slot) const {
  absl::StatusOr<std::string> folder = Folder();
  if (folder.ok()) absl::StrAppend(&*folder, "/", slot, kSuffix);
  return folder;
}

absl::Status LogMemory::Make() const {
  const absl::StatusOr<std::string> folder = Folder();
  if (!folder.ok()) return folder.status();
  if (mkdir(folder->c_str(), 0700) != 0 && (errno != EEXIST || !base_.empty())) {
    return NoLogMemory(FileError("cannot make directory", *folder, errno));
  }
  if (base_.empty()) {
    unlink(NotePath(data_dir_).c_str());
    return absl::OkStatus();
  }
  Sweep();
  const std::string note = absl::StrCat(base_, "\n", number_, "\n");
  absl::Status noted = WriteFileWhole(NotePath(data_dir_), note, 0600, /*sync=*/false);
  if (noted.ok()) noted = NoteOwner(*folder);
  return noted;
}

absl::Status LogMemory::NoteOwner(const std::string& folder) const {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(data_dir_, error);
  if (error) return FileError("cannot use", data_dir_, error.value());
  const std::string owner = absl::StrCat(Namespace(), "\n", path.string(), "\n");
  return WriteFileWhole(absl::StrCat(folder, kOwnerFile), owner, 0600, /*sync=*/false);
}

void LogMemory::Sweep() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(base_, error)) {
    const std::string path = entry.path().string();
    if (!absl::StartsWith(entry.path().filename().string(), kPrefix)) continue;
    if (IsAbandoned(path)) std::filesystem::remove_all(path, error);
  }
}

void LogMemory::Leave() const {
  const absl::StatusOr<std::string> folder = Folder();
  if (!folder.ok() || !Slots().empty()) return;
  unlink(absl::StrCat(*folder, kOwnerFile).c_str());
  rmdir(folder->c_str());
}

absl::StatusOr<std::shared_ptr<LogMemory::Bytes>> LogMemory::Begin(uint32_t slot,
                                                                   size_t size) const {
  const absl::StatusOr<std::string> path = PathOf(slot);
  if (!path.ok()) return path.status();
  const absl::StatusOr<File> file = OpenFile(*path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  if (!file.ok()) return NoLogMemory(file.status());
  if (const int error = posix_fallocate(file->fd(), 0, static_cast<off_t>(size)); error != 0) {
    unlink(path->c_str());
    return NoLogMemory(FileError("cannot make", *path, error));
  }
  void* const map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd(), 0);
  if (map == MAP_FAILED) {
    const int error = errno;
    unlink(path->c_str());
    return FileError("cannot map", *path, error);
  }
  return std::make_shared<Bytes>(*path, static_cast<char*>(map), size);
}

std::vector<uint32_t> LogMemory::Slots() const {
  const absl::StatusOr<std::string> folder = Folder();
  if (!folder.ok()) return {};
  return SlotsIn(*folder).value_or(std::vector<uint32_t>());
}

absl::StatusOr<std::string> LogMemory::Read(uint32_t slot) const {
  const absl::StatusOr<std::string> path = PathOf(slot);
  return path.ok() ? ReadWholeFile(*path, kMaxLogSegmentBytes) : path.status();
}

void LogMemory::Remove(uint32_t slot) const {
  if (const absl::StatusOr<std::string> path = PathOf(slot); path.ok()) unlink(path->c_str());
}

}  // namespace referee::replay
