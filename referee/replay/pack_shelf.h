// Stores replays in packs, and writes their index.
//
// A pack is <data_dir>/replays/packs/YYYY-MM-DD.<n>.pack, by the day (UTC) of a match's creation. A
// thread of its own writes the index; Put does not wait for it. Replays that are still files in
// folders of days can be read too.
//
//   auto shelf = PackShelf::Open({data_dir, log}).value();
//   Status put = shelf->Put(Summarise(replay), file);
#ifndef REFEREE_REPLAY_PACK_SHELF_H_
#define REFEREE_REPLAY_PACK_SHELF_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/replay/archive.h"
#include "referee/replay/files.h"
#include "referee/replay/pack.h"
#include "referee/replay/pack_index.h"
#include "referee/replay/packs.h"
#include "referee/replay/shelf.h"
#include "referee/replay/summary.h"

namespace referee::replay {

// Thread-safe.
class PackShelf final : public Shelf {
 public:
  struct Options {
    std::string data_dir;
    // Takes log lines, for people, on any thread: findings at the start, and why the index cannot
    // be written. May be null.
    std::function<void(absl::string_view line)> log = nullptr;
  };

  // Makes the folders, cuts off entries that a killed process left unfinished, and indexes the
  // replays that the index lacks. Returns an error that names the file and what to do. REQUIRES:
  // the caller holds the lock of the data directory (data_dir.h) as long as the shelf lives.
  static absl::StatusOr<std::unique_ptr<PackShelf>> Open(Options options);
  // Leaves replays that are not indexed yet to the next start, if they are many.
  ~PackShelf() override;

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override;
  // Like Put, for a replay that is a file in a folder: only a replay in a pack counts as put
  // before.
  absl::Status Repack(const ReplaySummary& summary, absl::string_view file);
  absl::StatusOr<std::string> Read(const MatchId& id) const override { return archive_.Read(id); }
  bool Has(const MatchId& id) const { return archive_.Has(id); }
  // Like Read, for replays in packs only.
  absl::StatusOr<std::string> ReadPacked(const MatchId& id) const;
  // Syncs the packs that were written since the last call (fdatasync). The first call also syncs
  // the packs of an earlier process.
  absl::Status Sync() override;

  // The result of RemovePack.
  struct Removal {
    int64_t gone = 0;   // replays removed
    int64_t moved = 0;  // replays kept, now in another pack of the day
    bool held = false;  // the pack stays: no replay in it may be removed, or it cannot be read
  };
  // Which replays of a removed pack are kept.
  struct RemovalRules {
    // Returns whether to keep the replay of a match, given its request id.
    std::function<bool(absl::string_view request_id)> keep;
    // Called with the matches whose replays are removed, just before removal. On an error the pack
    // stays.
    std::function<absl::Status(const absl::flat_hash_set<std::string>& match_ids)> on_removing;
  };
  // Removes a pack and its replays. First copies the replays to keep to the last pack of the day,
  // and syncs them. Records the removal (retention.h) and updates the index. May be interrupted at
  // any moment and called again, on one thread at a time. Returns the error of the file system or
  // the index; then the pack stays.
  absl::StatusOr<Removal> RemovePack(PackName name, absl::Time now, const RemovalRules& rules);

  // The archive that this object writes, always up to date.
  const Archive& archive() const { return archive_; }

  // Waits until every replay put before is in the index. Calls `progress`, which may be null, now
  // and then with the number left. Returns why the index cannot be written.
  absl::Status WaitForIndex(const std::function<void(size_t left)>& progress = nullptr);

 private:
  // A replay to be added to the index.
  struct Pending {
    PackedReplay place;
    std::unique_ptr<ReplaySummary> summary;  // null: read it from the pack
    // Instead of an addition: removes the pack of `place` from the index.
    bool removes_pack = false;
  };
  // A pack open for writing.
  struct OpenPack {
    PackName name;
    std::shared_ptr<const File> file;
    uint64_t size = 0;
  };

  explicit PackShelf(Options options);

  absl::Status TakeUp();
  // Opens the index; makes it anew if packs are shorter than it says. Returns its extent.
  Covered OpenIndex();
  // Queues all entries beyond `covered` for the index, after those of `found`; then the pending
  // removals. Resets the counts of queued and indexed replays.
  absl::Status LoadBeyond(const Covered& covered, std::vector<PackedReplay> found)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cuts a torn end off. Closes a pack with other trailing bytes for writing.
  absl::Status RepairTail(PackName name, const PackScan& scan)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the pack to which to append this many bytes of a match of this day.
  absl::StatusOr<OpenPack*> PackFor(PackName day, size_t bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<OpenPack> OpenToAppend(PackName name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Append(PackName day, OpenPack* pack, absl::string_view entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Syncs a pack that was written from byte `from` on.
  absl::Status SyncPack(PackName name, uint64_t from) ABSL_EXCLUSIVE_LOCKS_REQUIRED(sync_mutex_);
  // Writes an entry, even if the match has another one.
  absl::Status PutEntry(const ReplaySummary& summary, absl::string_view file);
  // Calls `take` with the replays of a pack that count: skips entries that another entry of the
  // match replaced. Stops at the first error. Returns FailedPrecondition for a replay that cannot
  // be read here.
  absl::Status ForEachIn(
      PackName name,
      absl::FunctionRef<absl::Status(const Replay& replay, absl::string_view file)> take);
  // Stops writing to a pack.
  void Leave(PackName name);
  // Removes the rows and the extent of a pack from the index.
  static absl::Status RemoveRows(PackIndex* index, PackName name);
  // Removes a pack from the index, and waits until that is done.
  absl::Status RemoveFromIndex(PackName name);

  // Loop of the thread that writes the index.
  void WriteIndex();
  // Waits for work; returns the next batch, or none at the end.
  std::vector<Pending> NextBatch();
  absl::Status WriteBatch(const std::vector<Pending>& batch);
  // Makes a damaged index anew, from all packs. After a failure nothing may be added to it.
  absl::Status RenewIndex();
  // Reads all packs while others write to them; returns how far it has read each. Returns Cancelled
  // when the shelf is closed meanwhile.
  absl::StatusOr<Covered> ScanAll(std::vector<PackedReplay>* found);
  // Queues a failed batch again, then waits a little or triggers a renewal of the index.
  void OnFailed(std::vector<Pending> batch, const absl::Status& why);
  // Logs why the index is behind; returns whether to try again.
  bool WaitToRetry(const absl::Status& why);
  void Log(absl::string_view line) const;

  const Options options_;
  const std::shared_ptr<Packs> packs_;
  const Archive archive_;
  std::unique_ptr<PackIndex> index_;  // used by the thread; null: it cannot be opened

  int renewals_ = 0;        // used by the thread
  bool renew_due_ = false;  // used by the thread: the index is not reliable

  Mutex sync_mutex_;                                        // taken before mutex_
  std::set<PackName> failed_ ABSL_GUARDED_BY(sync_mutex_);  // packs whose last sync has failed
  // Entries that were damaged before this process wrote to the pack.
  std::map<PackName, uint64_t> damaged_ ABSL_GUARDED_BY(mutex_);
  Mutex mutex_;
  CondVar changed_;
  std::map<PackName, OpenPack> open_ ABSL_GUARDED_BY(mutex_);  // by the first pack of the day
  std::map<PackName, PackName> last_ ABSL_GUARDED_BY(mutex_);  // the pack to append to, likewise
  Covered written_ ABSL_GUARDED_BY(mutex_);                    // first byte since the last sync
  bool folder_written_ ABSL_GUARDED_BY(mutex_) = false;        // since the last sync
  std::deque<Pending> pending_ ABSL_GUARDED_BY(mutex_);        // entries of a pack are in its order
  uint64_t loads_ ABSL_GUARDED_BY(mutex_) = 0;                 // calls of LoadBeyond
  uint64_t put_ ABSL_GUARDED_BY(mutex_) = 0;                   // queued since the last load
  uint64_t indexed_ ABSL_GUARDED_BY(mutex_) = 0;               // of these
  absl::Status index_status_ ABSL_GUARDED_BY(mutex_);          // result of the last try
  uint64_t failures_ ABSL_GUARDED_BY(mutex_) = 0;              // tries that failed
  std::chrono::seconds retry_pause_ ABSL_GUARDED_BY(mutex_){1};  // after the next failure
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;                      // calls of WaitForIndex
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread indexer_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACK_SHELF_H_
