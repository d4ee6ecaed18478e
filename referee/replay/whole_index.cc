#include "referee/replay/whole_index.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/replay/errors.h"
#include "referee/replay/packs.h"

namespace referee::replay {
namespace {

// How far an index goes, and the packs of which it passed over damaged entries.
struct Extent {
  Covered covered;
  std::vector<PackName> damaged;
};

absl::StatusOr<Extent> ReadExtent(PackIndex* index) {
  absl::StatusOr<Covered> covered = index->ReadCovered();
  if (!covered.ok()) return covered.status();
  absl::StatusOr<std::vector<PackName>> damaged = index->PacksWithDamage();
  if (!damaged.ok()) return damaged.status();
  return Extent{*std::move(covered), *std::move(damaged)};
}

// Why a pack, which had damage when it was indexed, is not in the index whole. It reads all of it.
absl::Status DamageIn(const std::string& data_dir, PackName name) {
  const std::string path = PackPath(data_dir, name);
  const absl::StatusOr<PackScan> scan = ScanPack(path, name, 0, [](const PackedReplay&) {});
  if (!scan.ok()) return scan.status();
  const absl::Status problem = PackProblem(path, *scan);
  if (!problem.ok()) return problem;
  return absl::DataLossError(absl::StrCat(
      path,
      ": the index lacks entries that were damaged when it was made, and are whole now; "
      "'refctl archive index' makes it anew while no refereed runs"));
}

}  // namespace

absl::StatusOr<WholeIndex> WholeIndex::Look(const std::string& data_dir, size_t most) {
  WholeIndex whole(data_dir);
  absl::StatusOr<Extent> extent = ReadIndex(data_dir, ReadExtent);
  if (absl::IsNotFound(extent.status())) {
    whole.has_index_ = false;
    extent = Extent();
  }
  if (!extent.ok()) return extent.status();
  const std::vector<PackName>& damaged = extent->damaged;
  std::vector<PackedReplay> beyond;
  const auto take = [&](PackedReplay replay) {
    if (beyond.size() == most) {
      ++whole.missing_;
    } else {
      beyond.push_back(std::move(replay));
    }
  };
  const absl::Status scanned = ScanBeyond(
      data_dir, extent->covered, take, [&](PackName name, const absl::StatusOr<PackScan>& scan) {
        const bool was_damaged = std::find(damaged.begin(), damaged.end(), name) != damaged.end();
        const absl::Status problem = !scan.ok()    ? scan.status()
                                     : was_damaged ? DamageIn(data_dir, name)
                                                   : PackProblem(PackPath(data_dir, name), *scan);
        if (!problem.ok()) whole.problems_.push_back(problem);
        return absl::OkStatus();
      });
  if (!scanned.ok()) whole.problems_.push_back(scanned);
  const bool nothing = beyond.empty() && whole.problems_.empty();
  if (!whole.has_index_ && (nothing || whole.missing_ > 0)) {
    return PackIndex::Missing(data_dir);
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
