// A referee's data directory: its lock, its quarantine, its contents and their format versions.
//
// The lock lets only one referee at a time use the directory. Thread-safe.
#ifndef REFEREE_REPLAY_DATA_DIR_H_
#define REFEREE_REPLAY_DATA_DIR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/files.h"

namespace referee::replay {

// Takes the lock of a data directory; the returned file holds the lock until it is closed. Makes
// the directories if needed. Returns FailedPrecondition when another process holds the lock, or an
// error that names the directory and what to do.
absl::StatusOr<File> LockDataDir(const std::string& data_dir);

// Returns the device and inode numbers of a lock file as text. They identify the file on this
// machine until the next boot. A copy has other numbers, even a snapshot or an overlay, which keeps
// the inode. Returns an empty string if the system does not know them.
std::string IdentityOf(const File& lock);

// Checks that a program may make a data directory at `path`. OK if the path does not exist, or is
// an empty folder or a data directory. A key alone also makes a data directory. Returns
// AlreadyExists that names the folder when it holds other files, or the file system's error.
// Changes nothing.
absl::Status CheckNewOrDataDir(const std::string& path);

// Returns whether another process appears to hold the lock of a data directory. Makes no file. A
// process that takes the lock at the same moment waits briefly.
bool IsDataDirLocked(const std::string& data_dir);

// <data_dir>/quarantine: files that cannot be used, kept for inspection.
std::string QuarantineDir(const std::string& data_dir);
// Writes `bytes` to file `name` in the quarantine, and `reason` to <name>.reason. Both have mode
// 0600.
absl::Status Quarantine(const std::string& data_dir, absl::string_view name,
                        absl::string_view bytes, absl::string_view reason);

// Check that this program knows the format versions of an earlier referee's files. CheckLogVersions
// reads the log and its matches, even while a referee writes them. CheckArchiveVersions reads the
// newest limits::kMaxRememberedMatches replays. Return FailedPrecondition that names the file, its
// version and what to do. They skip damaged files and change nothing.
absl::Status CheckLogVersions(const std::string& data_dir);
absl::Status CheckArchiveVersions(const std::string& data_dir);
// Both, in this order.
absl::Status CheckVersions(const std::string& data_dir);

// --- Contents, before a referee starts in the directory ---

// The files of one format.
struct FoundFormat {
  int64_t files = 0;
  int version = 0;  // the highest, known here or not; 0: no file
};

struct FoundData {
  FoundFormat log;      // segments, free ones included
  FoundFormat replays;  // of the newest limits::kMaxRememberedMatches
  FoundFormat packs;
  // Whether this program can use each: the results of CheckLogVersions and CheckArchiveVersions.
  absl::Status log_known;
  absl::Status archive_known;
  // Torn or damaged parts of the archive, as Archive::Problems reports them. A start cuts torn
  // ends off.
  std::vector<absl::Status> archive_problems;
  // Matches in the log that this program can read: still running, and over but not archived yet.
  int64_t open_matches = 0;
  int64_t over_matches = 0;
  int64_t damaged_matches = 0;  // a start would quarantine them
};

// Examines a data directory without changing it. A referee may run there. Returns an empty result
// if the directory does not exist.
FoundData FindData(const std::string& data_dir);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_DATA_DIR_H_
