#include "referee/service/accept/proxy_header.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "referee/base/limits.h"

namespace referee::service {
namespace {

absl::Status BadProxyHeader(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the header of the PROXY protocol will not do: ", why));
}

using Parsed = absl::StatusOr<absl::optional<ProxyHeader>>;

constexpr absl::string_view kBegin1 = "PROXY ";
constexpr size_t kMaxLine = 107;  // of version 1, including the line end

constexpr absl::string_view kBegin2("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr size_t kFixed2 = 16;  // bytes before the addresses; they include the addresses' length

uint8_t ByteAt(absl::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

uint16_t PortAt(absl::string_view bytes, size_t i) {
  return static_cast<uint16_t>(ByteAt(bytes, i) << 8 | ByteAt(bytes, i + 1));
}

// Whether `bytes` is a prefix of `begin`, or begins with it.
bool MayBegin(absl::string_view bytes, absl::string_view begin) {
  return absl::StartsWith(begin, bytes.substr(0, begin.size()));
}

// Parses "192.0.2.1" and "40122", in the announced family.
absl::optional<Endpoint> ParseSource(bool v4, absl::string_view host, absl::string_view port) {
  const absl::optional<IpAddress> address = IpAddress::Parse(host);
  int number;
  const bool digits = std::all_of(port.begin(), port.end(), absl::ascii_isdigit);
  if (!address || address->is_v4() != v4) return absl::nullopt;
  if (!digits || !absl::SimpleAtoi(port, &number) || number > 65'535) return absl::nullopt;
  return Endpoint{*address, static_cast<uint16_t>(number)};
}

// Parses "PROXY TCP4 192.0.2.1 198.51.100.1 40122 7450" and the line end.
Parsed ParseVersion1(absl::string_view bytes) {
  const size_t end = bytes.substr(0, kMaxLine).find("\r\n");
  if (end == absl::string_view::npos) {
    if (bytes.size() >= kMaxLine) return BadProxyHeader("the line is too long");
    return Parsed(absl::nullopt);
  }
  ProxyHeader header;
  header.size = end + 2;
  const std::vector<absl::string_view> words = absl::StrSplit(bytes.substr(0, end), ' ');
  if (words[1] == "UNKNOWN") return Parsed(header);
  const bool v4 = words[1] == "TCP4";
  if ((!v4 && words[1] != "TCP6") || words.size() != 6) {
    return BadProxyHeader("the line is not of the kind TCP4, TCP6 or UNKNOWN");
  }
  header.client = ParseSource(v4, words[2], words[4]);
  if (!header.client || !ParseSource(v4, words[3], words[5])) {
    return BadProxyHeader("an address or a port is none");
  }
  return Parsed(header);
}

Parsed ParseVersion2(absl::string_view bytes) {
  if (bytes.size() < kFixed2) return Parsed(absl::nullopt);
  const int version = ByteAt(bytes, 12) >> 4;
  const int command = ByteAt(bytes, 12) & 0xf;
  const int family = ByteAt(bytes, 13) >> 4;
  const size_t length = PortAt(bytes, 14);
  if (version != 2 || command > 1) return BadProxyHeader("the version or the command is unknown");
  if (kFixed2 + length > limits::kMaxProxyHeaderBytes) return BadProxyHeader("it is too long");
  if (bytes.size() < kFixed2 + length) return Parsed(absl::nullopt);
  ProxyHeader header;
  header.size = kFixed2 + length;
  if (command == 0) return Parsed(header);
  // Source address, destination address, source port, destination port, and optional fields.
  const absl::string_view addresses = bytes.substr(kFixed2, length);
  uint8_t source[16] = {};
  const size_t size = family == 1 ? 4 : family == 2 ? 16 : 0;
  if (size == 0) return Parsed(header);
  if (length < 2 * size + 4) return BadProxyHeader("it is too short for its addresses");
  std::copy_n(addresses.begin(), size, source);
  const IpAddress address = size == 4 ? IpAddress::FromV4(source) : IpAddress::FromV6(source);
  header.client = Endpoint{address, PortAt(addresses, 2 * size)};
  return Parsed(header);
}

}  // namespace

absl::StatusOr<absl::optional<ProxyHeader>> ParseProxyHeader(absl::string_view bytes) {
  if (absl::StartsWith(bytes, kBegin1)) return ParseVersion1(bytes);
  if (absl::StartsWith(bytes, kBegin2)) return ParseVersion2(bytes);
  if (MayBegin(bytes, kBegin1) || MayBegin(bytes, kBegin2)) return Parsed(absl::nullopt);
  return BadProxyHeader("it is of neither version");
}

}  // namespace referee::service
