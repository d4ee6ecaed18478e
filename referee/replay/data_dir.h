// A referee's data directory as a whole: the lock that lets one referee at a time use it, its
// quarantine, and the versions of what is in it. Thread-safe.
#ifndef REFEREE_REPLAY_DATA_DIR_H_
#define REFEREE_REPLAY_DATA_DIR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/files.h"

namespace referee::replay {

// Takes the lock of a data directory, which the returned file holds until it is closed; makes the
// directories if need be. Returns FailedPrecondition when another process has it, or an error that
// names the directory and what to do.
absl::StatusOr<File> LockDataDir(const std::string& data_dir);

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

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_DATA_DIR_H_
