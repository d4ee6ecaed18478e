#include "referee/conformance/relay.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/service/address.h"

namespace referee::conformance {
namespace {

constexpr size_t kReadBytes = 16 * 1024;
// What may wait one way before no more is taken.
constexpr size_t kMaxChunks = 64;

int OpenUnix(const std::string& path, bool listens) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path)) return -1;
  std::memcpy(name.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* const where = reinterpret_cast<const sockaddr*>(&name);
  const bool open = listens ? bind(fd, where, sizeof(name)) == 0 && listen(fd, SOMAXCONN) == 0
                            : connect(fd, where, sizeof(name)) == 0;
  if (open) return fd;
  close(fd);
  return -1;
}

// Listens on a port; `port` becomes the real one.
int ListenOnPort(const std::string& host, std::string* port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), port->c_str(), &hints, &found) != 0) return -1;
  const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const bool open = bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0;
  freeaddrinfo(found);
  sockaddr_storage name{};
  socklen_t size = sizeof(name);
  if (!open || getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0) {
    close(fd);
    return -1;
  }
  std::array<char, NI_MAXSERV> text{};
  getnameinfo(reinterpret_cast<sockaddr*>(&name), size, nullptr, 0, text.data(), text.size(),
              NI_NUMERICSERV);
  *port = text.data();
  return fd;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Relay>> Relay::Start(const std::string& address,
                                                    const std::string& target_path) {
  if (absl::Status good = service::CheckAddress(address, /*reachable=*/false); !good.ok()) {
    return good;
  }
  int fd;
  std::string real = address;
  if (service::IsUnixAddress(address)) {
    fd = OpenUnix(std::string(absl::StripPrefix(address, service::kUnixPrefix)), /*listens=*/true);
  } else {
    service::HostAndPort parts = *service::SplitHostPort(address);
    fd = ListenOnPort(parts.host, &parts.port);
    real = absl::StrCat(address.substr(0, address.rfind(':')), ":", parts.port);
  }
  if (fd < 0) {
    return absl::UnavailableError(
        absl::StrCat("address ", Quoted(address),
                     ": cannot listen there; does another program, or is the path of a socket too "
                     "long?"));
  }
  return std::unique_ptr<Relay>(new Relay(real, target_path, fd, eventfd(0, EFD_CLOEXEC)));
}

Relay::Relay(std::string address, std::string target_path, int listen_fd, int wake_fd)
    : address_(std::move(address)),
      target_path_(std::move(target_path)),
      listen_fd_(listen_fd),
      wake_fd_(wake_fd),
      loop_([this] { Loop(); }) {}

Relay::~Relay() {
  {
    MutexLock lock(&mutex_);
    stopped_ = true;
  }
  Wake();
  loop_.join();
  close(listen_fd_);
  close(wake_fd_);
  if (service::IsUnixAddress(address_)) {
    unlink(std::string(absl::StripPrefix(address_, service::kUnixPrefix)).c_str());
  }
}

void Relay::Wake() const {
  const uint64_t one = 1;
  // A full counter wakes as well.
  if (write(wake_fd_, &one, sizeof(one)) < 0) return;
}

void Relay::SetSpeed(const Speed& speed) {
  MutexLock lock(&mutex_);
  speed_ = speed;
}

void Relay::Cut() { Wake(); }

pid_t Relay::peer() const {
  MutexLock lock(&mutex_);
  return peer_;
}

void Relay::Accept() {
  const int bot = accept4(listen_fd_, nullptr, nullptr, SOCK_CLOEXEC);
  if (bot < 0) return;
  const int target = OpenUnix(target_path_, /*listens=*/false);
  if (target < 0) {
    close(bot);
    return;
  }
  ucred peer{};  // of TCP the system names none: 0
  socklen_t size = sizeof(peer);
  const bool known = getsockopt(bot, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  {
    MutexLock lock(&mutex_);
    peer_ = known ? peer.pid : 0;
  }
  const int on = 1;
  setsockopt(bot, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  Line line;
  line.up.from = line.down.to = bot;
  line.up.to = line.down.from = target;
  lines_.push_back(std::move(line));
}

// Takes what there is; returns false when the connection has ended.
bool Relay::Take(Way* way) {
  std::string bytes(kReadBytes, '\0');
  const ssize_t got = recv(way->from, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) {
    way->ended = true;
    return true;
  }
  bytes.resize(static_cast<size_t>(got));
  MutexLock lock(&mutex_);
  const Instant arrival = clock_.Now() + speed_.delay;
  way->free = std::max(way->free, arrival) +
              absl::Seconds(static_cast<double>(got) / speed_.bytes_per_second);
  way->waiting.push_back({way->free, std::move(bytes)});
  return true;
}

// Passes on what is due; returns false when the connection has ended.
bool Relay::Pass(Way* way) {
  while (!way->waiting.empty() && way->waiting.front().due <= clock_.Now()) {
    std::string& bytes = way->waiting.front().bytes;
    const ssize_t sent = send(way->to, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    bytes.erase(0, static_cast<size_t>(sent));
    if (!bytes.empty()) return true;
    way->waiting.pop_front();
  }
  return !way->ended || !way->waiting.empty();
}

void Relay::Hang(const Line& line) {
  close(line.up.from);
  close(line.up.to);
}

std::vector<pollfd> Relay::Polled(absl::Duration* wait) const {
  std::vector<pollfd> polled = {{wake_fd_, POLLIN, 0}, {listen_fd_, POLLIN, 0}};
  for (const Line& line : lines_) {
    for (const Way* way : {&line.up, &line.down}) {
      const bool takes = !way->ended && way->waiting.size() < kMaxChunks;
      polled.push_back({takes ? way->from : -1, POLLIN, 0});
      const bool due = !way->waiting.empty() && way->waiting.front().due <= clock_.Now();
      polled.push_back({due ? way->to : -1, POLLOUT, 0});
      if (!due && !way->waiting.empty()) {
        *wait = std::min(*wait, way->waiting.front().due - clock_.Now());
      }
    }
  }
  return polled;
}

void Relay::Serve(const std::vector<pollfd>& polled) {
  size_t at = 2;
  for (auto line = lines_.begin(); line != lines_.end();) {
    bool open = true;
    for (Way* way : {&line->up, &line->down}) {
      if (polled[at].revents != 0) open = Take(way) && open;
      open = Pass(way) && open;
      at += 2;
    }
    if (open) {
      ++line;
      continue;
    }
    Hang(*line);
    line = lines_.erase(line);
  }
  if (polled[1].revents != 0) Accept();
}

void Relay::Loop() {
  constexpr absl::Duration kIdle = absl::Seconds(1);
  while (true) {
    absl::Duration wait = kIdle;
    std::vector<pollfd> polled = Polled(&wait);
    const auto millis = absl::ToInt64Milliseconds(absl::Ceil(wait, absl::Milliseconds(1)));
    poll(polled.data(), polled.size(), static_cast<int>(std::max<int64_t>(millis, 0)));
    if (polled[0].revents == 0) {
      Serve(polled);
      continue;
    }
    uint64_t count;
    if (read(wake_fd_, &count, sizeof(count)) < 0) continue;
    MutexLock lock(&mutex_);
    for (const Line& line : lines_) Hang(line);
    lines_.clear();
    if (stopped_) return;
  }
}

}  // namespace referee::conformance
