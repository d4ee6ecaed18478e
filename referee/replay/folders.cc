#include "referee/replay/folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kSuffix = ".rpl";
constexpr size_t kDayDepth = 3;  // of the folders of days below the root: YYYY, MM, DD

// "2026/11/21"
std::string DayOf(const MatchId& id) {
  return absl::FormatTime("%E4Y/%m/%d", id.created(), absl::UTCTimeZone());
}

// The names in a folder, last in order first; empty if there is no such folder, or it cannot be
// read, which sets `problem` unless that is null.
std::vector<std::string> NamesIn(const std::string& folder, absl::Status* problem = nullptr) {
  std::vector<std::string> names;
  DIR* const dir = opendir(folder.c_str());
  if (dir == nullptr) {
    if (errno != ENOENT && problem != nullptr) *problem = FileError("cannot read", folder, errno);
    return names;
  }
  while (const dirent* const entry = readdir(dir)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  closedir(dir);
  std::sort(names.rbegin(), names.rend());
  return names;
}

// Of a file's name; an error if it is not that of a replay.
absl::StatusOr<MatchId> IdOfName(absl::string_view name) {
  if (!absl::ConsumeSuffix(&name, kSuffix)) return absl::NotFoundError("");
  return MatchId::Parse(name);
}

bool IsNumber(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), absl::ascii_isdigit);
}

// Calls `take` with the names in each folder of a day below `folder`, which is so deep; and with
// none, and why, for each folder that cannot be read.
void VisitDays(const std::string& folder, size_t depth,
               absl::FunctionRef<void(const std::vector<std::string>&, const absl::Status&)> take) {
  absl::Status problem;
  const std::vector<std::string> names = NamesIn(folder, &problem);
  if (!problem.ok() || depth == kDayDepth) return take(names, problem);
  for (const std::string& name : names) {
    if (IsNumber(name)) VisitDays(absl::StrCat(folder, "/", name), depth + 1, take);
  }
}

// Walks down from the newest, past all that is not before the id or day `before` (empty: from the
// newest), until it has one replay more than are asked for.
class Walk {
 public:
  Walk(std::string root, absl::string_view before_day, absl::string_view before_id, size_t wanted)
      : root_(std::move(root)), before_day_(before_day), before_id_(before_id), wanted_(wanted) {}

  // `day` is the path of a folder below the root, such as "2026/11", and `depth` its depth.
  void Descend(const std::string& day, size_t depth) {
    const std::string folder = day.empty() ? root_ : absl::StrCat(root_, "/", day);
    for (const std::string& name : NamesIn(folder)) {
      if (found_.size() > wanted_) return;
      if (depth == kDayDepth) {
        Take(folder, name);
        continue;
      }
      if (!IsNumber(name)) continue;
      const std::string below = day.empty() ? name : absl::StrCat(day, "/", name);
      const bool later = !before_day_.empty() && below > before_day_.substr(0, below.size());
      if (!later) Descend(below, depth + 1);
    }
  }

  std::vector<ArchivedReplay>& found() { return found_; }

 private:
  void Take(const std::string& folder, const std::string& name) {
    if (!absl::EndsWith(name, kSuffix)) return;
    const absl::string_view text = absl::StripSuffix(name, kSuffix);
    if (!before_id_.empty() && text >= before_id_) return;
    absl::StatusOr<MatchId> id = MatchId::Parse(text);
    if (!id.ok()) return;
    ArchivedReplay replay;
    replay.path = absl::StrCat(folder, "/", name);
    struct stat info;
    if (stat(replay.path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    replay.size = static_cast<uint64_t>(info.st_size);
    replay.create_time = id->created();
    replay.id = *std::move(id);
    found_.push_back(std::move(replay));
  }

  const std::string root_;
  const absl::string_view before_day_;
  const absl::string_view before_id_;
  const size_t wanted_;
  std::vector<ArchivedReplay> found_;
};

}  // namespace

std::string Folders::PathOf(const MatchId& id) const {
  return absl::StrCat(root_, "/", DayOf(id), "/", id.text(), kSuffix);
}

absl::optional<ArchivedReplay> Folders::Find(const MatchId& id) const {
  ArchivedReplay replay;
  replay.path = PathOf(id);
  struct stat info;
  if (stat(replay.path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return absl::nullopt;
  replay.size = static_cast<uint64_t>(info.st_size);
  replay.create_time = id.created();
  replay.id = id;
  return replay;
}

std::vector<MatchId> Folders::Ids() const {
  std::vector<MatchId> ids;
  VisitDays(root_, 0, [&](const std::vector<std::string>& names, const absl::Status&) {
    for (const std::string& name : names) {
      absl::StatusOr<MatchId> id = IdOfName(name);
      if (id.ok()) ids.push_back(*std::move(id));
    }
  });
  return ids;
}

std::vector<absl::Status> Folders::Problems() const {
  std::vector<absl::Status> problems;
  VisitDays(root_, 0, [&](const std::vector<std::string>&, const absl::Status& problem) {
    if (!problem.ok()) problems.push_back(problem);
  });
  return problems;
}

std::vector<ArchivedReplay> Folders::Below(const absl::optional<MatchId>& before,
                                           size_t count) const {
  if (count == 0) return {};
  const std::string day = before ? DayOf(*before) : "";
  const std::string id = before ? before->text() : "";
  Walk walk(root_, day, id, count - 1);
  walk.Descend("", 0);
  return std::move(walk.found());
}

bool Folders::Has(const MatchId& id) const { return access(PathOf(id).c_str(), F_OK) == 0; }

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

}  // namespace referee::replay
