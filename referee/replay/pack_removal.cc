// The part of PackShelf that removes packs.
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/retention.h"
#include "referee/replay/summary.h"

namespace referee::replay {

absl::Status PackShelf::RemoveRows(PackIndex* index, PackName name) {
  sqlite::Transaction transaction(index->db(), sqlite::Transaction::Kind::kWrite);
  if (!transaction.begun().ok()) return transaction.begun();
  const int64_t begin = PlaceNumber(name, 0);
  const int64_t end = PlaceNumber(name.next(), 0);
  for (const char* const sql : {"DELETE FROM seat WHERE place >= ? AND place < ?",
                                "DELETE FROM replay WHERE place >= ? AND place < ?"}) {
    if (absl::Status s = index->db()->Run(sql, begin, end); !s.ok()) return s;
  }
  const absl::Status covered = index->db()->Run("DELETE FROM pack WHERE number = ?", name.number());
  return covered.ok() ? transaction.Commit() : covered;
}

absl::Status PackShelf::ForEachIn(
    PackName name, absl::FunctionRef<absl::Status(const Replay&, absl::string_view)> take) {
  const std::string path = PackPath(options_.data_dir, name);
  std::vector<PackedReplay> places;
  const absl::StatusOr<PackScan> scan =
      ScanPack(path, name, 0, [&](PackedReplay place) { places.push_back(std::move(place)); });
  if (!scan.ok()) return scan.status();
  // People may still recover replays from a damaged pack.
  if (scan->damaged > 0 || scan->tail == PackTail::kUnreadable) {
    return At(path, absl::FailedPreconditionError("it is damaged"));
  }
  for (const PackedReplay& place : places) {
    const absl::StatusOr<absl::optional<PackedReplay>> counts = packs_->Find(place.id);
    if (!counts.ok()) return counts.status();
    if (counts->has_value() && !(**counts == place)) continue;
    const absl::StatusOr<std::string> file = packs_->Read(place);
    if (!file.ok()) return file.status();
    const absl::StatusOr<Replay> replay = Parse(*file);
    if (!replay.ok()) return At(path, absl::FailedPreconditionError(replay.status().message()));
    if (absl::Status s = take(*replay, *file); !s.ok()) return s;
  }
  return absl::OkStatus();
}

void PackShelf::Leave(PackName name) {
  const MutexLock lock(&mutex_);
  const PackName day = name.first();
  const auto open = open_.find(day);
  if (open != open_.end() && open->second.name == name) open_.erase(open);
  PackName& last = last_.emplace(day, day).first->second;
  if (last == name) last = name.next();
}

absl::Status PackShelf::RemoveFromIndex(PackName name) {
  {
    const MutexLock lock(&mutex_);
    Pending removal;
    removal.place.pack = name;
    removal.removes_pack = true;
    pending_.push_back(std::move(removal));
    ++put_;
    changed_.NotifyAll();
  }
  return WaitForIndex();
}

absl::StatusOr<PackShelf::Removal> PackShelf::RemovePack(PackName name, absl::Time now,
                                                         const RemovalRules& rules) {
  Removal removal;
  const absl::Status counted = ForEachIn(name, [&](const Replay& replay, absl::string_view) {
    ++(rules.keep(replay.setup.request_id) ? removal.moved : removal.gone);
    return absl::OkStatus();
  });
  removal.held = absl::IsFailedPrecondition(counted) || (removal.gone == 0 && removal.moved > 0);
  if (removal.held) return removal;
  if (!counted.ok()) return counted;

  // Replays may have been added until now.
  Leave(name);
  removal = Removal();
  absl::flat_hash_set<std::string> going;
  const absl::Status moved = ForEachIn(name, [&](const Replay& replay, absl::string_view file) {
    if (rules.keep(replay.setup.request_id)) {
      ++removal.moved;
      return PutEntry(Summarise(replay), file);
    }
    ++removal.gone;
    going.insert(replay.setup.id.text());
    return absl::OkStatus();
  });
  if (!moved.ok()) return moved;
  // Sync moved replays before anything is removed. Record the removal last, just before it happens:
  // a record of replays that were not removed would hide later losses.
  if (absl::Status s = Sync(); !s.ok()) return s;
  if (absl::Status s = rules.on_removing(going); !s.ok()) return s;
  if (absl::Status s = RemoveFromIndex(name); !s.ok()) return s;
  if (absl::Status s = RecordRemoval(options_.data_dir, {name, removal.gone, now}); !s.ok()) {
    return s;
  }
  const std::string path = PackPath(options_.data_dir, name);
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return FileError("cannot remove", path, errno);
  }
  packs_->ForgetPack(name);
  return removal;
}

}  // namespace referee::replay
