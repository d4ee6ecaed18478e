#include "referee/service/access/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::service {
namespace {

constexpr int kBits = 128;
constexpr int kMappedBits = 96;  // before an IPv4 address that is mapped into IPv6
constexpr int kShareBits = 64;   // of an IPv6 address: the rest is its owner's to choose
constexpr char kExpected[] =
    "an address or a network, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32, with no bits after "
    "its prefix";

}  // namespace

bool Network::ParseAddress(absl::string_view text, Bits* bits) {
  const std::string address(text);
  bits->fill(0);
  in_addr v4;
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) {
    (*bits)[10] = (*bits)[11] = 0xff;
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&v4);
    std::copy(bytes, bytes + sizeof v4, bits->begin() + kMappedBits / 8);
    return true;
  }
  return inet_pton(AF_INET6, address.c_str(), bits->data()) == 1;
}

absl::StatusOr<Network> Network::Parse(absl::string_view text) {
  const absl::Status bad = BadValue("address", text, kExpected);
  const size_t slash = text.find('/');
  Network network;
  if (!ParseAddress(text.substr(0, slash), &network.bits_)) return bad;
  in6_addr address;
  std::copy(network.bits_.begin(), network.bits_.end(), address.s6_addr);
  const bool v4 = IN6_IS_ADDR_V4MAPPED(&address);
  const int first = v4 ? kMappedBits : 0;
  network.length_ = kBits;
  if (slash != absl::string_view::npos) {
    int length;
    if (!absl::SimpleAtoi(text.substr(slash + 1), &length) || length < 0 ||
        length > kBits - first) {
      return bad;
    }
    network.length_ = first + length;
    if (!network.EndsInZeros()) return bad;
  }
  if (!v4 && network.length_ > kShareBits) {
    network.length_ = kShareBits;
    std::fill(network.bits_.begin() + kShareBits / 8, network.bits_.end(), 0);
  }
  char written[INET6_ADDRSTRLEN];
  inet_ntop(v4 ? AF_INET : AF_INET6, network.bits_.data() + first / 8, written, sizeof written);
  network.text_ = absl::StrCat(written);
  if (network.length_ < kBits) absl::StrAppend(&network.text_, "/", network.length_ - first);
  return network;
}

bool Network::Matches(const Bits& address) const {
  const auto whole = static_cast<size_t>(length_ / 8);
  if (!std::equal(bits_.begin(), bits_.begin() + whole, address.begin())) return false;
  if (length_ % 8 == 0) return true;
  return ((bits_[whole] ^ address[whole]) >> (8 - length_ % 8)) == 0;
}

bool Network::EndsInZeros() const {
  const auto whole = static_cast<size_t>(length_ / 8);
  if (length_ % 8 != 0 && (bits_[whole] & (0xff >> (length_ % 8))) != 0) return false;
  return std::all_of(bits_.begin() + (length_ + 7) / 8, bits_.end(),
                     [](uint8_t byte) { return byte == 0; });
}

bool Network::Contains(absl::string_view address) const {
  Bits bits;
  return ParseAddress(address, &bits) && Matches(bits);
}

}  // namespace referee::service
