// Parses the address of a referee as a person types it, for every program alike.
//
// The rule is in proto/PROTOCOL.md, "Text from outside". tests/golden/addresses.jsonl has test
// cases, shared with the SDKs. These pure functions neither resolve names nor connect.
#ifndef REFEREE_BASE_ADDRESS_H_
#define REFEREE_BASE_ADDRESS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee {

struct Address {
  std::string text;   // "127.0.0.1:7450", "[::1]:7450" or "unix:/run/referee.sock"
  std::string host;   // an IPv6 address has no brackets here; empty for a Unix socket
  uint16_t port = 0;  // 0 for a Unix socket
  std::string path;   // of a Unix socket; otherwise empty
  // Whether only this machine can reach the address: a Unix socket, 127.0.0.0/8, ::1 or localhost.
  // Any other name may resolve anywhere, whatever its beginning.
  bool local = false;
};

// Parses an address. Ignores surrounding white space and a byte order mark. Returns InvalidArgument
// that names the address, the problem, and the correction if it is clear.
absl::StatusOr<Address> ReadAddress(absl::string_view text);

// The target string of `address` for gRPC. gRPC parses bare text as a URI: "dns:7450", and paths
// with a space or a '%', would have another meaning.
std::string GrpcTarget(const Address& address);

}  // namespace referee

#endif  // REFEREE_BASE_ADDRESS_H_
