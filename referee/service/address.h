// Addresses to listen on: "host:port" or "unix:path".
#ifndef REFEREE_SERVICE_ADDRESS_H_
#define REFEREE_SERVICE_ADDRESS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::service {

// Whether it is of the kind "unix:path".
bool IsUnixAddress(absl::string_view address);

// Returns InvalidArgument for an address that makes no sense, or that other machines may reach
// unless `reachable` allows it; Unavailable for a unix socket on which somebody listens (gRPC would
// take it away from them).
absl::Status CheckAddress(absl::string_view address, bool reachable);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ADDRESS_H_
