// Where a referee keeps its data, as commands name it: flags, and checks that they make first.
#ifndef REFEREE_CTL_DATA_DIR_H_
#define REFEREE_CTL_DATA_DIR_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "referee/store/place.h"

namespace referee::ctl {

// Adds --data-dir, which is required. `data_dir` must outlive the parsing of the command line.
CLI::Option* AddDataDirFlag(CLI::App* command, std::string* data_dir,
                            const std::string& description = "The daemon's data directory");
// Adds --store. `url` must outlive the parsing of the command line.
CLI::Option* AddStoreFlag(CLI::App* command, std::string* url, const std::string& description);

// Names the flag that an error of opening a store is about.
absl::Status AtStoreFlag(const store::Place& place, const absl::Status& status);

// Returns PermissionDenied when the directory belongs to another user than the one who runs this:
// the referee could not read what is made there. OK when there is no such directory.
absl::Status CheckOwner(const std::string& data_dir);

// Returns NotFound that names --data-dir unless there is such a directory.
absl::Status CheckFolder(const std::string& data_dir);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DATA_DIR_H_
