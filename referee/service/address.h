// Addresses to listen on: "host:port" or "unix:path".
#ifndef REFEREE_SERVICE_ADDRESS_H_
#define REFEREE_SERVICE_ADDRESS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::service {

// Whether it is of the kind "unix:path".
bool IsUnixAddress(absl::string_view address);

// Checks an address to listen on. Returns InvalidArgument for a malformed one, or for one that
// other machines may reach unless `reachable` allows it; Unavailable for a unix socket on which
// somebody listens (gRPC would take it over).
absl::Status CheckAddress(absl::string_view address, bool reachable);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ADDRESS_H_
