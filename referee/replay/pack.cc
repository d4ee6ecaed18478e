#include "referee/replay/pack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/framing.h"
#include "referee/replay/versions.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kPackMagic = "refpack";
constexpr absl::string_view kPackSuffix = ".pack";
constexpr absl::string_view kFileMagic = "refrepl";  // the first bytes of the replay in an entry

constexpr int kPartBits = 12;  // of a pack's number, for its part
constexpr int64_t kMaxParts = int64_t{1} << kPartBits;

constexpr size_t kFrameBytes = 8;  // size and checksum
constexpr size_t kMaxBody = kMatchIdBytes + limits::kMaxReplayBytes;
constexpr size_t kWindowBytes = 1024 * 1024;

// A buffer over the part of a file that a scan reads.
class Window {
 public:
  Window(int fd, const std::string& path) : fd_(fd), path_(path) {}

  // Drops the buffer, so that the file is read again.
  void Forget() { bytes_.clear(); }

  // Returns `size` bytes from `offset` on, or fewer at the end of the file. Valid until the next
  // call.
  absl::StatusOr<absl::string_view> At(uint64_t offset, size_t size) {
    const bool here = offset >= start_ && offset + size <= start_ + bytes_.size();
    if (!here) {
      if (absl::Status s = Fill(offset, std::max(size, kWindowBytes)); !s.ok()) return s;
    }
    return absl::string_view(bytes_).substr(offset - start_, size);
  }

 private:
  absl::Status Fill(uint64_t offset, size_t size) {
    absl::StatusOr<std::string> bytes = ReadAt(fd_, path_, offset, size);
    if (!bytes.ok()) return bytes.status();
    bytes_ = *std::move(bytes);
    start_ = offset;
    return absl::OkStatus();
  }

  const int fd_;
  const std::string& path_;
  std::string bytes_;
  uint64_t start_ = 0;
};

// Returns whether an entry can be at this place. A damaged index may hold any numbers.
bool CanBeEntry(const PackedReplay& replay) {
  return replay.size <= limits::kMaxReplayBytes &&
         replay.offset >= kPackMagic.size() + 1 + kFrameBytes + kMatchIdBytes;
}

// Returns the match id of an entry; none if its checksum or id is wrong.
absl::optional<MatchId> IdOfEntry(uint32_t checksum, absl::string_view body) {
  if (Crc32c(body) != checksum) return absl::nullopt;
  absl::StatusOr<MatchId> id = MatchId::Parse(body.substr(0, kMatchIdBytes));
  if (!id.ok()) return absl::nullopt;
  return *std::move(id);
}

// Ends a scan at an entry that reaches beyond the end of the file. If other replays begin inside
// it, its size is damaged; else it is torn.
void EndTorn(absl::string_view body, uint64_t missing, PackScan* scan) {
  const size_t first = body.find(kFileMagic);
  const bool others = first != absl::string_view::npos &&
                      body.find(kFileMagic, first + kFileMagic.size()) != absl::string_view::npos;
  scan->tail = others ? PackTail::kUnreadable : PackTail::kTorn;
  if (others) return;
  scan->missing = missing;
  const absl::StatusOr<MatchId> id = MatchId::Parse(body.substr(0, kMatchIdBytes));
  if (id.ok()) scan->torn_match = id->text();
}

absl::Status PackDamaged(absl::string_view path, uint64_t offset, const MatchId& id) {
  return PackNotWhole(
      path, absl::StrCat("byte ", offset, ": the entry of match ", id.text(), " is damaged"));
}

uint64_t StartOf(const PackedReplay& replay) { return replay.offset - kFrameBytes - kMatchIdBytes; }

// Reads the first `size` bytes of an entry, at least its frame and id. They must match `replay`.
absl::StatusOr<std::string> ReadEntry(int fd, const std::string& path, const PackedReplay& replay,
                                      size_t size) {
  if (!CanBeEntry(replay)) return PackDamaged(path, replay.offset, replay.id);
  absl::StatusOr<std::string> bytes = ReadAt(fd, path, StartOf(replay), size);
  if (!bytes.ok()) return bytes;
  const absl::string_view entry = *bytes;
  if (entry.size() == size && GetU32(entry) == kMatchIdBytes + replay.size &&
      entry.substr(kFrameBytes, kMatchIdBytes) == replay.id.text()) {
    return bytes;
  }
  return PackDamaged(path, StartOf(replay), replay.id);
}

// Sets or removes the lock of PackWriting. Ignores errors: on a file system without locks readers
// find none.
void SetWriteLock(int fd, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  fcntl(fd, F_OFD_SETLK, &lock);
}

bool IsBeingWritten(int fd) {
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

std::string DamagedEntries(const PackScan& scan) {
  return absl::StrCat(scan.damaged, scan.damaged == 1 ? " entry is" : " entries are",
                      " damaged and cannot be read, the first at byte ", scan.first_damaged);
}

std::string EndOfPack(const PackScan& scan) {
  if (scan.tail == PackTail::kUnreadable) {
    return absl::StrCat("from byte ", scan.end, " on it cannot be read: no entry begins there");
  }
  const std::string entry = absl::StrCat("it is torn: the entry at byte ", scan.end);
  return scan.torn_match.empty() ? absl::StrCat(entry, " lacks at least ", scan.missing, " bytes")
                                 : absl::StrCat(entry, ", of match ", scan.torn_match,
                                                ", lacks its last ", scan.missing, " bytes");
}

// Reads the next entry of a scan, and advances its end. Returns whether there may be more.
absl::StatusOr<bool> ScanEntry(Window* window, PackName name, PackScan* scan,
                               absl::FunctionRef<void(PackedReplay)> take) {
  absl::StatusOr<absl::string_view> frame = window->At(scan->end, kFrameBytes);
  if (!frame.ok()) return frame.status();
  if (frame->empty()) return false;
  if (frame->size() < kFrameBytes) {
    EndTorn("", kFrameBytes - frame->size(), scan);
    return false;
  }
  const uint32_t size = GetU32(*frame);
  const uint32_t checksum = GetU32(frame->substr(4));
  if (size <= kMatchIdBytes || size > kMaxBody) {
    scan->tail = PackTail::kUnreadable;
    return false;
  }
  const absl::StatusOr<absl::string_view> body = window->At(scan->end + kFrameBytes, size);
  if (!body.ok()) return body.status();
  if (body->size() < size) {
    EndTorn(*body, size - body->size(), scan);
    return false;
  }
  absl::optional<MatchId> id = IdOfEntry(checksum, *body);
  const uint64_t offset = scan->end + kFrameBytes + kMatchIdBytes;
  if (id) {
    take({*std::move(id), name, offset, static_cast<uint32_t>(size - kMatchIdBytes)});
  } else if (scan->damaged++ == 0) {
    scan->first_damaged = scan->end;
  }
  scan->end += kFrameBytes + size;
  return true;
}

}  // namespace

PackName PackName::OfDay(absl::Time created) {
  return PackName((absl::ToUnixSeconds(created) / (24 * 60 * 60)) << kPartBits);
}

absl::optional<PackName> PackName::Parse(absl::string_view file_name) {
  absl::string_view rest = file_name;
  if (!absl::ConsumeSuffix(&rest, kPackSuffix)) return absl::nullopt;
  const std::vector<absl::string_view> parts = absl::StrSplit(rest, '.');
  absl::Time day;
  std::string error;
  int64_t part;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[1], &part) || part < 0 || part >= kMaxParts ||
      !absl::ParseTime("%E4Y-%m-%d", parts[0], absl::UTCTimeZone(), &day, &error) ||
      day < absl::UnixEpoch()) {
    return absl::nullopt;
  }
  const PackName name(OfDay(day).number_ + part);
  if (name.text() != file_name) return absl::nullopt;
  return name;
}

std::string PackName::text() const {
  const absl::Time day = absl::FromUnixSeconds((number_ >> kPartBits) * 24 * 60 * 60);
  return absl::StrCat(absl::FormatTime("%E4Y-%m-%d", day, absl::UTCTimeZone()), ".",
                      number_ & (kMaxParts - 1), kPackSuffix);
}

PackName PackName::first() const { return PackName((number_ >> kPartBits) << kPartBits); }

std::string PacksDir(const std::string& data_dir) { return data_dir + "/replays/packs"; }

std::string PackPath(const std::string& data_dir, PackName name) {
  return absl::StrCat(PacksDir(data_dir), "/", name.text());
}

absl::StatusOr<std::vector<PackName>> PacksIn(const std::string& data_dir) {
  std::vector<PackName> names;
  const absl::StatusOr<std::vector<std::string>> files = NamesIn(PacksDir(data_dir));
  if (!files.ok()) return files.status();
  for (const std::string& file : *files) {
    const absl::optional<PackName> name = PackName::Parse(file);
    if (name) names.push_back(*name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string PackHeader() {
  std::string header(kPackMagic);
  header.push_back(kPackVersion);
  return header;
}

std::string EncodePackEntry(const MatchId& id, absl::string_view file) {
  std::string entry;
  entry.reserve(kFrameBytes + kMatchIdBytes + file.size());
  entry.resize(kFrameBytes);
  entry.append(id.text());
  entry.append(file.data(), file.size());
  const absl::string_view body = absl::string_view(entry).substr(kFrameBytes);
  const uint32_t checksum = Crc32c(body);
  PutU32(static_cast<uint32_t>(body.size()), &entry[0]);
  PutU32(checksum, &entry[4]);
  return entry;
}

uint64_t PackEntrySize(const PackedReplay& replay) {
  return kFrameBytes + kMatchIdBytes + replay.size;
}

absl::StatusOr<PackScan> ScanPack(const std::string& path, PackName name, uint64_t from,
                                  absl::FunctionRef<void(PackedReplay)> take) {
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return file.status();
  Window window(file->fd(), path);
  const std::string header = PackHeader();
  PackScan scan;
  const absl::StatusOr<absl::string_view> head = window.At(0, header.size());
  if (!head.ok()) return head.status();
  if (head->size() < header.size() || head->substr(0, kPackMagic.size()) != kPackMagic) {
    scan.tail = PackTail::kUnreadable;
    return scan;
  }
  if (*head != header) {
    const auto version = static_cast<uint8_t>(head->back());
    return At(path, UnknownVersion(kPackMagic.size(), "a pack", version, kPackVersion));
  }
  scan.end = std::max<uint64_t>(from, header.size());
  absl::optional<uint64_t> read_again;  // where an entry was incomplete and had no writer
  while (true) {
    const absl::StatusOr<bool> more = ScanEntry(&window, name, &scan, take);
    if (!more.ok()) return more.status();
    if (*more) continue;
    const bool writing = scan.tail != PackTail::kNone && IsBeingWritten(file->fd());
    if (!writing && (scan.tail == PackTail::kNone || read_again == scan.end)) return scan;
    scan.tail = PackTail::kNone;
    scan.missing = 0;
    scan.torn_match.clear();
    if (writing) return scan;
    // The writer of the incomplete entry may have finished meanwhile.
    read_again = scan.end;
    window.Forget();
  }
}

absl::Status PackProblem(const std::string& path, const PackScan& scan) {
  if (scan.damaged > 0 && scan.tail != PackTail::kNone) {
    return PackNotWhole(path, absl::StrCat(DamagedEntries(scan), "; ", EndOfPack(scan)));
  }
  if (scan.damaged > 0) return PackNotWhole(path, DamagedEntries(scan));
  return scan.tail == PackTail::kNone ? absl::OkStatus() : PackNotWhole(path, EndOfPack(scan));
}

PackWriting::PackWriting(int fd) : fd_(fd) { SetWriteLock(fd_, F_WRLCK); }

PackWriting::~PackWriting() { SetWriteLock(fd_, F_UNLCK); }

absl::Status CheckPackEntry(int fd, const std::string& path, const PackedReplay& replay) {
  return ReadEntry(fd, path, replay, kFrameBytes + kMatchIdBytes).status();
}

absl::StatusOr<std::string> ReadPackEntry(int fd, const std::string& path,
                                          const PackedReplay& replay) {
  const absl::StatusOr<std::string> bytes = ReadEntry(fd, path, replay, PackEntrySize(replay));
  if (!bytes.ok()) return bytes;
  const absl::string_view entry = *bytes;
  if (IdOfEntry(GetU32(entry.substr(4)), entry.substr(kFrameBytes))) {
    return bytes->substr(kFrameBytes + kMatchIdBytes);
  }
  return PackDamaged(path, StartOf(replay), replay.id);
}

}  // namespace referee::replay
