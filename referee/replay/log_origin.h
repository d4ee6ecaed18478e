// Tells the log of a data directory from a copy of it. Whoever resumed a copy would play the same
// matches as the referee of the original, which publishes their seeds.
//
// The file <data_dir>/log/origin names itself: by its inode and the time at which it was made,
// which no copy has. Each start writes a new one. A directory that is renamed, or whose disk moves
// to another machine, keeps its origin.
//
// Call these with the lock of the data directory (data_dir.h). Errors are those of the file system.
#ifndef REFEREE_REPLAY_LOG_ORIGIN_H_
#define REFEREE_REPLAY_LOG_ORIGIN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace referee::replay {

// Whether the log is a copy of another data directory's. A log without an origin is one if a
// referee has used the directory (`used`), since that has marked its log. Changes nothing, and
// needs no lock.
absl::StatusOr<bool> IsCopiedLog(const std::string& data_dir, bool used);

// Moves the log and its memory to a new folder <data_dir>/copied/<number>, and returns its path.
// May be interrupted, and called again.
absl::StatusOr<std::string> MoveCopiedLog(const std::string& data_dir);

// Makes the folder of the log if need be, and says that the log in it belongs there.
absl::Status MarkLog(const std::string& data_dir);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_ORIGIN_H_
