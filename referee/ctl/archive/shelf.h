// The flag --shelf, which names the replay store of a fleet.
#ifndef REFEREE_CTL_ARCHIVE_SHELF_H_
#define REFEREE_CTL_ARCHIVE_SHELF_H_

#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::ctl {

// Adds --shelf; `description` says what it is used for.
CLI::Option* AddShelfFlag(CLI::App* command, std::string* shelf, const std::string& description);
// Adds --data-dir and --shelf, which exclude each other. Returns the option --shelf.
CLI::Option* AddPlaceFlags(CLI::App* command, std::string* data_dir, std::string* shelf);
// The error if neither flag is given.
absl::Status NoArchiveNamed();

// Opens the replay store. Errors name the flag.
absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> OpenShelf(const std::string& address);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ARCHIVE_SHELF_H_
