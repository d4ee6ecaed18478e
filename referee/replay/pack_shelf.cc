#include "referee/replay/pack_shelf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"

namespace referee::replay {
namespace {

constexpr size_t kMaxPacksToAppend = 4;  // open packs; a day needs one
constexpr size_t kWrittenAtOnce = 1 << 20;
constexpr size_t kBatch = 500;            // replays added to the index at once
constexpr size_t kMaxSummaries = 10'000;  // summaries that wait for that; others are read again
constexpr int kMaxRenewals = 3;           // of a damaged index, until the next start
// Batches replays of matches that end shortly after one another.
constexpr std::chrono::milliseconds kIndexPause(50);
constexpr std::chrono::seconds kIndexRetry(1);  // doubled after each failure, up to
constexpr std::chrono::seconds kLastIndexRetry(60);

// Returns the problem of a pack that a loss of power made shorter than the index says.
absl::Status CheckLengths(const std::string& data_dir, const Covered& covered) {
  for (const auto& [name, end] : covered) {
    const absl::Status checked = CheckLength(PackPath(data_dir, name), end);
    if (absl::IsDataLoss(checked)) return checked;
  }
  return absl::OkStatus();
}

// Returns whether an open file was removed.
bool WasRemoved(const File& file) {
  struct stat info;
  return fstat(file.fd(), &info) == 0 && info.st_nlink == 0;
}

// Rewrites the entries of a pack from `from` on. After a failed write the system considers them
// written, and may still have them in memory. `damaged` entries were damaged before. The log has
// the records of entries that are lost.
absl::Status WriteAgain(int fd, const std::string& path, PackName name, uint64_t from,
                        uint64_t damaged) {
  const absl::StatusOr<PackScan> scan = ScanPack(path, name, from, [](const PackedReplay&) {});
  if (!scan.ok()) return scan.status();
  if (scan->damaged > damaged)
    return absl::DataLossError(absl::StrCat(path, ": from byte ", from,
                                            " on entries were lost that "
                                            "could not be synced; restart the referee, which has "
                                            "their records in its log"));
  if (lseek(fd, static_cast<off_t>(from), SEEK_SET) < 0)
    return FileError("cannot write", path, errno);
  for (uint64_t at = from; at < scan->end;) {
    const size_t size = std::min<uint64_t>(scan->end - at, kWrittenAtOnce);
    const absl::StatusOr<std::string> bytes = ReadAt(fd, path, at, size);
    if (!bytes.ok()) return bytes.status();
    if (absl::Status s = WriteAll(fd, *bytes, path); !s.ok()) return s;
    at += size;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<PackShelf>> PackShelf::Open(Options options) {
  const std::string folder = PacksDir(options.data_dir);
  if (absl::Status s = MakeDirectories(folder, 0755, /*sync=*/true); !s.ok()) return s;
  std::unique_ptr<PackShelf> shelf(new PackShelf(std::move(options)));
  if (absl::Status s = shelf->TakeUp(); !s.ok()) return s;
  shelf->indexer_ = std::thread([self = shelf.get()] { self->WriteIndex(); });
  return shelf;
}

PackShelf::PackShelf(Options options)
    : options_(std::move(options)),
      packs_(std::make_shared<Packs>(options_.data_dir, Packs::Writer::kHere)),
      archive_(options_.data_dir, packs_) {}

PackShelf::~PackShelf() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  if (indexer_.joinable()) indexer_.join();
  // The last connection merges SQLite's log into the index. A read-only connection cannot, so close
  // it first.
  packs_->ForgetIndex();
}

void PackShelf::Log(absl::string_view line) const {
  if (options_.log) options_.log(line);
}

// --- The packs ---

Covered PackShelf::OpenIndex() {
  for (const bool anew : {false, true}) {
    if (anew) {
      index_ = nullptr;
      PackIndex::Remove(options_.data_dir).IgnoreError();
    }
    absl::StatusOr<std::unique_ptr<PackIndex>> index = PackIndex::Open(options_.data_dir);
    if (!index.ok()) {
      Log(absl::StrCat("archive: ", index.status().message()));
      break;
    }
    index_ = *std::move(index);
    const absl::StatusOr<Covered> covered = index_->ReadCovered();
    const absl::Status lengths =
        covered.ok() ? CheckLengths(options_.data_dir, *covered) : covered.status();
    if (lengths.ok()) return *covered;
    Log(absl::StrCat("archive: the index is made anew: ", lengths.message()));
  }
  // The file may hold anything, so nothing may be added to it.
  index_ = nullptr;
  renew_due_ = true;
  return {};
}

absl::Status PackShelf::TakeUp() {
  const MutexLock lock(&mutex_);
  const absl::StatusOr<std::vector<PackName>> names = PacksIn(options_.data_dir);
  if (!names.ok()) return names.status();
  for (const PackName name : *names) last_[name.first()] = name;
  for (const auto& [day, name] : last_) written_[name] = 0;  // they may never have been synced
  return LoadBeyond(OpenIndex(), {});
}

absl::Status PackShelf::LoadBeyond(const Covered& covered, std::vector<PackedReplay> found) {
  const absl::Status scanned = ScanBeyond(
      options_.data_dir, covered, [&](PackedReplay replay) { found.push_back(std::move(replay)); },
      [this](PackName name, const absl::StatusOr<PackScan>& scan) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        if (scan.ok()) return RepairTail(name, *scan);
        if (absl::IsDataLoss(scan.status())) return absl::OkStatus();  // removed meanwhile
        if (!IsUnknownHere(scan.status())) return scan.status();
        Log(absl::StrCat("archive: ", scan.status().message()));
        PackScan unreadable;
        unreadable.tail = PackTail::kUnreadable;
        return RepairTail(name, unreadable);
      });
  if (!scanned.ok()) return scanned;
  packs_->Note(found);
  std::deque<Pending> pending;
  for (PackedReplay& replay : found) pending.push_back({std::move(replay), nullptr});
  for (Pending& former : pending_) {
    if (former.removes_pack) pending.push_back(std::move(former));
  }
  pending_ = std::move(pending);
  ++loads_;
  put_ = pending_.size();
  indexed_ = 0;
  return absl::OkStatus();
}

absl::Status PackShelf::RepairTail(PackName name, const PackScan& scan) {
  const std::string path = PackPath(options_.data_dir, name);
  if (scan.damaged > 0) {
    if (loads_ == 0) damaged_[name] = scan.damaged;
    Log(absl::StrCat(path, ": ", scan.damaged,
                     " damaged entries were passed over, the first at byte ", scan.first_damaged));
  }
  if (scan.tail == PackTail::kTorn) {
    if (truncate(path.c_str(), static_cast<off_t>(scan.end)) != 0) {
      return FileError("cannot write", path, errno);
    }
    Log(absl::StrCat(path, ": cut off a write that was not finished, at byte ", scan.end,
                     scan.torn_match.empty() ? "" : ", of match " + scan.torn_match));
  }
  if (scan.tail == PackTail::kNone) return absl::OkStatus();
  // Close it: its cached size is wrong, or a write would follow the unreadable bytes.
  const auto open = open_.find(name.first());
  if (open != open_.end() && open->second.name == name) open_.erase(open);
  if (scan.tail != PackTail::kUnreadable) return absl::OkStatus();
  Log(absl::StrCat(path, ": is no pack from byte ", scan.end, " on; it is left as it is"));
  PackName& last = last_[name.first()];
  if (last == name) last = name.next();
  return absl::OkStatus();
}

absl::StatusOr<PackShelf::OpenPack> PackShelf::OpenToAppend(PackName name) {
  const std::string path = PackPath(options_.data_dir, name);
  if (access(path.c_str(), F_OK) != 0) {
    if (absl::Status s = MakeDirectories(PacksDir(options_.data_dir), 0755); !s.ok()) return s;
    const absl::Status made = WriteFileWhole(path, PackHeader(), 0644, /*sync=*/false);
    if (!made.ok()) return made;
    folder_written_ = true;
    written_[name] = 0;
  }
  absl::StatusOr<File> file = OpenFile(path, O_WRONLY | O_APPEND);
  if (!file.ok()) return file.status();
  struct stat info;
  if (fstat(file->fd(), &info) != 0) return FileError("cannot write", path, errno);
  OpenPack pack;
  pack.name = name;
  pack.size = static_cast<uint64_t>(info.st_size);
  pack.file = std::make_shared<const File>(*std::move(file));
  return pack;
}

absl::StatusOr<PackShelf::OpenPack*> PackShelf::PackFor(PackName day, size_t bytes) {
  while (true) {
    auto open = open_.find(day);
    if (open != open_.end() && WasRemoved(*open->second.file)) {
      packs_->ForgetPack(open->second.name);
      open_.erase(open);
      open = open_.end();
    }
    if (open != open_.end()) {
      const bool fits = open->second.size + bytes <= kPackBytes;
      if (fits || open->second.size == PackHeader().size()) return &open->second;
      last_[day] = open->second.name.next();
      open_.erase(open);
    }
    const PackName name = last_.emplace(day, day).first->second;
    if (name.first() != day)
      return absl::ResourceExhaustedError(absl::StrCat(
          "replays/packs/", day.text(), ": the last pack that a day can have is full"));
    absl::StatusOr<OpenPack> pack = OpenToAppend(name);
    if (!pack.ok()) return pack.status();
    if (open_.size() == kMaxPacksToAppend) open_.erase(open_.begin());
    open_[day] = *std::move(pack);
  }
}

absl::Status PackShelf::Append(PackName day, OpenPack* pack, absl::string_view entry) {
  const std::string path = PackPath(options_.data_dir, pack->name);
  const std::shared_ptr<const File> file = pack->file;  // stays open if the pack is closed
  const PackWriting writing(file->fd());
  absl::Status written = WriteAll(file->fd(), entry, path);
  if (written.ok()) {
    written_.emplace(pack->name, pack->size);
    pack->size += entry.size();
    return written;
  }
  if (ftruncate(file->fd(), static_cast<off_t>(pack->size)) != 0) {
    // The partial entry cannot be removed, so it ends the pack.
    last_[day] = pack->name.next();
    open_.erase(day);
  }
  return written;
}

absl::StatusOr<std::string> PackShelf::ReadPacked(const MatchId& id) const {
  const absl::StatusOr<absl::optional<PackedReplay>> packed = packs_->Find(id);
  if (!packed.ok()) return packed.status();
  if (!packed->has_value()) return NoReplay(id.text());
  return packs_->Read(**packed);
}

absl::Status PackShelf::Put(const ReplaySummary& summary, absl::string_view file) {
  const absl::StatusOr<std::string> kept = archive_.Read(summary.id);
  return kept.ok() && *kept == file ? absl::OkStatus() : PutEntry(summary, file);
}

absl::Status PackShelf::Repack(const ReplaySummary& summary, absl::string_view file) {
  const absl::StatusOr<std::string> kept = ReadPacked(summary.id);
  return kept.ok() && *kept == file ? absl::OkStatus() : PutEntry(summary, file);
}

absl::Status PackShelf::PutEntry(const ReplaySummary& summary, absl::string_view file) {
  const MatchId& id = summary.id;
  if (file.size() > limits::kMaxReplayBytes) {
    return ReplayTooLarge(file.size(), limits::kMaxReplayBytes);
  }
  const std::string entry = EncodePackEntry(id, file);
  const PackName day = PackName::OfDay(id.created());
  const MutexLock lock(&mutex_);
  const absl::StatusOr<OpenPack*> pack = PackFor(day, entry.size());
  if (!pack.ok()) return pack.status();
  const PackedReplay place = {id, (*pack)->name, (*pack)->size + entry.size() - file.size(),
                              static_cast<uint32_t>(file.size())};
  if (absl::Status s = Append(day, *pack, entry); !s.ok()) return s;
  packs_->Note({place});
  if (pending_.empty()) changed_.NotifyAll();
  const bool room = pending_.size() < kMaxSummaries;
  pending_.push_back({place, room ? std::make_unique<ReplaySummary>(summary) : nullptr});
  ++put_;
  return absl::OkStatus();
}

absl::Status PackShelf::Sync() {
  const MutexLock syncing(&sync_mutex_);
  Covered written;
  bool folder = false;
  {
    const MutexLock lock(&mutex_);
    written.swap(written_);
    folder = std::exchange(folder_written_, false);
  }
  absl::Status all;
  for (const auto& [name, from] : written) {
    const absl::Status synced = SyncPack(name, from);
    all.Update(synced);
    synced.ok() ? failed_.erase(name) : failed_.insert(name).second;
    const MutexLock lock(&mutex_);
    if (!synced.ok()) written_[name] = from;
  }
  const absl::Status named =
      folder ? SyncFolderOf(PacksDir(options_.data_dir) + "/.") : absl::OkStatus();
  all.Update(named);
  const MutexLock lock(&mutex_);
  folder_written_ = folder_written_ || !named.ok();
  return all;
}

absl::Status PackShelf::SyncPack(PackName name, uint64_t from) {
  const std::string path = PackPath(options_.data_dir, name);
  const absl::StatusOr<File> file = OpenFile(path, O_RDWR);
  if (absl::IsNotFound(file.status())) return absl::OkStatus();  // removed meanwhile
  if (!file.ok()) return file.status();
  if (failed_.count(name) > 0) {
    uint64_t damaged = 0;
    if (from == 0) {
      const MutexLock lock(&mutex_);
      const auto known = damaged_.find(name);
      if (known != damaged_.end()) damaged = known->second;
    }
    if (absl::Status s = WriteAgain(file->fd(), path, name, from, damaged); !s.ok()) return s;
  }
  return SyncData(file->fd(), path);
}

// --- The index ---

absl::Status PackShelf::WaitForIndex(const std::function<void(size_t left)>& progress) {
  const MutexLock lock(&mutex_);
  uint64_t loads = loads_;
  uint64_t target = put_;
  const uint64_t failures = failures_;
  ++waiting_;
  changed_.NotifyAll();
  while (indexed_ < target && failures_ == failures) {
    changed_.WaitFor(&mutex_, kIndexRetry);
    if (std::exchange(loads, loads_) != loads_) target = put_;
    if (progress) progress(static_cast<size_t>(put_ - indexed_));
  }
  --waiting_;
  return indexed_ < target ? index_status_ : absl::OkStatus();
}

std::vector<PackShelf::Pending> PackShelf::NextBatch() {
  const MutexLock lock(&mutex_);
  while (!stopping_ && pending_.empty()) changed_.Wait(&mutex_);
  if (!stopping_ && waiting_ == 0 && pending_.size() < kBatch) {
    changed_.WaitFor(&mutex_, kIndexPause);
  }
  if (stopping_ && (pending_.size() > kBatch || !index_status_.ok())) return {};
  std::vector<Pending> batch;
  while (batch.size() < kBatch && !pending_.empty()) {
    const bool alone = pending_.front().removes_pack;
    if (alone && !batch.empty()) break;
    batch.push_back(std::move(pending_.front()));
    pending_.pop_front();
    if (alone) break;
  }
  return batch;
}

absl::Status PackShelf::WriteBatch(const std::vector<Pending>& batch) {
  if (index_ == nullptr) {
    absl::StatusOr<std::unique_ptr<PackIndex>> index = PackIndex::Open(options_.data_dir);
    if (!index.ok()) return index.status();
    index_ = *std::move(index);
  }
  if (batch.front().removes_pack) return RemoveRows(index_.get(), batch.front().place.pack);
  std::vector<PackIndex::Row> rows;
  Covered covered;
  for (const Pending& pending : batch) {
    const PackedReplay& place = pending.place;
    rows.push_back(
        {place, pending.summary != nullptr ? *pending.summary : packs_->ReadSummary(place)});
    covered[place.pack] = place.offset + place.size;
  }
  if (absl::Status s = index_->Add(rows, covered); !s.ok()) return s;
  packs_->Indexed(rows);
  return absl::OkStatus();
}

void PackShelf::WriteIndex() {
  while (true) {
    if (renew_due_) {
      const absl::Status renewed = RenewIndex();
      if (!renewed.ok() && !WaitToRetry(renewed)) return;
      continue;
    }
    std::vector<Pending> batch = NextBatch();
    if (batch.empty()) return;
    const absl::Status written = WriteBatch(batch);
    if (!written.ok()) {
      OnFailed(std::move(batch), written);
      continue;
    }
    const MutexLock lock(&mutex_);
    index_status_ = absl::OkStatus();
    retry_pause_ = kIndexRetry;
    indexed_ += batch.size();
    changed_.NotifyAll();
  }
}

void PackShelf::OnFailed(std::vector<Pending> batch, const absl::Status& why) {
  const bool passing =
      absl::IsUnavailable(why) || absl::IsResourceExhausted(why) || absl::IsPermissionDenied(why);
  {
    const MutexLock lock(&mutex_);
    std::move(batch.rbegin(), batch.rend(), std::front_inserter(pending_));
  }
  if (passing || renewals_ == kMaxRenewals) {
    WaitToRetry(why);
    return;
  }
  Log(absl::StrCat("archive: the index is made anew: ", why.message()));
  ++renewals_;
  renew_due_ = true;
}

bool PackShelf::WaitToRetry(const absl::Status& why) {
  const MutexLock lock(&mutex_);
  const bool said = index_status_ == why || stopping_;
  if (!said) Log(absl::StrCat("archive: the index is behind: ", why.message()));
  index_status_ = why;
  ++failures_;
  changed_.NotifyAll();
  const auto until = std::chrono::steady_clock::now() + retry_pause_;
  retry_pause_ = std::min(2 * retry_pause_, kLastIndexRetry);
  // A new call of WaitForIndex triggers a try at once; a new replay does not.
  const int waiting = waiting_;
  while (!stopping_ && waiting_ <= waiting) {
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero()) break;
    changed_.WaitFor(&mutex_, left);
  }
  return !stopping_;
}

absl::StatusOr<Covered> PackShelf::ScanAll(std::vector<PackedReplay>* found) {
  Covered seen;
  const absl::Status scanned = ScanBeyond(
      options_.data_dir, {}, [&](PackedReplay replay) { found->push_back(std::move(replay)); },
      [&](PackName name, const absl::StatusOr<PackScan>& scan) -> absl::Status {
        const MutexLock lock(&mutex_);
        if (stopping_) return absl::CancelledError();
        if (scan.ok()) seen[name] = scan->end;
        return IsUnknownHere(scan.status()) ? absl::OkStatus() : scan.status();
      });
  if (!scanned.ok()) return scanned;
  return seen;
}

absl::Status PackShelf::RenewIndex() {
  index_ = nullptr;
  std::vector<PackedReplay> found;
  const absl::StatusOr<Covered> seen = ScanAll(&found);
  if (!seen.ok()) return seen.status();
  const MutexLock lock(&mutex_);
  if (absl::Status s = LoadBeyond(*seen, std::move(found)); !s.ok()) return s;
  // Readers use the old file until all replays in packs are noted.
  if (absl::Status s = PackIndex::Remove(options_.data_dir); !s.ok()) return s;
  packs_->ForgetIndex();
  renew_due_ = false;
  return absl::OkStatus();
}

}  // namespace referee::replay
