// Replay files as a command line names them: files, directories, "-".
#ifndef REFEREE_CTL_REPLAY_FILES_H_
#define REFEREE_CTL_REPLAY_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace referee::ctl {

// All .rpl files below a directory, sorted by path. Returns NotFound when there is none.
absl::StatusOr<std::vector<std::string>> ReplaysBelow(const std::string& directory);

// How messages name a file: "-" is "standard input".
std::string ReplayPathText(const std::string& path);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_FILES_H_
