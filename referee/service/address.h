// Parses and checks listen addresses: "host:port" or "unix:path".
#ifndef REFEREE_SERVICE_ADDRESS_H_
#define REFEREE_SERVICE_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::service {

// The prefix of unix socket addresses.
inline constexpr absl::string_view kUnixPrefix = "unix:";

struct HostAndPort {
  std::string host;  // without the brackets of an IPv6 address
  std::string port;  // decimal digits, at most 65535
};

// Splits "host:port". Returns nullopt if `address` does not have this form.
absl::optional<HostAndPort> SplitHostPort(absl::string_view address);

bool IsUnixAddress(absl::string_view address);

// Checks an address to listen on. Returns InvalidArgument if it is malformed, or if other machines
// can reach it and `reachable` is false. Returns Unavailable if another process listens on the unix
// socket, because gRPC would take the socket over.
absl::Status CheckAddress(absl::string_view address, bool reachable);

// Returns the address that bots dial when the referee listens at `address`, whose port is the real
// one. Replaces a wildcard host by `host_name`, and makes the path of a unix socket absolute.
std::string DialledAddress(absl::string_view address, absl::string_view host_name);
// Checks an address to advertise to bots: "host:port" or "unix:/path", at most
// limits::kMaxAddressBytes long. Returns InvalidArgument on failure.
absl::Status CheckAdvertised(absl::string_view address);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ADDRESS_H_
