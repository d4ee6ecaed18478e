#include "tests/end_to_end/hostile/socket.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "absl/time/clock.h"

namespace referee::end_to_end {
namespace {

struct FreeAddress {
  void operator()(addrinfo* info) const { freeaddrinfo(info); }
};
using Address = std::unique_ptr<addrinfo, FreeAddress>;

// A numeric host, in brackets or not, and a port. Null if it is none.
Address Resolve(std::string host, const std::string& port) {
  if (!host.empty() && host.front() == '[') host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  return Address(getaddrinfo(host.c_str(), port.c_str(), &hints, &found) == 0 ? found : nullptr);
}

bool Connect(int fd, const addrinfo& to, const Address& from) {
  if (from != nullptr && bind(fd, from->ai_addr, from->ai_addrlen) != 0) return false;
  return connect(fd, to.ai_addr, to.ai_addrlen) == 0;
}

}  // namespace

Socket::Socket(const std::string& address, const std::string& from) {
  const size_t colon = address.rfind(':');
  const Address to = Resolve(address.substr(0, colon), address.substr(colon + 1));
  if (to == nullptr) return;
  fd_ = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0 || Connect(fd_, *to, from.empty() ? nullptr : Resolve(from, "0"))) return;
  close(fd_);
  fd_ = -1;
}

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

bool Socket::Send(const std::string& bytes) {
  return send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

bool Socket::Read(absl::Duration patience, std::string* bytes) {
  pollfd readable{fd_, POLLIN, 0};
  const int timeout = static_cast<int>(std::max<int64_t>(0, absl::ToInt64Milliseconds(patience)));
  if (fd_ >= 0 && poll(&readable, 1, timeout) == 0) return true;
  char chunk[16 * 1024];
  const ssize_t read = recv(fd_, chunk, sizeof(chunk), MSG_DONTWAIT);
  if (read < 0) return errno == EAGAIN || errno == EINTR;
  if (bytes != nullptr) bytes->append(chunk, static_cast<size_t>(read));
  return read > 0;
}

bool Socket::IsClosedWithin(absl::Duration patience) {
  const absl::Time until = absl::Now() + patience;
  while (Read(until - absl::Now())) {
    if (absl::Now() >= until) return false;
  }
  return true;
}

}  // namespace referee::end_to_end
