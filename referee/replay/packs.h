// The packs below a data directory, to be read: by their index, and beyond it by what the packs
// themselves hold. So a replay is found as soon as it is in a pack, also without an index.
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
    kElsewhere,  // another process, perhaps: each call looks for what is new, if need be
    kHere,       // in this process, which calls Note and Indexed
  };

  // Reads nothing yet.
  Packs(std::string data_dir, Writer writer) : data_dir_(std::move(data_dir)), writer_(writer) {}

  // Where the replay of a match is; none if it is in no pack that can be read. Returns the error of
  // the index.
  absl::StatusOr<absl::optional<PackedReplay>> Find(const MatchId& id);
  // At most `count` replays of matches whose ids are below `before` (empty: from the newest),
  // newest first. Errors are those of Find.
  absl::StatusOr<std::vector<PackedReplay>> Below(absl::string_view before, size_t count);

  // Why packs that the calls so far looked at could not be read whole: an error for each.
  std::vector<absl::Status> Problems();
  // Reads all packs whole, for Problems. While it does so other calls wait.
  void LookAtAll();

  // The bytes of a replay file. Returns DataLoss that names the place when its entry is damaged.
  absl::StatusOr<std::string> Read(const PackedReplay& replay) const;
  // A summary of it. Of one that cannot be read it has only what its id says.
  ReplaySummary ReadSummary(const PackedReplay& replay) const;
  // At most `size` bytes of it from `offset` on, without looking at the rest. Returns DataLoss as
  // Read when there is another entry at the first part's place.
  absl::StatusOr<std::string> ReadPart(const PackedReplay& replay, uint64_t offset,
                                       size_t size) const;

  // --- For who writes here ---

  // These are in packs now, though not in the index.
  void Note(absl::Span<const PackedReplay> replays);
  // These are in the index now.
  void Indexed(absl::Span<const PackIndex::Row> rows);
  // The pack of this name has gone, or is another file now, or will be: forgets what was noted of
  // it.
  void ForgetPack(PackName name);
  // The index is another file now.
  void ForgetIndex();

 private:
  // By the ids of matches.
  struct ById {
    using is_transparent = void;
    static absl::string_view Of(const PackedReplay& replay) { return replay.id.text(); }
    static absl::string_view Of(absl::string_view id) { return id; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return Of(a) < Of(b);
    }
  };

  // Opens the index, and looks into packs beyond it, as far as that was not done.
  void LookBeyond() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns, to who writes here, why an index that is there cannot be opened.
  absl::Status OpenIndex() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Calls `body` with the index, and again if that was overtaken; leaves `result` as it is where
  // there is no index. Gives a damaged index up.
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
  // The index cannot be used; all there is is in fresh_.
  bool without_index_ ABSL_GUARDED_BY(mutex_) = false;
  Covered looked_at_ ABSL_GUARDED_BY(mutex_);  // with what is in fresh_
  std::map<PackName, absl::Status> problems_ ABSL_GUARDED_BY(mutex_);
  absl::Status listing_problem_ ABSL_GUARDED_BY(mutex_);  // why packs could not be listed
  absl::btree_set<PackedReplay, ById> fresh_ ABSL_GUARDED_BY(mutex_);  // perhaps not in the index
};

// Calls `take` with the entries of each pack from where `covered` says, or from its beginning, and
// `done` after each pack, in order, with what ScanPack returned. Calls `done` with DataLoss for a
// pack that is missing or ends before `covered`. Stops at the first error of `done`; returns it, or
// that of the folder.
absl::Status ScanBeyond(
    const std::string& data_dir, const Covered& covered, absl::FunctionRef<void(PackedReplay)> take,
    absl::FunctionRef<absl::Status(PackName, const absl::StatusOr<PackScan>&)> done);

// Returns DataLoss when a pack is missing, or ends before byte `covered`, up to which the index has
// its entries; or the file system's error.
absl::Status CheckLength(const std::string& path, uint64_t covered);

struct LostPack {
  PackName name;
  absl::Status problem;  // as of CheckLength; names the pack's path
};

// The packs that are missing, or end before what the index has of them, in order; none that the
// record of retention.h says was removed. Changes no file. Returns the errors of
// PackIndex::OpenToRead.
absl::StatusOr<std::vector<LostPack>> FindLostPacks(const std::string& data_dir);

// Merges replays, which have an `id`, newest first and each match once: what is in `first` counts
// before what is in `second`. At most `count`.
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
