// Addresses to listen on: "host:port" or "unix:path".
#ifndef REFEREE_SERVICE_ADDRESS_H_
#define REFEREE_SERVICE_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::service {

// What addresses of the kind "unix:path" begin with.
inline constexpr absl::string_view kUnixPrefix = "unix:";

struct HostAndPort {
  std::string host;  // an IPv6 one without its brackets
  std::string port;  // a number
};

// Cuts "host:port" in two. Not set if it is no such thing.
absl::optional<HostAndPort> SplitHostPort(absl::string_view address);

// Whether it is of the kind "unix:path".
bool IsUnixAddress(absl::string_view address);

// Checks an address to listen on. Returns InvalidArgument for a malformed one, or for one that
// other machines may reach unless `reachable` allows it; Unavailable for a unix socket on which
// somebody listens (gRPC would take it over).
absl::Status CheckAddress(absl::string_view address, bool reachable);

// What bots dial of a referee that listens at `address`, whose port is the real one: that, but the
// name of the machine in place of an address that stands for all of its own, and the whole path of
// a unix socket.
std::string DialledAddress(absl::string_view address, absl::string_view host_name);
// Checks an address to be told to bots: "host:port" or "unix:/path", of at most
// limits::kMaxAddressBytes. Returns InvalidArgument.
absl::Status CheckAdvertised(absl::string_view address);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ADDRESS_H_
