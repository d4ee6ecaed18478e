#include "referee/replay/whole_index.h"

#include <utility>

#include "referee/replay/errors.h"
#include "referee/replay/packs.h"

namespace referee::replay {

absl::StatusOr<WholeIndex> WholeIndex::Look(const std::string& data_dir, size_t most) {
  WholeIndex whole(data_dir);
  absl::StatusOr<Covered> covered =
      ReadIndex(data_dir, [](PackIndex* index) { return index->ReadCovered(); });
  if (absl::IsNotFound(covered.status())) {
    whole.has_index_ = false;
    covered = Covered();
  }
  if (!covered.ok()) return covered.status();
  std::vector<PackedReplay> beyond;
  const auto take = [&](PackedReplay replay) {
    if (beyond.size() == most) {
      ++whole.missing_;
    } else {
      beyond.push_back(std::move(replay));
    }
  };
  const absl::Status scanned = ScanBeyond(
      data_dir, *covered, take, [&](PackName name, const absl::StatusOr<PackScan>& scan) {
        const absl::Status problem =
            scan.ok() ? PackProblem(PackPath(data_dir, name), *scan) : scan.status();
        if (!problem.ok()) whole.problems_.push_back(problem);
        return absl::OkStatus();
      });
  if (!scanned.ok()) whole.problems_.push_back(scanned);
  const bool nothing = beyond.empty() && whole.problems_.empty();
  if (!whole.has_index_ && (nothing || whole.missing_ > 0)) {
    return NoArchiveIndex(PackIndex::PathIn(data_dir));
  }
  Packs packs(data_dir, Packs::Writer::kElsewhere);
  for (const PackedReplay& replay : beyond) {
    whole.beyond_.push_back({replay, packs.ReadSummary(replay)});
  }
  return whole;
}

absl::StatusOr<std::unique_ptr<PackIndex>> WholeIndex::Open() const {
  absl::StatusOr<std::unique_ptr<PackIndex>> index =
      has_index_ ? PackIndex::OpenToRead(data_dir_) : PackIndex::InMemory();
  if (!index.ok()) return index;
  absl::Status added;
  if (!has_index_) {
    added = (*index)->Add(beyond_, {});
  } else if (!beyond_.empty()) {
    added = (*index)->Overlay(beyond_);
  }
  if (added.ok()) return index;
  return (*index)->overtaken() ? sqlite::DatabaseBusy(PackIndex::PathIn(data_dir_)) : added;
}

}  // namespace referee::replay
