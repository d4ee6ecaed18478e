// The shelf as packs: <data_dir>/replays/packs/YYYY-MM-DD.<n>.pack, by the day (UTC) of a match's
// creation, and their index, which a thread of its own writes. Nobody who puts a replay waits for
// the index. What is still a file in a folder of a day is read as well.
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
    // Takes log lines, for people, on any thread: what was found at the start, and why the index
    // cannot be written. May be null.
    std::function<void(absl::string_view line)> log = nullptr;
  };

  // Makes the folders, cuts off what a killed process has written of an entry, and takes up what is
  // in packs and not in the index. Returns an error that names the file and what to do. REQUIRES:
  // the caller holds the lock of the data directory (data_dir.h) as long as the shelf lives.
  static absl::StatusOr<std::unique_ptr<PackShelf>> Open(Options options);
  // Leaves what is not in the index yet to the next start, if that is much.
  ~PackShelf() override;

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override;
  // The same, of a replay that is in a folder: only what is in a pack counts as put before.
  absl::Status Repack(const ReplaySummary& summary, absl::string_view file);
  absl::StatusOr<std::string> Read(const MatchId& id) const override { return archive_.Read(id); }
  bool Has(const MatchId& id) const { return archive_.Has(id); }
  // As Read, of what is in packs.
  absl::StatusOr<std::string> ReadPacked(const MatchId& id) const;
  // Syncs the packs that were written to (fdatasync), the first time also by an earlier process.
  absl::Status Sync() override;

  // What became of a pack that was to be removed.
  struct Removal {
    int64_t gone = 0;   // replays
    int64_t moved = 0;  // replays that are kept, and are in another pack of the day now
    bool held = false;  // the pack stays: nothing in it may go, or it cannot be read
  };
  // What goes and what stays when a pack is removed.
  struct RemovalRules {
    // Whether a replay is kept, by the request id that made the match.
    std::function<bool(absl::string_view request_id)> keep;
    // Called with the matches whose replays go, just before they do. An error leaves the pack.
    std::function<absl::Status(const absl::flat_hash_set<std::string>& match_ids)> on_removing;
  };
  // Removes a pack, with all replays that are not kept; those that are, are put into the last pack
  // of the day, on the disk, before. Notes what goes in the record of retention.h and the index.
  // May be interrupted at any moment, and called again, on one thread at a time. Returns the error
  // of the file system or the index; then the pack stays.
  absl::StatusOr<Removal> RemovePack(PackName name, absl::Time now, const RemovalRules& rules);

  // The archive that this writes to, as it is at each moment.
  const Archive& archive() const { return archive_; }

  // Waits until all that was put before is in the index; calls `progress`, which may be null, now
  // and then with how much is left. Returns why it cannot be written to.
  absl::Status WaitForIndex(const std::function<void(size_t left)>& progress = nullptr);

 private:
  // A replay to be added to the index.
  struct Pending {
    PackedReplay place;
    std::unique_ptr<ReplaySummary> summary;  // null: to be read from the pack
    // The pack of `place` goes, with all that the index says of it; nothing is added.
    bool removes_pack = false;
  };
  // A pack that is written to.
  struct OpenPack {
    PackName name;
    std::shared_ptr<const File> file;
    uint64_t size = 0;
  };

  explicit PackShelf(Options options);

  absl::Status TakeUp();
  // Opens the index, anew if the packs have lost what it says; returns how far it goes.
  Covered OpenIndex();
  // Has all entries of packs beyond `covered` indexed, after those of `found`, and then what is to
  // be removed still. What was put or indexed before no longer counts.
  absl::Status LoadBeyond(const Covered& covered, std::vector<PackedReplay> found)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Cuts off what is torn; a pack that goes on otherwise takes no more.
  absl::Status RepairTail(PackName name, const PackScan& scan)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The pack that takes so many bytes of a match of this day.
  absl::StatusOr<OpenPack*> PackFor(PackName day, size_t bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<OpenPack> OpenToAppend(PackName name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Append(PackName day, OpenPack* pack, absl::string_view entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Syncs a pack, of which bytes from `from` on were written.
  absl::Status SyncPack(PackName name, uint64_t from) ABSL_EXCLUSIVE_LOCKS_REQUIRED(sync_mutex_);
  // Writes an entry, whatever there is of the match.
  absl::Status PutEntry(const ReplaySummary& summary, absl::string_view file);
  // Calls `take` with the replays of a pack that count: not those of which another entry does.
  // Stops at the first error. FailedPrecondition: one cannot be read here.
  absl::Status ForEachIn(
      PackName name,
      absl::FunctionRef<absl::Status(const Replay& replay, absl::string_view file)> take);
  // Nothing is written to the pack of this name from here on.
  void Leave(PackName name);
  // Removes all that the index says of a pack, and how far it goes there.
  static absl::Status RemoveRows(PackIndex* index, PackName name);
  // Has the index forget the pack, and waits for that.
  absl::Status RemoveFromIndex(PackName name);

  // The thread that writes the index.
  void WriteIndex();
  // Waits for something to do; returns what the next write takes, nothing at the end.
  std::vector<Pending> NextBatch();
  absl::Status WriteBatch(const std::vector<Pending>& batch);
  // Makes a damaged index anew, from all packs. Unless it has gone well nothing may be added.
  absl::Status RenewIndex();
  // Reads all packs while others write to them; returns how far it has seen each. Cancelled: the
  // shelf is closed meanwhile.
  absl::StatusOr<Covered> ScanAll(std::vector<PackedReplay>* found);
  // Takes a batch back that could not be written, and waits a little or has the index renewed.
  void OnFailed(std::vector<Pending> batch, const absl::Status& why);
  // Says why the index is behind; returns whether to try again.
  bool WaitToRetry(const absl::Status& why);
  void Log(absl::string_view line) const;

  const Options options_;
  const std::shared_ptr<Packs> packs_;
  const Archive archive_;
  std::unique_ptr<PackIndex> index_;  // of the thread; null: it cannot be opened

  int renewals_ = 0;        // of the thread
  bool renew_due_ = false;  // of the thread: what the index has is not to be relied on

  Mutex sync_mutex_;                                        // taken before mutex_
  std::set<PackName> failed_ ABSL_GUARDED_BY(sync_mutex_);  // of which the last sync has failed
  // Entries that were damaged before anything was written here.
  std::map<PackName, uint64_t> damaged_ ABSL_GUARDED_BY(mutex_);
  Mutex mutex_;
  CondVar changed_;
  std::map<PackName, OpenPack> open_ ABSL_GUARDED_BY(mutex_);  // by the first pack of the day
  std::map<PackName, PackName> last_ ABSL_GUARDED_BY(mutex_);  // likewise: which to append to
  Covered written_ ABSL_GUARDED_BY(mutex_);                    // since the last sync: from where on
  bool folder_written_ ABSL_GUARDED_BY(mutex_) = false;        // since the last sync
  std::deque<Pending> pending_ ABSL_GUARDED_BY(mutex_);        // those of a pack in its order
  uint64_t loads_ ABSL_GUARDED_BY(mutex_) = 0;                 // calls of LoadBeyond
  uint64_t put_ ABSL_GUARDED_BY(mutex_) = 0;                   // to be indexed, since the last load
  uint64_t indexed_ ABSL_GUARDED_BY(mutex_) = 0;               // of these
  absl::Status index_status_ ABSL_GUARDED_BY(mutex_);          // of the last try
  uint64_t failures_ ABSL_GUARDED_BY(mutex_) = 0;              // tries that failed
  std::chrono::seconds retry_pause_ ABSL_GUARDED_BY(mutex_){1};  // after the next failure
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;                      // calls of WaitForIndex
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread indexer_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACK_SHELF_H_
