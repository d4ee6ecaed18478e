// The shelf as files: <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, by the day (UTC) of a match's
// creation. folders.h reads the same files.
#ifndef REFEREE_REPLAY_DAY_FOLDERS_H_
#define REFEREE_REPLAY_DAY_FOLDERS_H_

#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/replay/files.h"
#include "referee/replay/folders.h"
#include "referee/replay/shelf.h"

namespace referee::replay {

// Thread-safe.
class DayFolders final : public Shelf {
 public:
  // Makes <data_dir>/replays. Returns an error that names the directory and what to do.
  // `sync` is syncfs(2), or another in tests.
  static absl::StatusOr<std::unique_ptr<DayFolders>> Make(const std::string& data_dir,
                                                          std::function<int(int fd)> sync = syncfs);

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override;
  absl::StatusOr<std::string> Read(const MatchId& id) const override;
  bool Has(const MatchId& id) const override;
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

  absl::Status Write(const MatchId& id, absl::string_view file);
  absl::Status WriteAgain(const Due& due);
  absl::Status SyncAll() const;

  const Folders folders_;
  const std::string root_path_;
  const std::function<int(int fd)> sync_;
  const File root_;  // open as long as this is, to hear of failed writes

  Mutex sync_mutex_;                                  // taken before mutex_
  bool failed_ ABSL_GUARDED_BY(sync_mutex_) = false;  // the last sync
  Mutex mutex_;
  std::string made_ ABSL_GUARDED_BY(mutex_);  // the folder of a day that is there
  Due due_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_DAY_FOLDERS_H_
