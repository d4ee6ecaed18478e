#include "referee/replay/retention.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/duration_text.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"

namespace referee::replay {
namespace {

constexpr size_t kMaxRecordBytes = 256 * 1024 * 1024;

constexpr uint64_t kMaxLineBytes = 256;

std::string RecordPath(const std::string& data_dir) { return data_dir + "/replays/removed"; }

// Removes an incomplete last line, which a full disk or a kill has left.
absl::Status CutUnfinishedLine(int fd, const std::string& path) {
  struct stat info;
  if (fstat(fd, &info) != 0) return FileError("cannot write", path, errno);
  const auto size = static_cast<uint64_t>(info.st_size);
  const uint64_t from = size - std::min(size, kMaxLineBytes);
  const absl::StatusOr<std::string> end = ReadAt(fd, path, from, size - from);
  if (!end.ok()) return end.status();
  const uint64_t whole = from + end->rfind('\n') + 1;  // npos + 1 is 0
  if (whole == size || (whole == from && from > 0)) return absl::OkStatus();
  if (ftruncate(fd, static_cast<off_t>(whole)) != 0) return FileError("cannot write", path, errno);
  return absl::OkStatus();
}

}  // namespace

std::vector<PackName> PacksToGo(absl::Span<const PackSize> packs, const Retention& retention,
                                absl::Time now) {
  std::vector<PackName> go;
  uint64_t bytes = 0;
  for (const PackSize& pack : packs) bytes += pack.bytes;
  for (size_t i = 0; i + 1 < packs.size(); ++i) {
    const PackSize& pack = packs[i];
    const bool old = retention.age && pack.name.first() < PackName::OfDay(now - *retention.age);
    const bool too_much = retention.bytes && bytes > *retention.bytes;
    if (pack.held || !(old || too_much)) continue;
    bytes -= pack.bytes;
    go.push_back(pack.name);
  }
  return go;
}

absl::Status RecordRemoval(const std::string& data_dir, const RemovedPack& removed) {
  const std::string path = RecordPath(data_dir);
  const absl::StatusOr<File> file = OpenFile(path, O_RDWR | O_APPEND | O_CREAT, 0644);
  if (!file.ok()) return file.status();
  if (absl::Status s = CutUnfinishedLine(file->fd(), path); !s.ok()) return s;
  const std::string line =
      absl::StrCat(removed.name.text(), " ", removed.replays, " ", UtcText(removed.time), "\n");
  if (absl::Status s = WriteAll(file->fd(), line, path); !s.ok()) return s;
  if (absl::Status s = SyncData(file->fd(), path); !s.ok()) return s;
  return SyncFolderOf(path);
}

namespace {

// Calls `take` for each removed pack, with the number of replays removed with it.
absl::Status ForEachRemoval(const std::string& data_dir,
                            absl::FunctionRef<void(PackName name, int64_t replays)> take) {
  const std::string path = RecordPath(data_dir);
  const absl::StatusOr<std::string> text = ReadWholeFile(path, kMaxRecordBytes);
  if (absl::IsNotFound(text.status())) return absl::OkStatus();
  if (!text.ok()) return text.status();
  int number = 0;
  // Ignore an incomplete last line: its pack was not removed.
  const absl::string_view whole = absl::string_view(*text).substr(0, text->rfind('\n') + 1);
  for (const absl::string_view line : absl::StrSplit(whole, '\n')) {
    ++number;
    if (line.empty()) continue;
    const std::vector<absl::string_view> parts = absl::StrSplit(line, ' ');
    const absl::optional<PackName> name = PackName::Parse(parts[0]);
    int64_t replays;
    if (parts.size() != 3 || !name || !absl::SimpleAtoi(parts[1], &replays) || replays < 0) {
      return At(absl::StrCat(path, ":", number),
                BadValue("line", line, "the name of a pack, how many replays went, and when"));
    }
    take(*name, replays);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::map<PackName, int64_t>> ReadRemovals(const std::string& data_dir) {
  std::map<PackName, int64_t> removals;
  const absl::Status read = ForEachRemoval(
      data_dir, [&](PackName name, int64_t replays) { removals[name.first()] += replays; });
  if (!read.ok()) return read;
  return removals;
}

bool WasPackRemoved(const std::string& data_dir, PackName name) {
  bool removed = false;
  const absl::Status read = ForEachRemoval(
      data_dir, [&](PackName other, int64_t) { removed = removed || other == name; });
  return read.ok() && removed;
}

}  // namespace referee::replay
