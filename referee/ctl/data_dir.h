// Flags that name a referee's data directory and store, and checks of these.
#ifndef REFEREE_CTL_DATA_DIR_H_
#define REFEREE_CTL_DATA_DIR_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "referee/store/place.h"

namespace referee::ctl {

// Adds --data-dir, which is required. `data_dir` must outlive the parsing.
CLI::Option* AddDataDirFlag(CLI::App* command, std::string* data_dir,
                            const std::string& description = "The daemon's data directory");
// Adds --store. `url` must outlive the parsing.
CLI::Option* AddStoreFlag(CLI::App* command, std::string* url, const std::string& description);

// Adds the name of the flag to an error of opening the store.
absl::Status AtStoreFlag(const store::Place& place, const absl::Status& status);

// Returns PermissionDenied if the directory belongs to another user than the one who runs refctl:
// the referee could not read files made there. OK if the directory does not exist.
absl::Status CheckOwner(const std::string& data_dir);

// Returns NotFound that names --data-dir if the directory does not exist.
absl::Status CheckFolder(const std::string& data_dir);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DATA_DIR_H_
