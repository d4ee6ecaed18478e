// Opens a shelf by its address.
#ifndef REFEREE_SHELF_OPEN_H_
#define REFEREE_SHELF_OPEN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/shelf/limits.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::shelf {

// Takes what the address (address.h) leaves out from the environment of this process. `call_limit`
// is for how long a call tries again what fails; zero: it tries once. Returns InvalidArgument for
// another address, NotFound when its directory is not there, FailedPrecondition when there are no
// credentials. Asks nothing of a server.
absl::StatusOr<std::unique_ptr<SharedShelf>> OpenShelf(
    absl::string_view address, absl::Duration call_limit = limits::kShelfCallLimit);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_OPEN_H_
