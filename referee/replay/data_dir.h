// A referee's data directory as a whole: the lock that lets one referee at a time use it, its
// quarantine, what it holds, and the versions of that. Thread-safe.
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

// Takes the lock of a data directory, which the returned file holds until it is closed; makes the
// directories if need be. Returns FailedPrecondition when another process has it, or an error that
// names the directory and what to do.
absl::StatusOr<File> LockDataDir(const std::string& data_dir);

// Names the file of a lock among all files of this machine until the next boot, by its device and
// inode numbers. A copy has another name, even a snapshot or an overlay, which keeps the inode.
// Returns an empty string if the system does not know.
std::string IdentityOf(const File& lock);

// Checks that a program that makes a data directory may write there: the path does not exist, or is
// an empty folder, or a data directory. A key may be there before all else. Returns AlreadyExists
// that names the folder when it holds other files, or the file system's error. Changes nothing.
absl::Status CheckNewOrDataDir(const std::string& path);

// Whether another process has the lock of a data directory, as far as that can be seen. Makes no
// file; one that takes the lock at this very moment waits a little.
bool IsDataDirLocked(const std::string& data_dir);

// <data_dir>/quarantine, where files are kept that cannot be used, for people to look at.
std::string QuarantineDir(const std::string& data_dir);
// Writes `bytes` there as file `name`, and `reason` as <name>.reason. Only the owner may read them.
absl::Status Quarantine(const std::string& data_dir, absl::string_view name,
                        absl::string_view bytes, absl::string_view reason);

// Check that this program knows the versions of what an earlier referee left: of the log and its
// matches, also while a referee writes it; and of the newest replays
// (limits::kMaxRememberedMatches). Return FailedPrecondition that names the file, its version and
// what to do. They pass over damaged files, and change nothing.
absl::Status CheckLogVersions(const std::string& data_dir);
absl::Status CheckArchiveVersions(const std::string& data_dir);
// Both, in this order.
absl::Status CheckVersions(const std::string& data_dir);

// --- What it holds, before a referee starts there ---

// The files of one format.
struct FoundFormat {
  int64_t files = 0;
  int version = 0;  // the highest of them, known here or not; 0: there is no file
};

struct FoundData {
  FoundFormat log;      // segments, those that are free included
  FoundFormat replays;  // of the newest limits::kMaxRememberedMatches
  FoundFormat packs;
  // Whether this program goes on with each: what CheckLogVersions and CheckArchiveVersions say.
  absl::Status log_known;
  absl::Status archive_known;
  // What of the archive is torn or damaged, as Archive::Problems says; a start cuts torn ends off.
  std::vector<absl::Status> archive_problems;
  // Of the matches in the log that can be read here: those that go on, and those that are over and
  // have to be archived still.
  int64_t open_matches = 0;
  int64_t over_matches = 0;
  int64_t damaged_matches = 0;  // would be set aside
};

// Looks, and changes nothing; a referee may run there meanwhile. Nothing is found where there is no
// directory.
FoundData FindData(const std::string& data_dir);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_DATA_DIR_H_
