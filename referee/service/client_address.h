// The address that a client counts by, where addresses have limits, shares and bans.
#ifndef REFEREE_SERVICE_CLIENT_ADDRESS_H_
#define REFEREE_SERVICE_CLIENT_ADDRESS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee::service {

// Of a peer as gRPC writes it, such as "ipv4:10.0.0.7:40122": the same for all connections from one
// machine.
//   IPv4                     "10.0.0.7", also where it is mapped into IPv6
//   IPv6                     the first 64 bits, "2001:db8:0:1::": whoever has one has all of them
//   unix sockets, all else   what is before the first colon, such as "unix"
std::string ClientAddress(absl::string_view peer);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CLIENT_ADDRESS_H_
