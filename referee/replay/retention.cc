#include "referee/replay/retention.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"

namespace referee::replay {
namespace {

constexpr size_t kMaxRecordBytes = 256 * 1024 * 1024;

std::string RecordPath(const std::string& data_dir) { return data_dir + "/replays/removed"; }

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
  absl::StatusOr<std::string> text = ReadWholeFile(path, kMaxRecordBytes);
  if (absl::IsNotFound(text.status())) text = "";
  if (!text.ok()) return text.status();
  absl::StrAppend(&*text, removed.name.text(), " ", removed.replays, " ",
                  absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", removed.time, absl::UTCTimeZone()), "\n");
  return WriteFileWhole(path, *text, 0644, /*sync=*/true);
}

absl::StatusOr<std::map<PackName, int64_t>> ReadRemovals(const std::string& data_dir) {
  std::map<PackName, int64_t> removals;
  const std::string path = RecordPath(data_dir);
  const absl::StatusOr<std::string> text = ReadWholeFile(path, kMaxRecordBytes);
  if (absl::IsNotFound(text.status())) return removals;
  if (!text.ok()) return text.status();
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(*text, '\n')) {
    ++number;
    if (line.empty()) continue;
    const std::vector<absl::string_view> parts = absl::StrSplit(line, ' ');
    const absl::optional<PackName> name = PackName::Parse(parts[0]);
    int64_t replays;
    if (parts.size() != 3 || !name || !absl::SimpleAtoi(parts[1], &replays) || replays < 0) {
      return At(absl::StrCat(path, ":", number),
                BadValue("line", line, "the name of a pack, how many replays went, and when"));
    }
    removals[name->first()] += replays;
  }
  return removals;
}

}  // namespace referee::replay
