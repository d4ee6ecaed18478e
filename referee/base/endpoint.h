// IP addresses, address ranges, and endpoints (address and port), with their text and system forms.
//
// The text forms are those of gRPC, proxies and people. An IPv4 address mapped into IPv6 equals the
// IPv4 address.
#ifndef REFEREE_BASE_ENDPOINT_H_
#define REFEREE_BASE_ENDPOINT_H_

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee {

class IpAddress {
 public:
  // Parses "192.0.2.1" or "2001:db8::1", without brackets and zone.
  static absl::optional<IpAddress> Parse(absl::string_view text);
  // Makes an address from the 4 bytes of IPv4 or the 16 bytes of IPv6, most significant first.
  static IpAddress FromV4(const uint8_t bytes[4]);
  static IpAddress FromV6(const uint8_t bytes[16]);

  bool is_v4() const;
  bool is_loopback() const;
  bool is_unspecified() const;  // 0.0.0.0 or ::
  std::string text() const;

  // The first `bits` bits of the address; the rest is 0. An IPv4 address has 32 bits. REQUIRES: 0
  // <= bits <= (is_v4() ? 32 : 128).
  IpAddress Prefix(int bits) const;
  // The key under which limits count this address. IPv4: the address. IPv6: its /64 prefix, because
  // a client with one address of a /64 usually has all of them.
  IpAddress Counted() const;

  friend bool operator==(const IpAddress& a, const IpAddress& b) { return a.bytes_ == b.bytes_; }
  template <typename H>
  friend H AbslHashValue(H state, const IpAddress& address) {
    return H::combine(std::move(state), address.bytes_);
  }

 private:
  std::array<uint8_t, 16> bytes_{};
};

struct Endpoint {
  IpAddress address;
  uint16_t port = 0;

  // Unset for other address families, such as Unix sockets.
  static absl::optional<Endpoint> FromSockaddr(const sockaddr_storage& address);
  // Parses a peer string of gRPC: "ipv4:192.0.2.1:40122" or "ipv6:%5B2001:db8::1%5D:40122". Unset
  // for any other string, such as the peer of a Unix socket.
  static absl::optional<Endpoint> FromPeer(absl::string_view peer);
  // Returns "ipv4:192.0.2.1:40122" or "ipv6:[2001:db8::1]:40122".
  std::string ToPeer() const;

  friend bool operator==(const Endpoint& a, const Endpoint& b) {
    return a.address == b.address && a.port == b.port;
  }
  template <typename H>
  friend H AbslHashValue(H state, const Endpoint& endpoint) {
    return H::combine(std::move(state), endpoint.address, endpoint.port);
  }
};

// A value: all addresses with the same prefix.
class IpRange {
 public:
  // Parses "10.0.0.0/8", "2001:db8::/32", or a single address. Returns InvalidArgument for anything
  // else, and for nonzero bits after the prefix: "10.1.2.3/8" may be meant as 10.1.2.3.
  static absl::StatusOr<IpRange> Parse(absl::string_view text);

  bool Contains(const IpAddress& address) const;
  // The range extended to all addresses that count as one with its own (IpAddress::Counted):
  // "2001:db8::5" becomes "2001:db8::/64".
  IpRange Counted() const;
  // The canonical text: equal for all spellings that Parse reads as the same range.
  std::string text() const;

 private:
  IpRange(IpAddress prefix, int bits) : prefix_(prefix), bits_(bits) {}

  IpAddress prefix_;
  int bits_;
};

// Whether any of `ranges` contains `address`.
bool Contain(const std::vector<IpRange>& ranges, const IpAddress& address);

}  // namespace referee

#endif  // REFEREE_BASE_ENDPOINT_H_
