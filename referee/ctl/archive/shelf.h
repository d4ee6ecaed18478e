// Shelves that a fleet shares, as commands name them.
#ifndef REFEREE_CTL_ARCHIVE_SHELF_H_
#define REFEREE_CTL_ARCHIVE_SHELF_H_

#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::ctl {

// Adds --shelf, of which `description` says what it is for.
CLI::Option* AddShelfFlag(CLI::App* command, std::string* shelf, const std::string& description);
// Adds --data-dir and --shelf, of which one at most can be given. Returns the latter.
CLI::Option* AddPlaceFlags(CLI::App* command, std::string* data_dir, std::string* shelf);
// Of a command that was given neither.
absl::Status NoArchiveNamed();

// Errors name the flag.
absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> OpenShelf(const std::string& address);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ARCHIVE_SHELF_H_
