#include "referee/replay/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kJournalMagic = "refjrnl";
constexpr char kJournalVersion = 1;
constexpr absl::string_view kJournalMagic("refjrnl\x01", 8);  // with the version
constexpr size_t kFrameHeaderBytes = 8;                       // length, checksum
constexpr size_t kUsualBytes = 512;                           // of what one Flush writes

enum class Frame { kWhole, kTorn, kDamaged };

// Takes the frame off the front of `*rest`, which is not empty. A frame that is not whole is torn
// if nothing can have been written after it, or nothing but the zeros of a file that grew without
// its data.
Frame TakeFrame(absl::string_view* rest, absl::string_view* body) {
  if (rest->size() < kFrameHeaderBytes) return Frame::kTorn;
  const size_t size = GetU32(*rest);
  const uint32_t checksum = GetU32(rest->substr(4));
  const absl::string_view after = rest->substr(kFrameHeaderBytes);
  if (size > after.size()) return Frame::kTorn;
  *body = after.substr(0, size);
  if (size > 0 && Crc32c(*body) == checksum) {
    *rest = after.substr(size);
    return Frame::kWhole;
  }
  const bool last = size > 0 && size == after.size();
  const bool zeros = std::all_of(rest->begin(), rest->end(), [](char c) { return c == 0; });
  return last || zeros ? Frame::kTorn : Frame::kDamaged;
}

absl::Status CheckMagic(absl::string_view bytes) {
  if (bytes.substr(0, kJournalMagic.size()) == kJournalMagic) return absl::OkStatus();
  if (bytes.substr(0, kJournalMagic.size()) != kJournalMagic ||
      bytes.size() < kJournalMagic.size()) {
    return NotAJournal(0, "this is not a journal");
  }
  const auto version = static_cast<uint8_t>(bytes[kJournalMagic.size()]);
  return UnknownVersion(kJournalMagic.size(), "a journal", version, kJournalVersion);
}

// Appends a frame of what `append` appends.
template <typename Append>
void AppendFrame(Append append, std::string* out) {
  const size_t start = out->size();
  out->append(kFrameHeaderBytes, '\0');
  append(out);
  const absl::string_view body = absl::string_view(*out).substr(start + kFrameHeaderBytes);
  const uint32_t checksum = Crc32c(body);
  PutU32(static_cast<uint32_t>(body.size()), &(*out)[start]);
  PutU32(checksum, &(*out)[start + 4]);
}

}  // namespace

std::string EncodeOpening(const match::Setup& setup, const dice::Seed& seed) {
  RecordEncoder encoder;
  std::string bytes;
  bytes.reserve(kUsualBytes);
  bytes.append(kJournalMagic.data(), kJournalMagic.size());
  AppendFrame([&](std::string* out) { encoder.AppendOpening(setup, out); }, &bytes);
  AppendFrame([&](std::string* out) { encoder.AppendSecret(seed, out); }, &bytes);
  return bytes;
}

absl::string_view DurabilityName(Durability durability) {
  switch (durability) {
    case Durability::kNone:
      return "none";
    case Durability::kMatch:
      return "match";
    case Durability::kTurn:
      return "turn";
  }
  return "";
}

absl::Status JournalDisk::Write(int fd, absl::string_view bytes, const std::string& path) const {
  if (!hook_) return WriteAll(fd, bytes, path);
  WritePoint point;
  point.write = writes_.fetch_add(1, std::memory_order_relaxed) + 1;
  point.bytes = bytes.size();
  while (true) {
    const size_t wanted = hook_(point);
    if (point.written == point.bytes) return absl::OkStatus();
    const size_t left = point.bytes - point.written;
    const size_t part = wanted == 0 ? left : std::min(wanted, left);
    const absl::Status written = WriteAll(fd, bytes.substr(point.written, part), path);
    if (!written.ok()) return written;
    point.written += part;
  }
}

JournalWriter::JournalWriter(const JournalDisk* disk, std::string path,
                             std::shared_ptr<const games::Game> game, File file, size_t size)
    : disk_(disk),
      path_(std::move(path)),
      game_(std::move(game)),
      file_(std::move(file)),
      size_(size) {
  pending_.reserve(kUsualBytes);
}

absl::StatusOr<std::unique_ptr<JournalWriter>> JournalWriter::Create(const JournalDisk* disk,
                                                                     const std::string& path,
                                                                     const std::string& scratch,
                                                                     const match::Setup& setup,
                                                                     const dice::Seed& seed) {
  if (access(path.c_str(), F_OK) == 0) return FileError("cannot make", path, EEXIST);
  absl::StatusOr<File> file = OpenFile(scratch, O_WRONLY | O_CREAT, 0600);
  if (!file.ok()) return file.status();
  std::unique_ptr<JournalWriter> writer(
      new JournalWriter(disk, path, setup.game, *std::move(file), /*size=*/0));
  writer->pending_ = EncodeOpening(setup, seed);
  const bool lasts = disk->durability() == Durability::kTurn;
  absl::Status made = writer->Flush();
  // What the file held before is cut off only now: some file systems hold a file that was emptied
  // to be on the disk when it is closed.
  if (made.ok() && ftruncate(writer->file_.fd(), static_cast<off_t>(writer->size_)) != 0) {
    made = FileError("cannot make", path, errno);
  }
  if (made.ok() && lasts) made = SyncData(writer->file_.fd(), scratch);
  if (made.ok() && rename(scratch.c_str(), path.c_str()) != 0) {
    made = FileError("cannot make", path, errno);
  }
  if (!made.ok()) {
    unlink(scratch.c_str());
    return made;
  }
  if (lasts) made = SyncFolderOf(path);
  writer->file_ = File();
  if (made.ok()) return writer;
  unlink(path.c_str());
  return made;
}

absl::StatusOr<std::unique_ptr<JournalWriter>> JournalWriter::Continue(
    const JournalDisk* disk, const std::string& path, std::shared_ptr<const games::Game> game,
    size_t size) {
  absl::StatusOr<File> file = OpenFile(path, O_WRONLY | O_APPEND);
  if (!file.ok()) return file.status();
  if (ftruncate(file->fd(), static_cast<off_t>(size)) != 0) {
    return FileError("cannot write", path, errno);
  }
  return std::unique_ptr<JournalWriter>(
      new JournalWriter(disk, path, std::move(game), File(), size));
}

void JournalWriter::Add(const match::Record& record) {
  if (!broken_.ok()) return;
  AppendFrame([&](std::string* out) { encoder_.AppendRecord(*game_, record, out); }, &pending_);
}

absl::Status JournalWriter::Write() {
  if (file_.fd() < 0) {
    absl::StatusOr<File> file = OpenFile(path_, O_WRONLY | O_APPEND);
    if (!file.ok()) return file.status();
    file_ = *std::move(file);
  }
  if (absl::Status s = disk_->Write(file_.fd(), pending_, path_); !s.ok()) return s;
  // What the opening is written to has not its name yet; Create syncs that.
  const bool sync = disk_->durability() == Durability::kTurn && size_ > 0;
  return sync ? SyncData(file_.fd(), path_) : absl::OkStatus();
}

absl::Status JournalWriter::Flush() {
  if (!broken_.ok()) return broken_;
  const absl::Status written = Write();
  if (written.ok()) {
    size_ += pending_.size();
    pending_.clear();
    return absl::OkStatus();
  }
  broken_ = RecordingBroken(path_, written);
  // What was flushed before must stay readable. A reader copes with a torn end too, should even
  // this fail.
  static_cast<void>(ftruncate(file_.fd(), static_cast<off_t>(size_)) == 0);
  return written;
}

void JournalWriter::Close(absl::string_view why) {
  broken_ = RecordingBroken(path_, absl::FailedPreconditionError(why));
}

absl::StatusOr<Journal> ReadJournal(absl::string_view bytes) {
  if (absl::Status s = CheckMagic(bytes); !s.ok()) return s;
  RecordDecoder decoder(RecordDecoder::Source::kJournal);
  absl::string_view rest = bytes.substr(kJournalMagic.size());
  while (!rest.empty()) {
    const size_t offset = bytes.size() - rest.size();
    absl::string_view body;
    const Frame frame = TakeFrame(&rest, &body);
    if (frame == Frame::kDamaged) return NotAJournal(offset, "a frame is damaged");
    if (frame == Frame::kTorn) break;
    if (absl::Status s = decoder.Take(body); !s.ok()) {
      return At(absl::StrCat("byte ", offset, ": record ", decoder.taken() + 1), s);
    }
  }
  if (!decoder.opened()) {
    return NotAJournal(bytes.size() - rest.size(), "it ends before the match was opened");
  }
  Journal journal;
  journal.setup = std::move(decoder.setup());
  journal.secret = decoder.secret();
  journal.records = std::move(decoder.records());
  journal.ended = decoder.ended();
  journal.size = bytes.size() - rest.size();
  journal.torn = rest.size();
  return journal;
}

absl::StatusOr<std::string> RecordsOfJournal(absl::string_view bytes) {
  constexpr int kSecret = 1;  // the second record
  if (absl::Status s = CheckMagic(bytes); !s.ok()) return s;
  std::string records;
  records.reserve(bytes.size());
  absl::string_view rest = bytes.substr(kJournalMagic.size());
  for (int i = 0; !rest.empty(); ++i) {
    const size_t offset = bytes.size() - rest.size();
    absl::string_view body;
    if (TakeFrame(&rest, &body) != Frame::kWhole) {
      return NotAJournal(offset, "a frame is not whole");
    }
    if (i == kSecret) continue;
    AppendVarint(static_cast<uint32_t>(body.size()), &records);
    records.append(body.data(), body.size());
  }
  return records;
}

}  // namespace referee::replay
