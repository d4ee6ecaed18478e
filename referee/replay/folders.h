// Replays as files below a folder, by the day (UTC) of a match's creation:
// YYYY/MM/DD/<match-id>.rpl. Duels keep their archives so; a referee packs them (archive.h reads
// both).
#ifndef REFEREE_REPLAY_FOLDERS_H_
#define REFEREE_REPLAY_FOLDERS_H_

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/replay/files.h"
#include "referee/replay/shelf.h"

namespace referee::replay {

// A replay of an archive, in a pack or in a folder.
struct ArchivedReplay {
  MatchId id;
  uint64_t size = 0;  // of the replay, in bytes
  std::string path;   // of the file that it is, or the pack that it is in
};

// A part of a replay, and how many bytes the whole has.
struct ReplayPart {
  std::string bytes;
  uint64_t total = 0;
};

enum class DayOrder { kOldestFirst, kNewestFirst };
// Calls `take` with the path of each folder of a day below `root`, such as "2026/11/24", and the
// names in it (NamesIn), in order, until it returns false. Leaves out folders of years, months and
// days whose path is not `wanted`. Calls `take` with an error for each that cannot be read.
void VisitDays(const std::string& root, DayOrder order,
               absl::FunctionRef<bool(absl::string_view path)> wanted,
               absl::FunctionRef<bool(const std::string& day,
                                      const absl::StatusOr<std::vector<std::string>>& names)>
                   take);

// Finds, lists and reads the replays that are files. Reads the directories each time. Thread-safe.
class Folders {
 public:
  explicit Folders(const std::string& data_dir) : root_(data_dir + "/replays") {}

  // <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, whether there is one or not.
  std::string PathOf(const MatchId& id) const;

  // At most `count` replays whose ids are below `before` (none: from the newest), newest first.
  // Files that are added meanwhile do not disturb it.
  std::vector<ArchivedReplay> Below(const absl::optional<MatchId>& before, size_t count) const;

  // Where a replay is and how large; nothing when there is none.
  absl::optional<ArchivedReplay> Find(const MatchId& id) const;
  // Of all replays there are, in no order. Reads all directories, and no file.
  std::vector<MatchId> Ids() const;
  // The bytes of a replay file. Returns NotFound when there is none.
  absl::StatusOr<std::string> Read(const MatchId& id) const;
  // At most `size` bytes of it from `offset` on, and how many the whole file has.
  absl::StatusOr<ReplayPart> ReadPart(const MatchId& id, uint64_t offset, size_t size) const;

  // Why folders of days could not be read: for each an error that names it. Reads all directories.
  std::vector<absl::Status> Problems() const;

 private:
  const std::string root_;
};

// The shelf as such files. Thread-safe.
class DayFolders final : public Shelf {
 public:
  // Makes <data_dir>/replays. Returns an error that names the directory and what to do.
  // `sync` is syncfs(2), or another in tests.
  static absl::StatusOr<std::unique_ptr<DayFolders>> Make(const std::string& data_dir,
                                                          std::function<int(int fd)> sync = syncfs);

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override;
  absl::StatusOr<std::string> Read(const MatchId& id) const override { return folders_.Read(id); }
  // Syncs the file system as a whole (syncfs). What a sync could not put there the system takes for
  // written: the files that were Put since the last one that went well are written again first.
  // Returns DataLoss that names one that is not whole any more.
  absl::Status Sync() override;

 private:
  // What may not be on the disk: was not synced since it was put, or its sync has failed.
  struct Due {
    bool earlier = true;       // others than `ids` too, perhaps of an earlier process
    std::vector<MatchId> ids;  // were put whole
  };

  DayFolders(const std::string& data_dir, std::function<int(int fd)> sync, File root);

  absl::Status Write(const MatchId& id, absl::string_view file) const;
  absl::Status WriteAgain(const Due& due) const;

  const Folders folders_;
  const std::string root_path_;
  const std::function<int(int fd)> sync_;
  const File root_;  // open as long as this is, to hear of failed writes

  Mutex sync_mutex_;                                  // taken before mutex_
  bool failed_ ABSL_GUARDED_BY(sync_mutex_) = false;  // the last sync
  Mutex mutex_;
  Due due_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FOLDERS_H_
