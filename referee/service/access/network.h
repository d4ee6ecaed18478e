// A part of the address space, such as "10.0.0.0/8": what a ban of addresses names.
#ifndef REFEREE_SERVICE_ACCESS_NETWORK_H_
#define REFEREE_SERVICE_ACCESS_NETWORK_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::service {

// A value.
class Network {
 public:
  // "10.0.0.7", "10.0.0.0/8", "2001:db8::/32". An IPv6 network has at least the 64 bits that
  // whoever has one address has: "2001:db8::5" is "2001:db8::/64". Returns InvalidArgument for
  // anything else, and for bits after the prefix that are not 0.
  static absl::StatusOr<Network> Parse(absl::string_view text);

  // Whether `address`, as ClientAddress writes it, is in it. What is no IP address is in none.
  bool Contains(absl::string_view address) const;

  // How it is written: the same for whatever Parse takes as the same.
  const std::string& text() const { return text_; }

 private:
  using Bits = std::array<uint8_t, 16>;  // IPv4 is mapped into IPv6

  bool Matches(const Bits& address) const;
  bool EndsInZeros() const;  // after the prefix
  static bool ParseAddress(absl::string_view text, Bits* bits);

  Bits bits_{};
  int length_ = 0;  // of the prefix
  std::string text_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_NETWORK_H_
