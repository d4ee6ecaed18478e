#include "referee/replay/log_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "referee/base/clock.h"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/replay/files.h"
#include "referee/replay/log_format.h"

namespace referee::replay {
namespace {

// Fills a new segment with zeros. Otherwise a sync of its first writes would write more than their
// bytes. Writes one page at a time, because the system keeps pages of one write together. A sync of
// one dirty page would then write all of them, up to a mebibyte.
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

// Returns whether a segment in memory is newer than its file. If not, it was never begun, or a
// program that knows no memory has used the file since.
bool IsAhead(absl::string_view memory, absl::string_view file) {
  bool damaged = false;
  const absl::StatusOr<LogHead> ours = ReadLogHead(memory, &damaged);
  const absl::StatusOr<LogHead> theirs = ReadLogHead(file, &damaged);
  if (!theirs.ok()) return false;  // of a newer program
  if (!ours.ok()) return true;     // of a newer program
  if (ours->number == theirs->number) return ours->number != 0 && ours->salt == theirs->salt;
  return ours->number > theirs->number;
}

}  // namespace

class LogFolder::FileSegment final : public LogSegment {
 public:
  FileSegment(LogFolder* folder, uint32_t slot, File file, size_t size)
      : folder_(folder),
        slot_(slot),
        path_(folder->NameOf(slot)),
        file_(std::move(file)),
        size_(size) {}

  size_t size() const override { return size_; }

  absl::Status Write(size_t offset, absl::string_view bytes) override {
    if (offset > size_ || bytes.size() > size_ - offset) {
      return absl::InternalError(
          absl::StrCat(path_, ": a write to byte ", offset + bytes.size(), " of ", size_));
    }
    const WriteHook& hook = folder_->at_write_;
    const bool frame = offset >= kLogPageBytes && bytes.size() > kNoFrame.size();
    if (!hook || !frame) return WriteNow(offset, bytes);
    WritePoint point;
    point.write = folder_->writes_.fetch_add(1, std::memory_order_relaxed) + 1;
    point.bytes = bytes.size();
    while (true) {
      const size_t wanted = hook(point);
      if (point.written == point.bytes) return absl::OkStatus();
      const size_t left = point.bytes - point.written;
      const size_t part = wanted == 0 ? left : std::min(wanted, left);
      const absl::Status written =
          WriteNow(offset + point.written, bytes.substr(point.written, part));
      if (!written.ok()) return written;
      point.written += part;
    }
  }

  absl::Status Hold() override {
    absl::StatusOr<std::shared_ptr<LogMemory::Bytes>> memory = folder_->memory_.Begin(slot_, size_);
    if (!memory.ok()) return memory.status();
    MutexLock lock(&mutex_);
    memory_ = *std::move(memory);
    return absl::OkStatus();
  }

  absl::Status Save(size_t begin, size_t end, bool lasts) override {
    const Instant from = SystemClock().Now();
    const absl::Status saved = SaveNow(begin, end, lasts);
    if (lasts && folder_->on_synced_) folder_->on_synced_(SystemClock().Now() - from);
    return saved;
  }

  std::shared_ptr<void> Release() override {
    MutexLock lock(&mutex_);
    if (memory_ != nullptr) memory_->Drop();
    return std::exchange(memory_, nullptr);
  }

 private:
  absl::Status WriteNow(size_t offset, absl::string_view bytes) {
    MutexLock lock(&mutex_);
    if (memory_ == nullptr) return WriteAt(file_.fd(), bytes, offset, path_);
    std::memcpy(memory_->data() + offset, bytes.data(), bytes.size());
    return absl::OkStatus();
  }

  std::shared_ptr<LogMemory::Bytes> Memory() const {
    MutexLock lock(&mutex_);
    return memory_;
  }

  absl::Status SaveNow(size_t begin, size_t end, bool lasts) {
    if (folder_->at_sync_) {
      folder_->at_sync_(folder_->syncs_.fetch_add(1, std::memory_order_relaxed) + 1);
    }
    absl::Status saved;
    if (const std::shared_ptr<LogMemory::Bytes> memory = Memory()) {
      saved = WriteAt(file_.fd(), {memory->data() + begin, end - begin}, begin, path_);
      const absl::string_view behind = kNoFrame.substr(0, size_ - end);
      if (saved.ok()) saved = WriteAt(file_.fd(), behind, end, path_);
    } else if (failed_.load(std::memory_order_relaxed)) {
      saved = WriteAgain(begin, end);
    }
    if (saved.ok() && lasts) saved = SyncData(file_.fd(), path_);
    if (!saved.ok()) failed_.store(true, std::memory_order_relaxed);
    return saved;
  }
  // After a failed write the system considers the page clean, so write it again.
  absl::Status WriteAgain(size_t begin, size_t end) const {
    const absl::StatusOr<std::string> bytes = ReadAt(file_.fd(), path_, begin, end - begin);
    return bytes.ok() ? WriteAt(file_.fd(), *bytes, begin, path_) : bytes.status();
  }

  LogFolder* const folder_;
  const uint32_t slot_;
  const std::string path_;
  const File file_;
  const size_t size_;
  std::atomic<bool> failed_{false};  // a save has failed
  mutable Mutex mutex_;
  std::shared_ptr<LogMemory::Bytes> memory_ ABSL_GUARDED_BY(mutex_);  // null: writes go to the file
};

absl::Status LogFolder::Make() const {
  if (absl::Status s = MakeDirectories(LogDir(data_dir_), 0700); !s.ok()) return s;
  if (absl::Status s = Of(data_dir_).Settle(); !s.ok()) return s;
  return memory_.Make();
}

absl::Status LogFolder::Settle() const {
  for (const uint32_t slot : memory_.Slots()) {
    const std::string path = NameOf(slot);
    const absl::StatusOr<std::string> bytes = Read(slot);
    if (!bytes.ok() && !absl::IsNotFound(bytes.status())) return bytes.status();
    if (bytes.ok()) {
      const absl::StatusOr<File> file = OpenFile(path, O_WRONLY);
      if (!file.ok()) return file.status();
      absl::Status saved = WriteAt(file->fd(), *bytes, 0, path);
      if (saved.ok()) saved = SyncData(file->fd(), path);
      if (!saved.ok()) return saved;
    }
    memory_.Remove(slot);
  }
  memory_.Leave();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<uint32_t>> LogFolder::Slots() const {
  return SlotsIn(LogDir(data_dir_));
}

std::string LogFolder::NameOf(uint32_t slot) const {
  return absl::StrCat(LogDir(data_dir_), "/", slot, ".log");
}

// Reads the memory first: bytes saved meanwhile are then in the file.
absl::StatusOr<std::string> LogFolder::Read(uint32_t slot) const {
  absl::StatusOr<std::string> memory = memory_.Read(slot);
  absl::StatusOr<std::string> file = ReadWholeFile(NameOf(slot), kMaxLogSegmentBytes);
  if (!memory.ok() || !file.ok()) return file;
  return IsAhead(*memory, *file) ? memory : file;
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
    // A read of the whole file has cached it in large pieces, which a sync would write whole (see
    // above).
    posix_fadvise(file->fd(), 0, 0, POSIX_FADV_DONTNEED);
  }
  return std::make_unique<FileSegment>(this, slot, *std::move(file), size);
}

absl::Status LogFolder::Remove(uint32_t slot) {
  memory_.Remove(slot);
  const std::string path = NameOf(slot);
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return FileError("cannot remove", path, errno);
}

}  // namespace referee::replay
