#include "referee/replay/folders.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kSuffix = ".rpl";
constexpr size_t kDayDepth = 3;      // levels of folders below the root: YYYY, MM, DD
constexpr size_t kMostDue = 10'000;  // names of unsynced files that are remembered

using Names = absl::StatusOr<std::vector<std::string>>;

// "2026/11/21"
std::string DayOf(const MatchId& id) {
  return absl::FormatTime("%E4Y/%m/%d", id.created(), absl::UTCTimeZone());
}

// Parses a file name; returns an error if it is not that of a replay.
absl::StatusOr<MatchId> IdOfName(absl::string_view name) {
  if (!absl::ConsumeSuffix(&name, kSuffix)) return absl::NotFoundError("");
  return MatchId::Parse(name);
}

bool IsNumber(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), absl::ascii_isdigit);
}

bool AllDays(absl::string_view) { return true; }

// VisitDays below `path`. Returns whether to continue.
bool VisitBelow(const std::string& root, const std::string& path, size_t depth, DayOrder order,
                absl::FunctionRef<bool(absl::string_view)> wanted,
                absl::FunctionRef<bool(const std::string&, const Names&)> take) {
  Names names = NamesIn(path.empty() ? root : absl::StrCat(root, "/", path));
  if (!names.ok() || depth == kDayDepth) return take(path, names);
  if (order == DayOrder::kNewestFirst) std::reverse(names->begin(), names->end());
  for (const std::string& name : *names) {
    const std::string below = path.empty() ? name : absl::StrCat(path, "/", name);
    if (!IsNumber(name) || !wanted(below)) continue;
    if (!VisitBelow(root, below, depth + 1, order, wanted, take)) return false;
  }
  return true;
}

absl::optional<ArchivedReplay> FileAt(std::string path, const MatchId& id) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return absl::nullopt;
  return ArchivedReplay{id, static_cast<uint64_t>(info.st_size), std::move(path)};
}

}  // namespace

void VisitDays(const std::string& root, DayOrder order,
               absl::FunctionRef<bool(absl::string_view)> wanted,
               absl::FunctionRef<bool(const std::string&, const Names&)> take) {
  VisitBelow(root, "", 0, order, wanted, take);
}

// --- Reading ---

std::string Folders::PathOf(const MatchId& id) const {
  return absl::StrCat(root_, "/", DayOf(id), "/", id.text(), kSuffix);
}

absl::optional<ArchivedReplay> Folders::Find(const MatchId& id) const {
  return FileAt(PathOf(id), id);
}

std::vector<MatchId> Folders::Ids() const {
  std::vector<MatchId> ids;
  VisitDays(root_, DayOrder::kNewestFirst, AllDays, [&](const std::string&, const Names& names) {
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      absl::StatusOr<MatchId> id = IdOfName(name);
      if (id.ok()) ids.push_back(*std::move(id));
    }
    return true;
  });
  return ids;
}

std::vector<absl::Status> Folders::Problems() const {
  std::vector<absl::Status> problems;
  VisitDays(root_, DayOrder::kNewestFirst, AllDays, [&](const std::string&, const Names& names) {
    if (!names.ok()) problems.push_back(names.status());
    return true;
  });
  return problems;
}

std::vector<ArchivedReplay> Folders::Below(const absl::optional<MatchId>& before,
                                           size_t count) const {
  std::vector<ArchivedReplay> found;
  const std::string last = before ? DayOf(*before) : "";
  const auto wanted = [&](absl::string_view path) {
    return last.empty() || path <= absl::string_view(last).substr(0, path.size());
  };
  const auto take = [&](const std::string& day, const Names& names) {
    if (!names.ok()) return true;
    for (auto name = names->rbegin(); name != names->rend() && found.size() < count; ++name) {
      const absl::StatusOr<MatchId> id = IdOfName(*name);
      if (!id.ok() || (before && !(*id < *before))) continue;
      absl::optional<ArchivedReplay> file = FileAt(absl::StrCat(root_, "/", day, "/", *name), *id);
      if (file) found.push_back(*std::move(file));
    }
    return found.size() < count;
  };
  VisitDays(root_, DayOrder::kNewestFirst, wanted, take);
  return found;
}

absl::StatusOr<std::string> Folders::Read(const MatchId& id) const {
  absl::StatusOr<std::string> bytes = ReadWholeFile(PathOf(id), limits::kMaxReplayBytes);
  if (absl::IsNotFound(bytes.status())) return NoReplay(id.text());
  return bytes;
}

absl::StatusOr<ReplayPart> Folders::ReadPart(const MatchId& id, uint64_t offset,
                                             size_t size) const {
  const std::string path = PathOf(id);
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (absl::IsNotFound(file.status())) return NoReplay(id.text());
  if (!file.ok()) return file.status();
  struct stat info;
  if (fstat(file->fd(), &info) != 0) return FileError("cannot read", path, errno);
  ReplayPart part;
  part.total = static_cast<uint64_t>(info.st_size);
  part.bytes.resize(size);
  ssize_t got;
  do {
    got = pread(file->fd(), &part.bytes[0], size, static_cast<off_t>(offset));
  } while (got < 0 && errno == EINTR);
  if (got < 0) return FileError("cannot read", path, errno);
  part.bytes.resize(static_cast<size_t>(got));
  return part;
}

// --- Writing ---

absl::StatusOr<std::unique_ptr<DayFolders>> DayFolders::Make(const std::string& data_dir,
                                                             std::function<int(int fd)> sync) {
  const std::string root = data_dir + "/replays";
  if (absl::Status s = MakeDirectories(root, 0755); !s.ok()) return s;
  absl::StatusOr<File> open = OpenFile(root, O_RDONLY | O_DIRECTORY);
  if (!open.ok()) return open.status();
  return std::unique_ptr<DayFolders>(new DayFolders(data_dir, std::move(sync), *std::move(open)));
}

DayFolders::DayFolders(const std::string& data_dir, std::function<int(int fd)> sync, File root)
    : folders_(data_dir),
      root_path_(data_dir + "/replays"),
      sync_(std::move(sync)),
      root_(std::move(root)) {}

absl::Status DayFolders::Put(const ReplaySummary& summary, absl::string_view file) {
  if (absl::Status s = Write(summary.id, file); !s.ok()) return s;
  const MutexLock lock(&mutex_);
  if (due_.ids.size() < kMostDue) {
    due_.ids.push_back(summary.id);
  } else {
    due_.earlier = true;
  }
  return absl::OkStatus();
}

absl::Status DayFolders::Write(const MatchId& id, absl::string_view file) const {
  const std::string path = folders_.PathOf(id);
  const absl::Status made = MakeDirectories(path.substr(0, path.rfind('/')), 0755);
  return made.ok() ? WriteFileWhole(path, file, 0644, /*sync=*/false) : made;
}

absl::Status DayFolders::WriteAgain(const Due& due) const {
  for (const MatchId& id : due.earlier ? folders_.Ids() : due.ids) {
    const absl::StatusOr<std::string> file = folders_.Read(id);
    if (absl::IsNotFound(file.status())) continue;  // removed meanwhile
    if (!file.ok()) return file.status();
    if (absl::IsInvalidArgument(Parse(*file).status())) {
      const bool was_whole = std::find(due.ids.begin(), due.ids.end(), id) != due.ids.end();
      if (was_whole)
        return absl::DataLossError(absl::StrCat(folders_.PathOf(id),
                                                ": was lost before it could be synced; restart the "
                                                "referee, which has its records in its log"));
      continue;
    }
    if (absl::Status s = Write(id, *file); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status DayFolders::Sync() {
  const MutexLock syncing(&sync_mutex_);
  Due due;
  {
    const MutexLock lock(&mutex_);
    due = std::exchange(due_, Due{/*earlier=*/false, {}});
  }
  absl::Status synced;
  if (failed_) synced = WriteAgain(due);
  if (synced.ok() && sync_(root_.fd()) != 0) synced = FileError("cannot write", root_path_, errno);
  failed_ = !synced.ok();
  if (synced.ok()) return synced;
  const MutexLock lock(&mutex_);
  due_.earlier = due_.earlier || due.earlier;
  due_.ids.insert(due_.ids.end(), due.ids.begin(), due.ids.end());
  return synced;
}

}  // namespace referee::replay
