#include "referee/base/endpoint.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"

namespace referee {
namespace {

constexpr int kMappedBits = 96;  // the prefix of an IPv4 address mapped into IPv6
constexpr uint8_t kMapped[kMappedBits / 8] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

constexpr int kCountedBits = 64;  // of an IPv6 address, for limits

// Parses decimal digits. Unset for other text, and for numbers above `most`.
absl::optional<int> ParseNumber(absl::string_view text, int most) {
  int number;
  const bool digits = std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
  if (!digits || !absl::SimpleAtoi(text, &number) || number > most) return absl::nullopt;
  return number;
}

absl::Status BadIpRange(absl::string_view range) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(range),
                   " is no address or network, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32, "
                   "with no bits after its prefix"));
}

}  // namespace

absl::optional<IpAddress> IpAddress::Parse(absl::string_view text) {
  const std::string address(text);
  uint8_t bytes[16];
  if (inet_pton(AF_INET, address.c_str(), bytes) == 1) return FromV4(bytes);
  if (inet_pton(AF_INET6, address.c_str(), bytes) == 1) return FromV6(bytes);
  return absl::nullopt;
}

IpAddress IpAddress::FromV4(const uint8_t bytes[4]) {
  IpAddress address;
  std::copy(std::begin(kMapped), std::end(kMapped), address.bytes_.begin());
  std::copy(bytes, bytes + 4, address.bytes_.begin() + sizeof(kMapped));
  return address;
}

IpAddress IpAddress::FromV6(const uint8_t bytes[16]) {
  IpAddress address;
  std::copy(bytes, bytes + 16, address.bytes_.begin());
  return address;
}

bool IpAddress::is_v4() const {
  return std::equal(std::begin(kMapped), std::end(kMapped), bytes_.begin());
}

bool IpAddress::is_loopback() const {
  if (is_v4()) return bytes_[sizeof(kMapped)] == IN_LOOPBACKNET;
  const bool zeros =
      std::all_of(bytes_.begin(), bytes_.end() - 1, [](uint8_t b) { return b == 0; });
  return zeros && bytes_.back() == 1;
}

bool IpAddress::is_unspecified() const {
  const size_t begin = is_v4() ? sizeof(kMapped) : 0;
  return std::all_of(bytes_.begin() + begin, bytes_.end(), [](uint8_t b) { return b == 0; });
}

std::string IpAddress::text() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (is_v4()) {
    inet_ntop(AF_INET, bytes_.data() + sizeof(kMapped), text, sizeof(text));
  } else {
    inet_ntop(AF_INET6, bytes_.data(), text, sizeof(text));
  }
  return text;
}

IpAddress IpAddress::Counted() const { return is_v4() ? *this : Prefix(kCountedBits); }

IpAddress IpAddress::Prefix(int bits) const {
  IpAddress prefix = *this;
  if (is_v4()) bits += kMappedBits;
  for (int i = 0; i < 16; ++i) {
    const int kept = std::clamp(bits - 8 * i, 0, 8);
    prefix.bytes_[static_cast<size_t>(i)] &= static_cast<uint8_t>(0xff00 >> kept);
  }
  return prefix;
}

absl::optional<Endpoint> Endpoint::FromSockaddr(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof(v4));
    uint8_t bytes[4];
    std::memcpy(bytes, &v4.sin_addr, sizeof(bytes));
    return Endpoint{IpAddress::FromV4(bytes), ntohs(v4.sin_port)};
  }
  if (address.ss_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof(v6));
    return Endpoint{IpAddress::FromV6(v6.sin6_addr.s6_addr), ntohs(v6.sin6_port)};
  }
  return absl::nullopt;
}

absl::optional<Endpoint> Endpoint::FromPeer(absl::string_view peer) {
  if (!absl::ConsumePrefix(&peer, "ipv4:") && !absl::ConsumePrefix(&peer, "ipv6:")) {
    return absl::nullopt;
  }
  // gRPC escapes the brackets, and the percent sign before a zone.
  const std::string plain = absl::StrReplaceAll(peer, {{"%5B", "["}, {"%5D", "]"}, {"%25", "%"}});
  const size_t colon = plain.rfind(':');
  if (colon == std::string::npos) return absl::nullopt;
  absl::string_view host = absl::string_view(plain).substr(0, colon);
  absl::ConsumePrefix(&host, "[");
  absl::ConsumeSuffix(&host, "]");
  const absl::optional<IpAddress> address = IpAddress::Parse(host.substr(0, host.find('%')));
  const absl::optional<int> port = ParseNumber(absl::string_view(plain).substr(colon + 1), 65'535);
  if (!address || !port) return absl::nullopt;
  return Endpoint{*address, static_cast<uint16_t>(*port)};
}

std::string Endpoint::ToPeer() const {
  if (address.is_v4()) return absl::StrCat("ipv4:", address.text(), ":", port);
  return absl::StrCat("ipv6:[", address.text(), "]:", port);
}

absl::StatusOr<IpRange> IpRange::Parse(absl::string_view text) {
  const size_t slash = text.find('/');
  const absl::optional<IpAddress> address = IpAddress::Parse(text.substr(0, slash));
  if (!address) return BadIpRange(text);
  const int most = address->is_v4() ? 32 : 128;
  if (slash == absl::string_view::npos) return IpRange(*address, most);
  const absl::optional<int> bits = ParseNumber(text.substr(slash + 1), most);
  if (!bits || !(address->Prefix(*bits) == *address)) return BadIpRange(text);
  return IpRange(*address, *bits);
}

bool IpRange::Contains(const IpAddress& address) const {
  return address.is_v4() == prefix_.is_v4() && address.Prefix(bits_) == prefix_;
}

IpRange IpRange::Counted() const {
  const bool one_of_many = !prefix_.is_v4() && bits_ > kCountedBits;
  return one_of_many ? IpRange(prefix_.Counted(), kCountedBits) : *this;
}

std::string IpRange::text() const {
  const bool whole = bits_ == (prefix_.is_v4() ? 32 : 128);
  return whole ? prefix_.text() : absl::StrCat(prefix_.text(), "/", bits_);
}

bool Contain(const std::vector<IpRange>& ranges, const IpAddress& address) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const IpRange& range) { return range.Contains(address); });
}

}  // namespace referee
