// Reads the packs below a data directory, through the index and beyond it.
//
// Replays that the index lacks are found by a scan of the packs. So a replay is found as soon as it
// is in a pack, even without an index.
//
//   Packs packs(data_dir, Packs::Writer::kElsewhere);
//   StatusOr<optional<PackedReplay>> found = packs.Find(id);
//   StatusOr<std::string> file = packs.Read(**found);
#ifndef REFEREE_REPLAY_PACKS_H_
#define REFEREE_REPLAY_PACKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/replay/pack.h"
#include "referee/replay/pack_index.h"
#include "referee/replay/summary.h"

namespace referee::replay {

// Thread-safe.
class Packs {
 public:
  enum class Writer {
    kElsewhere,  // perhaps another process: each call looks for new replays if needed
    kHere,       // this process, which calls Note and Indexed
  };

  // Reads nothing yet.
  Packs(std::string data_dir, Writer writer) : data_dir_(std::move(data_dir)), writer_(writer) {}

  // Returns the location of a replay; none if it is in no readable pack. Returns the error of the
  // index.
  absl::StatusOr<absl::optional<PackedReplay>> Find(const MatchId& id);
  // Returns at most `count` replays with ids below `before`, newest first; empty: from the newest.
  // Returns the errors of Find.
  absl::StatusOr<std::vector<PackedReplay>> Below(absl::string_view before, size_t count);

  // Returns an error for each pack that calls so far could not read whole.
  std::vector<absl::Status> Problems();
  // Reads all packs whole, for Problems. Blocks other calls meanwhile.
  void LookAtAll();

  // Returns the bytes of a replay file, or DataLoss that names the place when its entry is damaged.
  absl::StatusOr<std::string> Read(const PackedReplay& replay) const;
  // Returns the summary of a replay. If it cannot be read, only the fields that follow from its id
  // are set.
  ReplaySummary ReadSummary(const PackedReplay& replay) const;
  // Returns at most `size` bytes from `offset` on; reads only these. With offset 0, returns
  // DataLoss when the entry at its place is another one.
  absl::StatusOr<std::string> ReadPart(const PackedReplay& replay, uint64_t offset,
                                       size_t size) const;

  // --- For the writer in this process ---

  // Adds replays that are in packs, but not in the index yet.
  void Note(absl::Span<const PackedReplay> replays);
  // Notes that these replays are in the index.
  void Indexed(absl::Span<const PackIndex::Row> rows);
  // Forgets what was noted of a pack that was removed or replaced, or is about to be.
  void ForgetPack(PackName name);
  // Closes the index, because its file was replaced.
  void ForgetIndex();

 private:
  // Orders replays by match id.
  struct ById {
    using is_transparent = void;
    static absl::string_view Of(const PackedReplay& replay) { return replay.id.text(); }
    static absl::string_view Of(absl::string_view id) { return id; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return Of(a) < Of(b);
    }
  };

  // Opens the index, and scans the packs beyond it as far as needed.
  void LookBeyond() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Opens the index. With Writer::kHere, returns why an existing index cannot be opened.
  absl::Status OpenIndex() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Calls `body` with the index, and again if the index was overtaken. Without an index, leaves
  // `result` unchanged. Stops using a damaged index.
  template <typename T>
  absl::Status AskIndex(absl::FunctionRef<absl::StatusOr<T>(PackIndex*)> body, T* result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<absl::optional<PackedReplay>> FindOnce(const MatchId& id)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddFresh(PackedReplay replay) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NoteProblem(PackName name, const absl::StatusOr<PackScan>& scan)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string data_dir_;
  const Writer writer_;

  Mutex mutex_;
  std::unique_ptr<PackIndex> index_ ABSL_GUARDED_BY(mutex_);  // null: none is open
  // The index cannot be used; fresh_ has all replays.
  bool without_index_ ABSL_GUARDED_BY(mutex_) = false;
  Covered looked_at_ ABSL_GUARDED_BY(mutex_);  // extent of the scan into fresh_
  std::map<PackName, absl::Status> problems_ ABSL_GUARDED_BY(mutex_);
  absl::Status listing_problem_ ABSL_GUARDED_BY(mutex_);  // why packs could not be listed
  absl::btree_set<PackedReplay, ById> fresh_ ABSL_GUARDED_BY(mutex_);  // perhaps not indexed
};

// Scans each pack beyond `covered`, in order: calls `take` with each entry, then `done` with the
// result of ScanPack. Calls `done` with DataLoss for a pack that is missing or ends before
// `covered`. Stops at the first error of `done` and returns it, or the error of the folder.
absl::Status ScanBeyond(
    const std::string& data_dir, const Covered& covered, absl::FunctionRef<void(PackedReplay)> take,
    absl::FunctionRef<absl::Status(PackName, const absl::StatusOr<PackScan>&)> done);

// Returns DataLoss when a pack is missing, or ends before byte `covered`, the extent of the index;
// or the file system's error.
absl::Status CheckLength(const std::string& path, uint64_t covered);

struct LostPack {
  PackName name;
  absl::Status problem;  // of CheckLength; names the pack's path
};

// Returns the packs that are missing or shorter than the index says, in order. Leaves out packs
// whose removal is on record (retention.h). Changes no file. Returns the errors of
// PackIndex::OpenToRead.
absl::StatusOr<std::vector<LostPack>> FindLostPacks(const std::string& data_dir);

// Merges values with an `id`, newest first, at most `count`. Of the same match, the value in
// `first` wins.
template <typename T>
std::vector<T> MergeNewestFirst(std::vector<T> first, std::vector<T> second, size_t count) {
  std::move(second.begin(), second.end(), std::back_inserter(first));
  std::stable_sort(first.begin(), first.end(), [](const T& a, const T& b) { return b.id < a.id; });
  const auto same = [](const T& a, const T& b) { return a.id == b.id; };
  first.erase(std::unique(first.begin(), first.end(), same), first.end());
  if (first.size() > count) first.resize(count);
  return first;
}

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACKS_H_
