#include "referee/base/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"

namespace referee {
namespace {

constexpr absl::string_view kUnix = "unix:";
constexpr absl::string_view kUsualPort = ":7450";
constexpr size_t kMaxPathBytes = sizeof(sockaddr_un::sun_path) - 1;

bool IsDigits(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

bool IsIpv4(absl::string_view host, in_addr* address) {
  return inet_pton(AF_INET, std::string(host).c_str(), address) == 1;
}

bool IsIpv6(absl::string_view host, in6_addr* address) {
  return inet_pton(AF_INET6, std::string(host).c_str(), address) == 1;
}

// Whether resolvers, like inet_aton, read a name that ends in this label as a number.
bool IsNumberLabel(absl::string_view label) {
  if (IsDigits(label)) return true;
  if (!absl::ConsumePrefix(&label, "0x") && !absl::ConsumePrefix(&label, "0X")) return false;
  return std::all_of(label.begin(), label.end(), absl::ascii_isxdigit);
}

// Whether `host` is labels of letters, digits, '-' and '_', separated by dots, with an optional
// final dot.
bool IsName(absl::string_view host) {
  absl::ConsumeSuffix(&host, ".");
  if (host.empty() || host.front() == '.' || host.back() == '.') return false;
  if (absl::StrContains(host, "..")) return false;
  if (IsNumberLabel(host.substr(host.rfind('.') + 1))) return false;
  return std::all_of(host.begin(), host.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

// Parses "host:port". Returns false for anything else.
bool ReadHostPort(absl::string_view text, Address* address) {
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos || text.size() > limits::kMaxAddressBytes) return false;
  if (absl::StrContains(text, absl::string_view("\0", 1))) return false;  // inet_pton stops there
  absl::string_view host = text.substr(0, colon);
  const absl::string_view port = text.substr(colon + 1);
  uint32_t number = 0;
  if (!IsDigits(port) || port.size() > 5 || !absl::SimpleAtoi(port, &number)) return false;
  if (number < 1 || number > 65535) return false;
  if (absl::StartsWith(host, "[")) {
    in6_addr ip;
    if (!absl::EndsWith(host, "]")) return false;
    host = host.substr(1, host.size() - 2);
    if (!IsIpv6(host, &ip)) return false;
    address->local = IN6_IS_ADDR_LOOPBACK(&ip);
  } else {
    in_addr ip;
    const bool ipv4 = IsIpv4(host, &ip);
    if (!ipv4 && !IsName(host)) return false;
    address->local =
        ipv4 ? ntohl(ip.s_addr) >> 24 == IN_LOOPBACKNET : absl::EqualsIgnoreCase(host, "localhost");
  }
  address->text = std::string(text);
  address->host = std::string(host);
  address->port = static_cast<uint16_t>(number);
  return true;
}

// Parses "unix:path". Returns false for anything else.
bool ReadUnix(absl::string_view text, Address* address) {
  absl::string_view path = text;
  if (!absl::ConsumePrefix(&path, kUnix)) return false;
  if (absl::StartsWith(path, "///")) path.remove_prefix(2);  // as in a URI
  const bool control = std::any_of(path.begin(), path.end(), absl::ascii_iscntrl);
  if (path.empty() || path.size() > kMaxPathBytes || control) return false;
  if (absl::StartsWith(path, "//")) return false;
  address->text = absl::StrCat(kUnix, path);
  address->path = std::string(path);
  address->local = true;
  return true;
}

// Removes "scheme://", the part of a URL after its host and port, and the schemes of gRPC.
absl::string_view WithoutScheme(absl::string_view text) {
  for (const absl::string_view scheme : {"ipv4:", "ipv6:", "dns:"}) {
    if (absl::StartsWithIgnoreCase(text, scheme)) text.remove_prefix(scheme.size());
  }
  const size_t slashes = text.find("//");
  if (slashes == absl::string_view::npos) return text;
  text = absl::StripPrefix(text.substr(slashes + 2), "/");
  return text.substr(0, text.find_first_of("/?#"));
}

// The address that the user may have meant by `text`; empty if that is unclear.
std::string Suggestion(absl::string_view text) {
  Address meant;
  if (absl::StartsWith(text, "unix://")) text.remove_prefix(6);
  if (absl::StartsWith(text, "/") || absl::StartsWith(text, "./")) {
    return ReadUnix(absl::StrCat(kUnix, text), &meant) ? meant.text : "";
  }
  if (absl::StartsWith(text, kUnix)) return "";
  text = absl::StripSuffix(absl::StripSuffix(WithoutScheme(text), "/"), ":");
  const size_t colon = std::min(text.rfind(':'), text.size());
  const absl::string_view port = text.substr(colon);
  absl::string_view host = text.substr(0, colon);
  const std::string in_brackets = absl::StrCat("[", host, "]", port);
  if (absl::ConsumePrefix(&host, "[")) absl::ConsumeSuffix(&host, "]");
  for (const std::string& form :
       {std::string(text), absl::StrCat(host, port), in_brackets,
        absl::StrCat("[", text, "]", kUsualPort), absl::StrCat(text, kUsualPort)}) {
    if (ReadHostPort(form, &meant)) return meant.text;
  }
  return "";
}

absl::Status BadAddressText(absl::string_view text) {
  const std::string suggestion = Suggestion(text);
  if (!suggestion.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("address ", Quoted(text), ": write ", suggestion));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("address ", Quoted(text),
                   ": expected host:port, such as 127.0.0.1:7450 or [::1]:7450, with a port of 1 "
                   "to 65535, or unix:path, with a path of at most ",
                   kMaxPathBytes, " bytes"));
}

std::string PercentEncoded(absl::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || absl::StrContains("-._~/:", absl::string_view(&c, 1))) {
      encoded.push_back(c);
    } else {
      absl::StrAppend(&encoded, "%", absl::Hex(byte, absl::kZeroPad2));
    }
  }
  return encoded;
}

}  // namespace

absl::StatusOr<Address> ReadAddress(absl::string_view text) {
  text = absl::StripAsciiWhitespace(WithoutMark(text));
  Address address;
  if (absl::StartsWith(text, kUnix) ? ReadUnix(text, &address) : ReadHostPort(text, &address)) {
    return address;
  }
  return BadAddressText(text);
}

std::string GrpcTarget(const Address& address) {
  if (!address.path.empty()) return absl::StrCat(kUnix, PercentEncoded(address.path));
  return absl::StrCat("dns:///", PercentEncoded(address.text));
}

}  // namespace referee
