// The address under which limits, shares and bans count a client.
#ifndef REFEREE_SERVICE_CLIENT_ADDRESS_H_
#define REFEREE_SERVICE_CLIENT_ADDRESS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee::service {

// Returns the same text for all connections from one machine. `peer` is as gRPC writes it, such as
// "ipv4:10.0.0.7:40122".
//   IPv4                     "10.0.0.7", also for an address mapped into IPv6
//   IPv6                     the /64 prefix, "2001:db8:0:1::", as one client usually has all of it
//   unix sockets, all else   the text before the first colon, such as "unix"
std::string ClientAddress(absl::string_view peer);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CLIENT_ADDRESS_H_
