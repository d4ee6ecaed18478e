#include "referee/ctl/archive/shelf.h"

#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::ctl {

CLI::Option* AddShelfFlag(CLI::App* command, std::string* shelf, const std::string& description) {
  return AddOption(command, "--shelf", "ADDRESS", shelf, description);
}

CLI::Option* AddPlaceFlags(CLI::App* command, std::string* data_dir, std::string* shelf) {
  CLI::Option* const place =
      AddOption(command, "--data-dir", "DIR", data_dir, "The daemon's data directory");
  return AddShelfFlag(command, shelf,
                      "In place of it: the shelf that daemons share, a directory or "
                      "s3://BUCKET/PREFIX?endpoint=URL&region=REGION")
      ->excludes(place);
}

absl::Status NoArchiveNamed() {
  return absl::InvalidArgumentError(
      "no archive is named: give --data-dir and a daemon's data directory, or --shelf and the "
      "address of a shelf");
}

absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> OpenShelf(const std::string& address) {
  absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf = shelf::OpenShelf(address);
  if (!shelf.ok()) return At("--shelf", shelf.status());
  return shelf;
}

}  // namespace referee::ctl
