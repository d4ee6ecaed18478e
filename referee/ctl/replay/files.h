// Replay files as a command line names them: files, directories, "-".
#ifndef REFEREE_CTL_REPLAY_FILES_H_
#define REFEREE_CTL_REPLAY_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/replay/pack.h"

namespace referee::ctl {

struct FoundReplays {
  std::vector<std::string> paths;      // sorted
  std::vector<absl::Status> problems;  // why folders could not be read; each names its own
};

// All .rpl files and packs below a directory. Returns NotFound when there is none.
absl::StatusOr<FoundReplays> ReplaysBelow(const std::string& directory);

// Whether a file is a pack, by its name.
bool IsPack(const std::string& path);
// Adds the replays in a pack, in its order. Returns DataLoss that names the place when not all of
// it can be read; what can be is added.
absl::Status AddReplaysInPack(const std::string& path, std::vector<replay::PackedReplay>* found);
absl::StatusOr<std::string> ReadFromPack(const std::string& path,
                                         const replay::PackedReplay& packed);

// How messages name a file: "-" is "standard input".
std::string ReplayPathText(const std::string& path);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_FILES_H_
