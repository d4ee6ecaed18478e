// The shelf as files: <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, by the day (UTC) of a match's
// creation. folders.h reads the same files.
#ifndef REFEREE_REPLAY_DAY_FOLDERS_H_
#define REFEREE_REPLAY_DAY_FOLDERS_H_

#include <memory>
#include <string>

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
  static absl::StatusOr<std::unique_ptr<DayFolders>> Make(const std::string& data_dir);

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override;
  absl::StatusOr<std::string> Read(const MatchId& id) const override;
  bool Has(const MatchId& id) const override;
  // Syncs the file system as a whole (syncfs).
  absl::Status Sync() override;

 private:
  DayFolders(const std::string& data_dir, File root);

  const Folders folders_;
  const std::string root_path_;
  const File root_;  // open as long as this is, to hear of failed writes

  Mutex mutex_;
  std::string made_ ABSL_GUARDED_BY(mutex_);  // the folder of a day that is there
  absl::Status synced_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_DAY_FOLDERS_H_
