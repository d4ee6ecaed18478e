// Shelves that a fleet shares, as commands name and list them.
#ifndef REFEREE_CTL_ARCHIVE_SHELF_H_
#define REFEREE_CTL_ARCHIVE_SHELF_H_

#include <cstdint>
#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/ctl/command.h"
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

struct ShelfList {
  std::string address;
  absl::optional<absl::Time> from;   // made then, or later
  absl::optional<absl::Time> until;  // made before
  std::string after;                 // newer than this match, which is named by --after
  uint64_t limit = 0;
  bool json = false;
};
// Prints what is on a shelf, oldest first. Returns kNegative if no replay is as `list` says,
// unless `after` asks for a next page.
absl::StatusOr<Exit> ListShelf(const ShelfList& list, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ARCHIVE_SHELF_H_
