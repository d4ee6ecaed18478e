// Replay files as a command line names them: files, directories, "-".
#ifndef REFEREE_CTL_REPLAY_FILES_H_
#define REFEREE_CTL_REPLAY_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// Replaces each directory by all .rpl files below it, sorted by path; other paths stay. Returns
// NotFound for a directory without any.
absl::StatusOr<std::vector<std::string>> ExpandReplayPaths(const std::vector<std::string>& paths);

// How messages name a file: "-" is "standard input".
std::string ReplayPathText(const std::string& path);

// Reads and parses a file. Errors begin with its name.
absl::StatusOr<replay::Replay> LoadReplay(const std::string& path);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_FILES_H_
