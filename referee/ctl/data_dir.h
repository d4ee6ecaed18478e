// Checks of a referee's data directory that commands make first.
#ifndef REFEREE_CTL_DATA_DIR_H_
#define REFEREE_CTL_DATA_DIR_H_

#include <string>

#include "absl/status/status.h"

namespace referee::ctl {

// Returns PermissionDenied when the directory belongs to another user than the one who runs this:
// the referee could not read what is made there. OK when there is no such directory.
absl::Status CheckOwner(const std::string& data_dir);

// Returns NotFound that names --data-dir unless there is such a directory.
absl::Status CheckFolder(const std::string& data_dir);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DATA_DIR_H_
