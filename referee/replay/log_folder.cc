#include "referee/replay/log_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/clock.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/log_format.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kLogSuffix = ".log";

// Where a segment of which the writes must last is written for the first time, a sync would have to
// write more than what was written: so it is filled with zeros before. Page by page, since the
// system keeps together what is written at once: a store into a page of it would have a sync write
// all of that, up to a mebibyte.
absl::Status FillWithZeros(int fd, size_t bytes, const std::string& path) {
  const std::string zeros(kLogPageBytes, '\0');
  for (size_t done = 0; done < bytes; done += zeros.size()) {
    const absl::string_view part = absl::string_view(zeros).substr(0, bytes - done);
    if (absl::Status s = WriteAll(fd, part, path); !s.ok()) return s;
  }
  if (absl::Status s = SyncData(fd, path); !s.ok()) return s;
  return SyncFolderOf(path);
}

absl::Status Fill(int fd, size_t bytes, bool lasts, const std::string& path) {
  const int error = posix_fallocate(fd, 0, static_cast<off_t>(bytes));
  if (error != 0) return FileError("cannot make", path, error);
  return lasts ? FillWithZeros(fd, bytes, path) : absl::OkStatus();
}

}  // namespace

std::string LogDir(const std::string& data_dir) { return data_dir + "/log"; }

class LogFolder::MappedSegment final : public LogSegment {
 public:
  MappedSegment(LogFolder* folder, std::string path, char* bytes, size_t size)
      : folder_(folder), path_(std::move(path)), bytes_(bytes), size_(size) {}
  ~MappedSegment() override { munmap(bytes_, size_); }
  MappedSegment(const MappedSegment&) = delete;
  MappedSegment& operator=(const MappedSegment&) = delete;

  size_t size() const override { return size_; }

  absl::Status Write(size_t offset, absl::string_view bytes) override {
    if (offset > size_ || bytes.size() > size_ - offset) {
      return absl::InternalError(
          absl::StrCat(path_, ": a write to byte ", offset + bytes.size(), " of ", size_));
    }
    const WriteHook& hook = folder_->at_write_;
    const bool frame = offset >= kLogPageBytes && bytes.size() > kNoFrame.size();
    if (!hook || !frame) {
      std::memcpy(bytes_ + offset, bytes.data(), bytes.size());
      return absl::OkStatus();
    }
    WritePoint point;
    point.write = folder_->writes_.fetch_add(1, std::memory_order_relaxed) + 1;
    point.bytes = bytes.size();
    while (true) {
      const size_t wanted = hook(point);
      if (point.written == point.bytes) return absl::OkStatus();
      const size_t left = point.bytes - point.written;
      const size_t part = wanted == 0 ? left : std::min(wanted, left);
      std::memcpy(bytes_ + offset + point.written, bytes.data() + point.written, part);
      point.written += part;
    }
  }

  void Prepare(size_t begin, size_t end) override {
#ifdef MADV_POPULATE_WRITE
    begin -= begin % kLogPageBytes;
    madvise(bytes_ + begin, std::min(end, size_) - begin, MADV_POPULATE_WRITE);
#endif
  }

  absl::Status Sync(size_t begin, size_t end) override {
    const Instant from = SystemClock().Now();
    const absl::Status synced = SyncNow(begin, end);
    if (folder_->on_synced_) folder_->on_synced_(SystemClock().Now() - from);
    return synced;
  }

 private:
  absl::Status SyncNow(size_t begin, size_t end) {
    if (folder_->at_sync_) {
      folder_->at_sync_(folder_->syncs_.fetch_add(1, std::memory_order_relaxed) + 1);
    }
    begin -= begin % kLogPageBytes;
    if (failed_.load(std::memory_order_relaxed)) Touch(begin, end);
    const bool synced = msync(bytes_ + begin, end - begin, MS_SYNC) == 0;
    if (!synced) failed_.store(true, std::memory_order_relaxed);
    return synced ? absl::OkStatus() : FileError("cannot write", path_, errno);
  }
  // The system takes a page that it could not write for written.
  void Touch(size_t begin, size_t end) {
    for (size_t page = begin; page < end; page += kLogPageBytes) {
      volatile char* const byte = bytes_ + page;
      *byte = *byte;
    }
  }

  LogFolder* const folder_;
  const std::string path_;
  char* const bytes_;
  const size_t size_;
  std::atomic<bool> failed_{false};  // a sync has, once
};

absl::Status LogFolder::Make() const { return MakeDirectories(folder_, 0700); }

absl::StatusOr<std::vector<uint32_t>> LogFolder::Slots() const {
  std::vector<uint32_t> slots;
  DIR* const dir = opendir(folder_.c_str());
  if (dir == nullptr && errno == ENOENT) return slots;
  if (dir == nullptr) return FileError("cannot read", folder_, errno);
  while (const dirent* const entry = readdir(dir)) {
    absl::string_view name = entry->d_name;
    uint32_t slot;
    if (absl::ConsumeSuffix(&name, kLogSuffix) && absl::SimpleAtoi(name, &slot))
      slots.push_back(slot);
  }
  closedir(dir);
  std::sort(slots.begin(), slots.end());
  return slots;
}

std::string LogFolder::NameOf(uint32_t slot) const {
  return absl::StrCat(folder_, "/", slot, kLogSuffix);
}

absl::StatusOr<std::string> LogFolder::Read(uint32_t slot) const {
  return ReadWholeFile(NameOf(slot), kMaxLogSegmentBytes);
}

absl::StatusOr<std::unique_ptr<LogSegment>> LogFolder::Open(uint32_t slot, size_t bytes,
                                                            bool lasts) {
  const std::string path = NameOf(slot);
  absl::StatusOr<File> file = OpenFile(path, O_RDWR | O_CREAT, 0600);
  if (!file.ok()) return file.status();
  struct stat info;
  if (fstat(file->fd(), &info) != 0) return FileError("cannot open", path, errno);
  size_t size = static_cast<size_t>(info.st_size);
  if (size == 0) {
    size = bytes;
    if (absl::Status filled = Fill(file->fd(), size, lasts, path); !filled.ok()) {
      unlink(path.c_str());
      return filled;
    }
  } else if (lasts) {
    // Who has read it as a whole has left it in memory in large pieces, of which the same holds.
    posix_fadvise(file->fd(), 0, 0, POSIX_FADV_DONTNEED);
  }
  void* const map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd(), 0);
  if (map == MAP_FAILED) return FileError("cannot map", path, errno);
  return std::make_unique<MappedSegment>(this, path, static_cast<char*>(map), size);
}

absl::Status LogFolder::Remove(uint32_t slot) {
  const std::string path = NameOf(slot);
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return FileError("cannot remove", path, errno);
}

}  // namespace referee::replay
