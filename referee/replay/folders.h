// Replays as files by the day (UTC) of a match's creation: YYYY/MM/DD/<match-id>.rpl.
//
// Duels keep their archives in this form; a referee packs them. archive.h reads both.
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

// The location of a replay in an archive: a pack or a file of its own.
struct ArchivedReplay {
  MatchId id;
  uint64_t size = 0;  // of the replay, in bytes
  std::string path;   // of the replay file, or of the pack that contains it
};

// A part of a replay, and the size of the whole replay in bytes.
struct ReplayPart {
  std::string bytes;
  uint64_t total = 0;
};

enum class DayOrder { kOldestFirst, kNewestFirst };
// Calls `take` for each folder of a day below `root`, in order, until `take` returns false. `day`
// is a path such as "2026/11/24"; `names` are the names in it (NamesIn). Skips folders of years,
// months and days whose path is not `wanted`. Calls `take` with an error for each folder that
// cannot be read.
void VisitDays(const std::string& root, DayOrder order,
               absl::FunctionRef<bool(absl::string_view path)> wanted,
               absl::FunctionRef<bool(const std::string& day,
                                      const absl::StatusOr<std::vector<std::string>>& names)>
                   take);

// Finds, lists and reads replays that are files. Each call reads the directories. Thread-safe.
class Folders {
 public:
  explicit Folders(const std::string& data_dir) : root_(data_dir + "/replays") {}

  // Returns <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, whether or not the file exists.
  std::string PathOf(const MatchId& id) const;

  // Returns at most `count` replays with ids below `before`, newest first; if not set, from the
  // newest. Files added meanwhile do not disturb the result.
  std::vector<ArchivedReplay> Below(const absl::optional<MatchId>& before, size_t count) const;

  // Returns the location and size of a replay; none when it does not exist.
  absl::optional<ArchivedReplay> Find(const MatchId& id) const;
  // Returns the ids of all replays, unsorted. Reads all directories, and no file.
  std::vector<MatchId> Ids() const;
  // Returns the bytes of a replay file, or NotFound.
  absl::StatusOr<std::string> Read(const MatchId& id) const;
  // Returns at most `size` bytes of the file from `offset` on, and the size of the whole file.
  absl::StatusOr<ReplayPart> ReadPart(const MatchId& id, uint64_t offset, size_t size) const;

  // Reads all directories, and returns an error for each that cannot be read. The error names the
  // folder.
  std::vector<absl::Status> Problems() const;

 private:
  const std::string root_;
};

// Stores replays as files in folders of days. Thread-safe.
class DayFolders final : public Shelf {
 public:
  // Makes <data_dir>/replays. Returns an error that names the directory and what to do. `sync` is
  // syncfs(2), or a fake in tests.
  static absl::StatusOr<std::unique_ptr<DayFolders>> Make(const std::string& data_dir,
                                                          std::function<int(int fd)> sync = syncfs);

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override;
  absl::StatusOr<std::string> Read(const MatchId& id) const override { return folders_.Read(id); }
  // Syncs the whole file system (syncfs). After a failed sync the system considers unwritten data
  // written. So Sync first rewrites the files that were Put since the last successful sync. Returns
  // DataLoss that names a file that is not whole any more.
  absl::Status Sync() override;

 private:
  // Files that may not be on the disk: not synced since they were put, or their sync has failed.
  struct Due {
    bool earlier = true;       // also files not in `ids`, perhaps of an earlier process
    std::vector<MatchId> ids;  // written whole
  };

  DayFolders(const std::string& data_dir, std::function<int(int fd)> sync, File root);

  absl::Status Write(const MatchId& id, absl::string_view file) const;
  absl::Status WriteAgain(const Due& due) const;

  const Folders folders_;
  const std::string root_path_;
  const std::function<int(int fd)> sync_;
  const File root_;  // stays open, so that syncfs reports failed writes

  Mutex sync_mutex_;                                  // taken before mutex_
  bool failed_ ABSL_GUARDED_BY(sync_mutex_) = false;  // the last sync
  Mutex mutex_;
  Due due_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FOLDERS_H_
