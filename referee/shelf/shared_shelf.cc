#include "referee/shelf/shared_shelf.h"

#include <utility>

#include "absl/types/variant.h"
#include "referee/shelf/address.h"
#include "referee/shelf/directory_shelf.h"
#include "referee/shelf/s3_shelf.h"

namespace referee::shelf {

absl::StatusOr<std::unique_ptr<SharedShelf>> OpenShelf(absl::string_view address,
                                                       absl::Duration call_limit) {
  const Environment environment = ProcessEnvironment();
  absl::StatusOr<ShelfAddress> parsed = ParseShelfAddress(address, environment);
  if (!parsed.ok()) return parsed.status();
  if (const auto* directory = absl::get_if<DirectoryAddress>(&*parsed)) {
    return DirectoryShelf::Open(directory->path);
  }
  S3Shelf::Options options;
  options.address = absl::get<S3Address>(*std::move(parsed));
  options.environment = environment;
  options.call_limit = call_limit;
  return S3Shelf::Open(std::move(options));
}

}  // namespace referee::shelf
