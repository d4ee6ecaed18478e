// Detects that the log of a data directory is a copy of another one.
//
// A resumed copy would play the same matches as the original referee, which publishes their seeds.
//
// The file <data_dir>/log/origin holds its own inode and creation time, which a copy does not
// share. Each start writes a new one. A directory that is renamed, or whose disk moves to another
// machine, keeps its origin.
//
// REQUIRES for all functions: the caller holds the lock of the data directory (data_dir.h). Errors
// are those of the file system.
#ifndef REFEREE_REPLAY_LOG_ORIGIN_H_
#define REFEREE_REPLAY_LOG_ORIGIN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace referee::replay {

// Returns whether the log is a copy of another data directory's. A log without an origin is a copy
// if a referee has used the directory (`used`), because that referee marked its log. Changes
// nothing, and needs no lock.
absl::StatusOr<bool> IsCopiedLog(const std::string& data_dir, bool used);

// Moves the log and its memory to a new folder <data_dir>/copied/<number>, and returns its path.
// May be interrupted and called again.
absl::StatusOr<std::string> MoveCopiedLog(const std::string& data_dir);

// Makes the log folder if needed, and writes its origin.
absl::Status MarkLog(const std::string& data_dir);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LOG_ORIGIN_H_
