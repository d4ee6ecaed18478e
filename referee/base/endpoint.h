// IP addresses, ranges of them, and endpoints (an address and a port), in the forms in which the
// system, gRPC, proxies and people write them. An IPv4 address that is mapped into IPv6 is the IPv4
// address.
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
  // Reads "192.0.2.1" or "2001:db8::1", without brackets and zone.
  static absl::optional<IpAddress> Parse(absl::string_view text);
  // Of the four bytes of an IPv4 address, or the sixteen of an IPv6 one, the highest first.
  static IpAddress FromV4(const uint8_t bytes[4]);
  static IpAddress FromV6(const uint8_t bytes[16]);

  bool is_v4() const;
  bool is_loopback() const;
  bool is_unspecified() const;  // 0.0.0.0 or ::
  std::string text() const;

  // The first `bits` bits, the others being 0. Those of an IPv4 address are counted from its own
  // first. REQUIRES: 0 <= bits <= (is_v4() ? 32 : 128).
  IpAddress Prefix(int bits) const;
  // What limits count as one address: an IPv4 address; the first 64 bits of an IPv6 one, as whoever
  // has one of those has all of them.
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

  // Not set for an address of another family, such as that of a unix socket.
  static absl::optional<Endpoint> FromSockaddr(const sockaddr_storage& address);
  // Reads a peer as gRPC writes it, "ipv4:192.0.2.1:40122" or "ipv6:%5B2001:db8::1%5D:40122". Not
  // set for another, such as a unix socket's.
  static absl::optional<Endpoint> FromPeer(absl::string_view peer);
  // "ipv4:192.0.2.1:40122" or "ipv6:[2001:db8::1]:40122".
  std::string ToPeer() const;

  friend bool operator==(const Endpoint& a, const Endpoint& b) {
    return a.address == b.address && a.port == b.port;
  }
  template <typename H>
  friend H AbslHashValue(H state, const Endpoint& endpoint) {
    return H::combine(std::move(state), endpoint.address, endpoint.port);
  }
};

// All addresses that have the same first bits: a value.
class IpRange {
 public:
  // Reads "10.0.0.0/8", "2001:db8::/32", or one address. Returns InvalidArgument for anything else,
  // and for bits after the prefix that are not 0: whoever writes "10.1.2.3/8" may mean 10.1.2.3.
  static absl::StatusOr<IpRange> Parse(absl::string_view text);

  bool Contains(const IpAddress& address) const;
  // With all that IpAddress::Counted takes as one with its addresses: "2001:db8::5" becomes
  // "2001:db8::/64".
  IpRange Counted() const;
  // How it is written: the same for whatever Parse takes as the same.
  std::string text() const;

 private:
  IpRange(IpAddress prefix, int bits) : prefix_(prefix), bits_(bits) {}

  IpAddress prefix_;
  int bits_;
};

// Whether one of `ranges` contains it.
bool Contain(const std::vector<IpRange>& ranges, const IpAddress& address);

}  // namespace referee

#endif  // REFEREE_BASE_ENDPOINT_H_
