#include "referee/service/client_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace referee::service {
namespace {

// The text of an address; empty if there is none.
template <typename Address>
std::string Text(int family, const Address& address) {
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(family, &address, text, sizeof text) == nullptr ? "" : text;
}

// "[::1]" of "[::1]:40122", without the brackets and the zone.
std::string HostOf(absl::string_view address) {
  // gRPC escapes brackets, and the zone's percent sign.
  std::string host = absl::StrReplaceAll(address, {{"%5B", "["}, {"%5D", "]"}, {"%25", "%"}});
  host.resize(std::min(host.size(), host.rfind(':')));
  absl::string_view bare = host;
  absl::ConsumePrefix(&bare, "[");
  absl::ConsumeSuffix(&bare, "]");
  return std::string(bare.substr(0, bare.find('%')));
}

}  // namespace

std::string ClientAddress(absl::string_view peer) {
  absl::string_view rest = peer;
  if (absl::ConsumePrefix(&rest, "ipv4:")) return HostOf(rest);
  if (!absl::ConsumePrefix(&rest, "ipv6:")) return std::string(peer.substr(0, peer.find(':')));
  const std::string host = HostOf(rest);
  in6_addr address;
  if (inet_pton(AF_INET6, host.c_str(), &address) != 1) return host;
  if (IN6_IS_ADDR_V4MAPPED(&address)) return Text(AF_INET, address.s6_addr[12]);
  std::fill(address.s6_addr + 8, address.s6_addr + 16, 0);
  return Text(AF_INET6, address);
}

}  // namespace referee::service
