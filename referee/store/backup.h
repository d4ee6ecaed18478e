// A backup of a referee's data directory, made while the referee runs, and taken back. STORE.md
// says what is in it, in which form, and which order of copying makes every backup whole. Functions
// of the files; thread-safe.
#ifndef REFEREE_STORE_BACKUP_H_
#define REFEREE_STORE_BACKUP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace referee::store {

struct BackupReport {
  int64_t number = 0;   // of the backup in its directory, from 1
  int64_t files = 0;    // of the data directory
  uint64_t bytes = 0;   // of all
  uint64_t copied = 0;  // of these, in this call
  // What of the archive is torn or damaged, an error for each pack: a copy has no torn end.
  std::vector<absl::Status> problems;
};

// Makes the directory `to` a backup of `data_dir` as it is now, its files for their owner only;
// copies what is not in it yet. `now` is the wall time. Returns FailedPrecondition when something
// else is in `to`, or another call works on it; or an error that names the file. After an error the
// former backup is whole.
absl::StatusOr<BackupReport> Backup(const std::string& data_dir, const std::string& to,
                                    absl::Time now);

// Makes `data_dir`, which must not be there or be empty, of the backup `from`. Moves replays that
// are files into packs, makes the archive's index anew, and begins another life of the store
// (Store::BeginLife). Returns DataLoss that names the file when it is not what the manifest says,
// AlreadyExists when there is something in `data_dir`, or an error that names the file. After an
// error there is no `data_dir`, or an empty one.
absl::StatusOr<BackupReport> Restore(const std::string& from, const std::string& data_dir);

// The file in a backup's directory that whoever works on it has locked, and the manifest.
inline constexpr char kBackupLock[] = "backup.lock";
inline constexpr char kBackupManifest[] = "manifest";

}  // namespace referee::store

#endif  // REFEREE_STORE_BACKUP_H_
