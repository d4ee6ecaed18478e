// The address of a referee as a person writes it, read in one way by every program. The rule is in
// proto/PROTOCOL.md, "Text from outside"; tests/golden/addresses.jsonl has cases of it, for the
// SDKs as well. What this does not do: look a name up, or connect. Pure functions.
#ifndef REFEREE_BASE_ADDRESS_H_
#define REFEREE_BASE_ADDRESS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee {

struct Address {
  std::string text;   // "127.0.0.1:7450", "[::1]:7450" or "unix:/run/referee.sock"
  std::string host;   // an IPv6 one without its brackets; empty for a unix socket
  uint16_t port = 0;  // 0 for a unix socket
  std::string path;   // of a unix socket; else empty
  // Whether only this machine can reach it: a unix socket, 127.0.0.0/8, ::1 or localhost. Another
  // name may mean anything, whatever it begins with.
  bool local = false;
};

// Reads an address. Drops blanks, line ends and a byte order mark around it. Returns
// InvalidArgument that names the address, says what is wrong, and what to write if that is clear.
absl::StatusOr<Address> ReadAddress(absl::string_view text);

// What gRPC takes for `address`. gRPC reads the bare text as a URI, in which "dns:7450" and a path
// with a blank or a '%' mean something else.
std::string GrpcTarget(const Address& address);

}  // namespace referee

#endif  // REFEREE_BASE_ADDRESS_H_
