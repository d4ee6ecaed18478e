#include "referee/replay/ledger.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kLedgerKind = "refldgr";
constexpr char kLedgerVersion = 1;
constexpr absl::string_view kLedgerMagic("refldgr\x01", 8);  // with the version
constexpr size_t kGenerationBytes = 8;
constexpr size_t kLedgerHeaderBytes = 16;  // magic, generation
constexpr size_t kLedgerFrameBytes = 8;    // size, checksum
constexpr size_t kIdBytes = 26;
constexpr size_t kEntryHeaderBytes = kGenerationBytes + 1 + kIdBytes;  // generation, kind, id
constexpr size_t kGrowBytes = 1 << 20;
// While the other file is not free, a file takes so many times what it should.
constexpr size_t kOverfull = 4;

std::string PathOf(const std::string& folder, size_t index) {
  return absl::StrCat(folder, "/ledger.", index);
}

void AppendGeneration(uint64_t generation, std::string* out) {
  AppendU32(static_cast<uint32_t>(generation), out);
  AppendU32(static_cast<uint32_t>(generation >> 32), out);
}

uint64_t GetGeneration(absl::string_view bytes) {
  return GetU32(bytes) | static_cast<uint64_t>(GetU32(bytes.substr(4))) << 32;
}

// Takes an entry of `generation` off the front of `*rest`. Returns false if there is none: the end,
// a torn one, or one of an earlier generation, which was there before.
bool TakeEntry(uint64_t generation, absl::string_view* rest, Ledger::Entry* entry) {
  if (rest->size() < kLedgerFrameBytes) return false;
  const size_t size = GetU32(*rest);
  const uint32_t checksum = GetU32(rest->substr(4));
  absl::string_view body = rest->substr(kLedgerFrameBytes);
  if (size < kEntryHeaderBytes || size > body.size()) return false;
  body = body.substr(0, size);
  if (Crc32c(body) != checksum || GetGeneration(body) != generation) return false;
  const auto kind = static_cast<Ledger::Kind>(body[kGenerationBytes]);
  absl::StatusOr<MatchId> id = MatchId::Parse(body.substr(kGenerationBytes + 1, kIdBytes));
  if (!id.ok() || (kind != Ledger::Kind::kOpening && kind != Ledger::Kind::kReplay)) return false;
  *entry = {kind, *std::move(id), std::string(body.substr(kEntryHeaderBytes))};
  *rest = rest->substr(kLedgerFrameBytes + size);
  return true;
}

struct Found {
  uint64_t generation = 0;
  std::vector<Ledger::Entry> entries;
};

// A file that is cut before its entries, as after a loss of power, has none.
absl::Status CheckVersion(absl::string_view bytes, const std::string& path) {
  if (bytes.size() < kLedgerHeaderBytes || bytes.substr(0, kLedgerKind.size()) != kLedgerKind) {
    return absl::OkStatus();
  }
  const auto version = static_cast<uint8_t>(bytes[kLedgerKind.size()]);
  if (version == kLedgerVersion) return absl::OkStatus();
  return UnknownJournal(path,
                        UnknownVersion(kLedgerKind.size(), "a ledger", version, kLedgerVersion));
}

Found ReadEntries(absl::string_view bytes) {
  Found found;
  if (bytes.size() < kLedgerHeaderBytes || bytes.substr(0, kLedgerMagic.size()) != kLedgerMagic)
    return found;
  found.generation = GetGeneration(bytes.substr(kLedgerMagic.size()));
  bytes.remove_prefix(kLedgerHeaderBytes);
  Ledger::Entry entry;
  while (TakeEntry(found.generation, &bytes, &entry)) found.entries.push_back(std::move(entry));
  return found;
}

absl::Status WriteAt(int fd, absl::string_view bytes, size_t offset, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError("cannot write", path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<size_t>(written);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Ledger::Entry>> Ledger::Read(const std::string& folder) {
  std::array<Found, kFiles> found;
  for (size_t i = 0; i < kFiles; ++i) {
    const absl::StatusOr<std::string> bytes =
        ReadWholeFile(PathOf(folder, i), std::numeric_limits<size_t>::max());
    if (absl::IsNotFound(bytes.status())) continue;
    if (!bytes.ok()) return bytes.status();
    if (absl::Status s = CheckVersion(*bytes, PathOf(folder, i)); !s.ok()) return s;
    found[i] = ReadEntries(*bytes);
  }
  if (found[1].generation < found[0].generation) std::swap(found[0], found[1]);
  std::vector<Entry> entries = std::move(found[0].entries);
  std::move(found[1].entries.begin(), found[1].entries.end(), std::back_inserter(entries));
  return entries;
}

absl::Status Ledger::MoveTo(const std::string& folder, const std::string& aside) {
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = PathOf(folder, i);
    if (rename(path.c_str(), PathOf(aside, i).c_str()) != 0 && errno != ENOENT) {
      return FileError("cannot move", path, errno);
    }
  }
  return SyncFolderOf(PathOf(aside, 0));
}

absl::Status Ledger::Remove(const std::string& folder) {
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = PathOf(folder, i);
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return FileError("cannot remove", path, errno);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Ledger>> Ledger::Start(Options options) {
  Files files;
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = PathOf(options.folder, i);
    absl::StatusOr<File> file = OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!file.ok()) return file.status();
    if (absl::Status s = SyncData(file->fd(), path); !s.ok()) return s;
    files[i] = *std::move(file);
  }
  if (absl::Status s = SyncFolderOf(PathOf(options.folder, 0)); !s.ok()) return s;
  return std::unique_ptr<Ledger>(new Ledger(std::move(options), std::move(files)));
}

Ledger::Ledger(Options options, Files files)
    : options_(std::move(options)),
      files_(std::move(files)),
      checkpoints_([this] { Checkpoints(); }) {}

Ledger::~Ledger() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  full_.NotifyAll();
  checkpoints_.join();
}

// Whoever finds nobody writing writes for all who wait; those who come meanwhile are the next
// batch.
absl::Status Ledger::Append(Kind kind, const MatchId& id, absl::string_view bytes) {
  Waiting self{kind, &id, bytes, /*done=*/false, absl::OkStatus()};
  std::vector<Waiting*> batch;
  {
    MutexLock lock(&mutex_);
    queue_.push_back(&self);
    while (!self.done && (writing_ || overfull())) written_.Wait(&mutex_);
    if (self.done) return self.status;
    writing_ = true;
    batch.swap(queue_);
    if (!checkpointed_.ok()) self.status = checkpointed_;
  }
  const absl::Status written = self.status.ok() ? Write(batch) : self.status;
  {
    MutexLock lock(&mutex_);
    for (Waiting* const one : batch) {
      one->done = true;
      one->status = written;
    }
    writing_ = false;
    TurnOver();
  }
  written_.NotifyAll();
  return written;
}

bool Ledger::overfull() const {
  return checkpoint_due_ && checkpointed_.ok() && size_ >= kOverfull * options_.file_bytes;
}

absl::Status Ledger::Write(const std::vector<Waiting*>& batch) {
  frames_.clear();
  if (size_ == 0) {
    frames_.append(kLedgerMagic.data(), kLedgerMagic.size());
    AppendGeneration(generation_, &frames_);
  }
  for (const Waiting* const one : batch) {
    const size_t start = frames_.size();
    frames_.append(kLedgerFrameBytes, '\0');
    AppendGeneration(generation_, &frames_);
    frames_.push_back(static_cast<char>(one->kind));
    frames_.append(one->id->text());
    frames_.append(one->bytes.data(), one->bytes.size());
    const absl::string_view body = absl::string_view(frames_).substr(start + kLedgerFrameBytes);
    const uint32_t checksum = Crc32c(body);
    PutU32(static_cast<uint32_t>(body.size()), &frames_[start]);
    PutU32(checksum, &frames_[start + 4]);
  }
  GrowBeyond(size_ + frames_.size());
  const int fd = files_[current_].fd();
  const std::string path = PathOf(options_.folder, current_);
  if (absl::Status s = WriteAt(fd, frames_, size_, path); !s.ok()) return s;
  if (absl::Status s = SyncData(fd, path); !s.ok()) return s;
  size_ += frames_.size();
  return absl::OkStatus();
}

void Ledger::GrowBeyond(size_t end) {
  size_t& allocated = allocated_[current_];
  if (end <= allocated) return;
  const std::string zeros(end - allocated + kGrowBytes, '\0');
  // A full disk may hold what is to be written all the same.
  const absl::Status grown =
      WriteAt(files_[current_].fd(), zeros, allocated, PathOf(options_.folder, current_));
  if (grown.ok()) allocated += zeros.size();
}

void Ledger::TurnOver() {
  if (size_ < options_.file_bytes || checkpoint_due_) return;
  current_ = 1 - current_;
  ++generation_;
  size_ = 0;
  checkpoint_due_ = true;
  full_.NotifyAll();
}

void Ledger::Checkpoints() {
  for (;;) {
    {
      MutexLock lock(&mutex_);
      while (!stopping_ && (!checkpoint_due_ || !checkpointed_.ok())) full_.Wait(&mutex_);
      if (stopping_) return;
    }
    const absl::Status status = options_.checkpoint();
    MutexLock lock(&mutex_);
    checkpointed_ = status;
    if (status.ok()) checkpoint_due_ = false;
    written_.NotifyAll();
  }
}

}  // namespace referee::replay
