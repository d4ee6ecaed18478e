#include "referee/replay/packs.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/replay.h"
#include "referee/replay/retention.h"

namespace referee::replay {
namespace {

constexpr int kIndexTries = 5;  // for an index that others open and close

bool IsDamage(const absl::Status& status) {
  return absl::IsDataLoss(status) || absl::IsInvalidArgument(status) || absl::IsInternal(status);
}

absl::Status PackMissing(const std::string& path, uint64_t covered) {
  return PackNotWhole(
      path, absl::StrCat("is missing, and the index has its entries up to byte ", covered));
}

// Returns the size of a pack. Returns NotFound when it is missing, DataLoss when it ends before
// `covered`.
absl::StatusOr<uint64_t> SizeOf(const std::string& path, uint64_t covered) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return FileError("cannot read", path, errno);
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size >= covered) return size;
  return PackNotWhole(
      path, absl::StrCat("ends at byte ", size, ", and the index has its entries up to byte ",
                         covered, ": ", covered - size, " bytes are missing"));
}

// ScanPack for a pack that was read up to `from`. Returns DataLoss when it ends before `from`.
absl::StatusOr<PackScan> ScanFrom(const std::string& path, PackName name, uint64_t from,
                                  absl::FunctionRef<void(PackedReplay)> take) {
  const absl::StatusOr<uint64_t> size = SizeOf(path, from);
  if (!size.ok()) return size.status();
  if (*size > from || from == 0) return ScanPack(path, name, from, take);
  PackScan nothing_new;
  nothing_new.end = from;
  return nothing_new;
}

}  // namespace

absl::Status CheckLength(const std::string& path, uint64_t covered) {
  const absl::Status status = SizeOf(path, covered).status();
  return absl::IsNotFound(status) ? PackMissing(path, covered) : status;
}

absl::StatusOr<std::vector<LostPack>> FindLostPacks(const std::string& data_dir) {
  const absl::StatusOr<Covered> covered =
      ReadIndex(data_dir, [](PackIndex* index) { return index->ReadCovered(); });
  if (!covered.ok()) return covered.status();
  std::vector<LostPack> lost;
  for (const auto& [name, end] : *covered) {
    const absl::Status checked = CheckLength(PackPath(data_dir, name), end);
    if (!checked.ok() && !WasPackRemoved(data_dir, name)) lost.push_back({name, checked});
  }
  return lost;
}

absl::Status ScanBeyond(
    const std::string& data_dir, const Covered& covered, absl::FunctionRef<void(PackedReplay)> take,
    absl::FunctionRef<absl::Status(PackName, const absl::StatusOr<PackScan>&)> done) {
  absl::StatusOr<std::vector<PackName>> names = PacksIn(data_dir);
  if (!names.ok()) return names.status();
  for (const auto& [name, end] : covered) names->push_back(name);
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
  for (const PackName name : *names) {
    const auto known = covered.find(name);
    const uint64_t from = known == covered.end() ? 0 : known->second;
    const std::string path = PackPath(data_dir, name);
    absl::StatusOr<PackScan> scan = ScanFrom(path, name, from, take);
    if (absl::IsNotFound(scan.status())) {
      if (from == 0 || WasPackRemoved(data_dir, name)) continue;
      scan = PackMissing(path, from);
    }
    if (absl::Status s = done(name, scan); !s.ok()) return s;
  }
  return absl::OkStatus();
}

void Packs::AddFresh(PackedReplay replay) {
  fresh_.erase(ById::Of(replay));
  fresh_.insert(std::move(replay));
}

void Packs::Note(absl::Span<const PackedReplay> replays) {
  const MutexLock lock(&mutex_);
  for (const PackedReplay& replay : replays) AddFresh(replay);
}

void Packs::Indexed(absl::Span<const PackIndex::Row> rows) {
  const MutexLock lock(&mutex_);
  if (without_index_) return;
  for (const PackIndex::Row& row : rows) {
    const auto at = fresh_.find(row.place);
    if (at != fresh_.end() && *at == row.place) fresh_.erase(at);
  }
}

void Packs::ForgetIndex() {
  const MutexLock lock(&mutex_);
  index_ = nullptr;
  without_index_ = false;
}

void Packs::ForgetPack(PackName name) {
  const MutexLock lock(&mutex_);
  looked_at_.erase(name);
  for (auto at = fresh_.begin(); at != fresh_.end();) {
    at = at->pack == name ? fresh_.erase(at) : std::next(at);
  }
}

absl::Status Packs::OpenIndex() {
  if (index_ != nullptr || without_index_) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<PackIndex>> index = PackIndex::OpenToRead(data_dir_);
  if (!index.ok()) {
    // An index without tables is being made; its replays were noted.
    const bool quiet = writer_ == Writer::kElsewhere || absl::IsNotFound(index.status()) ||
                       absl::IsFailedPrecondition(index.status());
    return quiet ? absl::OkStatus() : index.status();
  }
  if (writer_ == Writer::kElsewhere) {
    const absl::StatusOr<Covered> covered = (*index)->ReadCovered();
    if (!covered.ok() || (*index)->overtaken()) return absl::OkStatus();
    for (const auto& [pack, end] : *covered) {
      uint64_t& looked_at = looked_at_[pack];
      looked_at = std::max(looked_at, end);
    }
  }
  index_ = *std::move(index);
  return absl::OkStatus();
}

void Packs::LookBeyond() {
  OpenIndex().IgnoreError();  // AskIndex reports it
  if (writer_ == Writer::kHere && !without_index_) return;
  const Covered from = looked_at_;
  listing_problem_ = ScanBeyond(
      data_dir_, from,
      [this](PackedReplay replay) ABSL_NO_THREAD_SAFETY_ANALYSIS { AddFresh(std::move(replay)); },
      [this](PackName name, const absl::StatusOr<PackScan>& scan) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        if (scan.ok()) looked_at_[name] = std::max(looked_at_[name], scan->end);
        NoteProblem(name, scan);
        return absl::OkStatus();
      });
}

void Packs::NoteProblem(PackName name, const absl::StatusOr<PackScan>& scan) {
  const absl::Status problem =
      scan.ok() ? PackProblem(PackPath(data_dir_, name), *scan) : scan.status();
  if (!problem.ok()) problems_[name] = problem;
}

void Packs::LookAtAll() {
  const MutexLock lock(&mutex_);
  LookBeyond();
  ScanBeyond(
      data_dir_, {}, [](const PackedReplay&) {},
      [this](PackName name, const absl::StatusOr<PackScan>& scan) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        NoteProblem(name, scan);
        return absl::OkStatus();
      })
      .IgnoreError();  // LookBeyond has noted it
}

std::vector<absl::Status> Packs::Problems() {
  const MutexLock lock(&mutex_);
  std::vector<absl::Status> problems;
  if (!listing_problem_.ok()) problems.push_back(listing_problem_);
  for (const auto& [name, problem] : problems_) problems.push_back(problem);
  return problems;
}

template <typename T>
absl::Status Packs::AskIndex(absl::FunctionRef<absl::StatusOr<T>(PackIndex*)> body, T* result) {
  for (int i = 0; i < kIndexTries; ++i) {
    if (absl::Status s = OpenIndex(); !s.ok()) {
      if (IsDamage(s)) break;
      return s;
    }
    if (index_ == nullptr) return absl::OkStatus();
    absl::StatusOr<T> answer = body(index_.get());
    const bool overtaken = index_->overtaken();
    if (answer.ok() && !overtaken) {
      *result = *std::move(answer);
      return absl::OkStatus();
    }
    index_ = nullptr;
    // The next index may have a smaller extent.
    if (overtaken) looked_at_.clear();
    if (!overtaken && IsDamage(answer.status())) break;
  }
  // Without an index, scan all packs from their beginnings.
  without_index_ = true;
  looked_at_.clear();
  LookBeyond();
  return absl::OkStatus();
}

absl::StatusOr<absl::optional<PackedReplay>> Packs::FindOnce(const MatchId& id) {
  const auto known = fresh_.find(absl::string_view(id.text()));
  if (known != fresh_.end()) return absl::make_optional(*known);
  absl::optional<PackedReplay> found;
  const absl::Status asked = AskIndex<absl::optional<PackedReplay>>(
      [&](PackIndex* index) { return index->Find(id); }, &found);
  if (!asked.ok()) return asked;
  if (found || !without_index_) return found;
  const auto now_known = fresh_.find(absl::string_view(id.text()));
  if (now_known != fresh_.end()) found = *now_known;
  return found;
}

absl::StatusOr<absl::optional<PackedReplay>> Packs::Find(const MatchId& id) {
  const MutexLock lock(&mutex_);
  absl::StatusOr<absl::optional<PackedReplay>> found = FindOnce(id);
  if (!found.ok() || found->has_value() || writer_ == Writer::kHere) return found;
  LookBeyond();
  return FindOnce(id);
}

absl::StatusOr<std::vector<PackedReplay>> Packs::Below(absl::string_view before, size_t count) {
  const MutexLock lock(&mutex_);
  LookBeyond();
  std::vector<PackedReplay> indexed;
  const absl::Status asked = AskIndex<std::vector<PackedReplay>>(
      [&](PackIndex* index) { return index->Below(before, count); }, &indexed);
  if (!asked.ok()) return asked;
  std::vector<PackedReplay> fresh;
  auto at = before.empty() ? fresh_.end() : fresh_.lower_bound(before);
  while (at != fresh_.begin() && fresh.size() < count) fresh.push_back(*--at);
  return MergeNewestFirst(std::move(fresh), std::move(indexed), count);
}

absl::StatusOr<std::string> Packs::Read(const PackedReplay& replay) const {
  const std::string path = PackPath(data_dir_, replay.pack);
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return file.status();
  return ReadPackEntry(file->fd(), path, replay);
}

ReplaySummary Packs::ReadSummary(const PackedReplay& replay) const {
  const absl::StatusOr<std::string> file = Read(replay);
  const absl::StatusOr<Replay> read = file.ok() ? ParseAnyGame(*file) : file.status();
  if (read.ok()) return Summarise(*read);
  ReplaySummary summary;
  summary.id = replay.id;
  summary.create_time = summary.end_time = replay.id.created();
  return summary;
}

absl::StatusOr<std::string> Packs::ReadPart(const PackedReplay& replay, uint64_t offset,
                                            size_t size) const {
  const std::string path = PackPath(data_dir_, replay.pack);
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return file.status();
  // Later parts follow a first part that was checked.
  if (offset == 0) {
    if (absl::Status s = CheckPackEntry(file->fd(), path, replay); !s.ok()) return s;
  }
  const uint64_t begin = std::min<uint64_t>(offset, replay.size);
  return ReadAt(file->fd(), path, replay.offset + begin,
                std::min<uint64_t>(size, replay.size - begin));
}

}  // namespace referee::replay
