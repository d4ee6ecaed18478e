#include "referee/service/accept/listener.h"

#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "referee/base/endpoint.h"
#include "referee/base/limits.h"
#include "referee/service/address.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

void Set(int fd, int level, int option, int value) {
  setsockopt(fd, level, option, &value, sizeof(value));
}

// Sets options that accepted connections inherit. Does not set SO_REUSEPORT, which would let a
// second daemon silently share the port.
void Prepare(int fd, const sockaddr* address) {
  if (address->sa_family == AF_UNIX) return;
  Set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  Set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  // Unacknowledged data ends the connection after this time.
  Set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT,
      static_cast<int>(absl::ToInt64Milliseconds(limits::kKeepaliveTimeout)));
  if (address->sa_family != AF_INET6) return;
  const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(address);
  Set(fd, IPPROTO_IPV6, IPV6_V6ONLY, IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr) ? 0 : 1);
}

// Listens at one address and adds the socket. Returns 0 or the errno.
int ListenAt(const sockaddr* address, socklen_t size, std::vector<replay::File>* sockets) {
  replay::File file(socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (file.fd() < 0) return errno;
  Prepare(file.fd(), address);
  if (bind(file.fd(), address, size) != 0) return errno;
  if (listen(file.fd(), SOMAXCONN) != 0) return errno;
  sockets->push_back(std::move(file));
  return 0;
}

int PortOf(const replay::File& listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(listening.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  const absl::optional<Endpoint> endpoint = Endpoint::FromSockaddr(address);
  return endpoint ? endpoint->port : 0;
}

// Listens at all addresses of `host`, on the same port. Returns an empty list if `host` has no
// local address or one of its addresses is in use.
std::vector<replay::File> ListenAtAll(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return {};
  const Addresses addresses(found);
  std::vector<replay::File> sockets;
  for (addrinfo* one = found; one != nullptr; one = one->ai_next) {
    if (!sockets.empty()) {
      // The first socket may have picked a free port; the others use the same one.
      const auto taken = htons(static_cast<uint16_t>(PortOf(sockets.front())));
      if (one->ai_family == AF_INET) {
        reinterpret_cast<sockaddr_in*>(one->ai_addr)->sin_port = taken;
      } else {
        reinterpret_cast<sockaddr_in6*>(one->ai_addr)->sin6_port = taken;
      }
    }
    if (ListenAt(one->ai_addr, one->ai_addrlen, &sockets) == EADDRINUSE) return {};
  }
  return sockets;
}

bool HasIpv6() {
  std::vector<replay::File> sockets;
  sockaddr_in6 loopback{};
  loopback.sin6_family = AF_INET6;
  loopback.sin6_addr = in6addr_loopback;
  return ListenAt(reinterpret_cast<const sockaddr*>(&loopback), sizeof(loopback), &sockets) == 0;
}

// Expands 0.0.0.0 and [::] to every address of the machine, in both families.
std::vector<replay::File> ListenAtHost(const std::string& host, const std::string& port) {
  const absl::optional<IpAddress> address = IpAddress::Parse(host);
  if (!address || !address->is_unspecified()) return ListenAtAll(host, port);
  return ListenAtAll(HasIpv6() ? "::" : "0.0.0.0", port);
}

std::vector<replay::File> ListenAtPath(const std::string& path) {
  struct stat info;
  // The socket file is stale: CheckAddress found no listener.
  if (lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode)) unlink(path.c_str());
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path)) return {};
  std::copy(path.begin(), path.end(), name.sun_path);
  std::vector<replay::File> sockets;
  ListenAt(reinterpret_cast<const sockaddr*>(&name), sizeof(name), &sockets);
  return sockets;
}

}  // namespace

absl::StatusOr<Listener> Listener::Open(const std::string& address) {
  absl::string_view path = address;
  if (absl::ConsumePrefix(&path, kUnixPrefix)) {
    std::vector<replay::File> sockets = ListenAtPath(std::string(path));
    if (sockets.empty()) return AddressTaken(address);
    return Listener(address, std::move(sockets), std::string(path));
  }
  const absl::optional<HostAndPort> parts = SplitHostPort(address);
  if (!parts) return BadAddress(address);
  std::vector<replay::File> sockets = ListenAtHost(parts->host, parts->port);
  if (sockets.empty()) return AddressTaken(address);
  const std::string before = address.substr(0, address.rfind(':') + 1);
  std::string real = absl::StrCat(before, PortOf(sockets.front()));
  return Listener(std::move(real), std::move(sockets), "");
}

Listener::~Listener() {
  if (!path_.empty() && !sockets_.empty()) unlink(path_.c_str());
}

}  // namespace referee::service
