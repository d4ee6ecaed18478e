// Makes a backup of a referee's data directory while the referee runs, and restores it.
//
// STORE.md says what is in a backup, in which form, and which order of copying makes it consistent.
// Functions of the files; thread-safe.
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
  int64_t number = 0;   // number of the backup in its directory, from 1
  int64_t files = 0;    // from the data directory
  uint64_t bytes = 0;   // size of all files
  uint64_t copied = 0;  // copied in this call
  // An error for each torn or damaged pack of the archive. The copy has no torn end.
  std::vector<absl::Status> problems;
};

// Makes the directory `to` a backup of the current `data_dir`, readable by its owner only. Copies
// only what is not in it yet. `now` is the wall time. Returns FailedPrecondition when `to` holds
// anything else, or another call is working on it; or an error that names the file. After an error
// the former backup is intact.
absl::StatusOr<BackupReport> Backup(const std::string& data_dir, const std::string& to,
                                    absl::Time now);

// Makes `data_dir`, which must be missing or empty, from the backup `from`. Moves replays that are
// files into packs, makes the archive's index anew, and begins another life of the store
// (Store::BeginLife). Returns DataLoss that names a file that does not match the manifest,
// AlreadyExists when `data_dir` is not empty, or an error that names the file. After an error
// `data_dir` is missing or empty.
absl::StatusOr<BackupReport> Restore(const std::string& from, const std::string& data_dir);

// The lock file of a backup's directory, and its manifest.
inline constexpr char kBackupLock[] = "backup.lock";
inline constexpr char kBackupManifest[] = "manifest";

}  // namespace referee::store

#endif  // REFEREE_STORE_BACKUP_H_
