#include "referee/service/accept/acceptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/service/accept/proxy_header.h"

namespace referee::service {
namespace {

// Error: the process that connected to a unix socket has ended.
absl::Status PeerHasEnded() {
  return absl::UnavailableError("the process that opened it has ended");
}

// Tags of epoll events: index i of a listening socket, the eventfd that wakes the thread, or the id
// of a connection.
constexpr uint64_t kWakeTag = 1'000;
constexpr uint64_t kFirstId = 1'001;

constexpr int kEventsPerTurn = 64;
constexpr int kAcceptedAtOnce = 64;  // per socket, before other sockets are served

constexpr char kOutOfDescriptors[] =
    "connections: no file descriptor is left, so new ones are closed; raise the limit (ulimit -n, "
    "LimitNOFILE=), or lower --max-connections";

// Closes a connection with RST, so that no TIME_WAIT state remains on this side.
void Reset(replay::File socket) {
  const linger at_once{1, 0};
  setsockopt(socket.fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

// SO_PEERPIDFD, since Linux 6.5; Debian's headers are older.
constexpr int kPeerPidfd = 77;

// The process that connected to a unix socket.
ucred PeerOf(const replay::File& socket) {
  ucred process{};
  socklen_t size = sizeof(process);
  getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &process, &size);
  return process;
}

bool HasEnded(const replay::File& process) {
  pollfd state{process.fd(), POLLIN, 0};
  return poll(&state, 1, 0) != 0;
}

bool IsWantOfDescriptors(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

int ToTimeout(absl::Duration wait) {
  if (wait == absl::InfiniteDuration()) return -1;
  // Rounds up; otherwise the thread would spin through the last millisecond.
  const int64_t timeout = absl::ToInt64Milliseconds(absl::Ceil(wait, absl::Milliseconds(1)));
  return static_cast<int>(std::clamp<int64_t>(timeout, 0, 60'000));
}

}  // namespace

Acceptor::Acceptor(Listener listener, AcceptorOptions options)
    : listener_(std::move(listener)),
      options_(std::move(options)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      last_id_(kFirstId) {
  OpenSpare();
  Watch(wake_.fd(), EPOLLIN, kWakeTag);
  for (size_t i = 0; i < listener_.sockets().size(); ++i) {
    Watch(listener_.sockets()[i].fd(), EPOLLIN, i);
  }
}

Acceptor::~Acceptor() { Stop(); }

void Acceptor::Start() {
  thread_ = std::thread([this] {
    while (!stopping_) Turn(absl::InfiniteDuration());
  });
}

void Acceptor::Stop() {
  stopping_ = true;
  eventfd_write(wake_.fd(), 1);
  if (thread_.joinable()) thread_.join();
}

void Acceptor::Turn(absl::Duration at_most) {
  epoll_event events[kEventsPerTurn];
  const absl::Duration wait = std::min(at_most, UntilDue(options_.clock->Now()));
  const int count = epoll_wait(epoll_.fd(), events, kEventsPerTurn, ToTimeout(wait));
  for (int i = 0; i < count; ++i) Take(events[i]);
  const Instant now = options_.clock->Now();
  DropLate(now);
  GoOn(now);
  LookForOffenders(now);
}

void Acceptor::Tell(log::Event event) const {
  if (options_.log != nullptr) options_.log->Tell(std::move(event));
}

void Acceptor::TellClosed(absl::string_view event, const absl::Status& reason,
                          const absl::optional<Endpoint>& client, absl::string_view account) const {
  log::Event closed(log::Level::kWarning, event,
                    absl::StrCat("connections: one is closed: ", reason.message()));
  if (client) closed.fields[log::kAddress] = client->address.text();
  closed.fields[log::kAccount] = std::string(account);
  Tell(std::move(closed));
}

bool Acceptor::Watch(int fd, uint32_t events, uint64_t tag) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag;
  return epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void Acceptor::Take(const epoll_event& event) {
  const uint64_t tag = event.data.u64;
  if (tag < kWakeTag) {
    AcceptFrom(listener_.sockets()[tag].fd());
  } else if (tag != kWakeTag && waiting_.count(tag) != 0) {
    ReadHeader(tag);
  } else if ((event.events & EPOLLHUP) != 0) {
    options_.connections->Leave(tag);
  }
}

absl::Duration Acceptor::UntilDue(Instant now) const {
  Instant due = Instant::InfiniteFuture();
  if (!waiting_.empty()) due = waiting_.begin()->second.until;
  if (paused_until_) due = std::min(due, *paused_until_);
  if (options_.connections->has_to_look()) due = std::min(due, next_look_);
  return std::max(due - now, absl::ZeroDuration());
}

// --- Accepting ---

void Acceptor::AcceptFrom(int listening) {
  for (int i = 0; i < kAcceptedAtOnce && !paused_until_; ++i) {
    sockaddr_storage from{};
    socklen_t size = sizeof(from);
    const int fd =
        accept4(listening, reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      Sort(replay::File(fd), from);
    } else if (errno == EAGAIN) {
      return;
    } else if (IsWantOfDescriptors(errno) && !Shed(listening)) {
      return;
    }
    // Any other error means that the accepted connection has already ended.
  }
}

// Gives up the spare descriptor for one accept. Without a free descriptor, accept4 does not report
// whether a connection is waiting.
bool Acceptor::Shed(int listening) {
  spare_ = replay::File();
  const int fd = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
  const bool nobody = fd < 0 && errno == EAGAIN;
  if (!nobody) Tell({log::Level::kError, "descriptors_used_up", kOutOfDescriptors});
  if (fd >= 0) Reset(replay::File(fd));
  OpenSpare();
  // Without a spare, a waiting connection cannot be dropped and epoll would report it forever.
  if ((fd < 0 && !nobody) || spare_.fd() < 0) Pause();
  return !nobody;
}

void Acceptor::OpenSpare() { spare_ = replay::File(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

void Acceptor::Pause() {
  for (const replay::File& socket : listener_.sockets()) {
    epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, socket.fd(), nullptr);
  }
  paused_until_ = options_.clock->Now() + limits::kAcceptPause;
}

void Acceptor::GoOn(Instant now) {
  if (!paused_until_ || now < *paused_until_) return;
  paused_until_.reset();
  if (spare_.fd() < 0) OpenSpare();
  for (size_t i = 0; i < listener_.sockets().size(); ++i) {
    Watch(listener_.sockets()[i].fd(), EPOLLIN, i);
  }
}

// --- Identification ---

void Acceptor::Sort(replay::File socket, const sockaddr_storage& from) {
  const absl::optional<Endpoint> peer = Endpoint::FromSockaddr(from);
  if (IsOwn(socket, peer)) return AdmitOwn(std::move(socket), peer);
  if (!peer) {
    const absl::Status may = CheckPeer(socket);
    if (!may.ok()) {
      TellClosed("connection_refused", may);
      return Reset(std::move(socket));
    }
  }
  const bool proxied = peer && options_.connections->IsProxy(peer->address);
  if (proxied) return AwaitHeader(std::move(socket), *peer);
  Admit(std::move(socket), peer, peer);
}

bool Acceptor::IsOwn(const replay::File& socket, const absl::optional<Endpoint>& from) const {
  if (from) return options_.connections->IsOwn(*from);
  return PeerOf(socket).pid == getpid();
}

absl::Status Acceptor::CheckPeer(const replay::File& socket) const {
  if (!options_.check_peer) return absl::OkStatus();
  int handle = -1;
  socklen_t size = sizeof(handle);
  const bool known = getsockopt(socket.fd(), SOL_SOCKET, kPeerPidfd, &handle, &size) == 0;
  if (!known && errno != ENOPROTOOPT) return PeerHasEnded();
  const replay::File process(known ? handle : -1);
  if (absl::Status may = options_.check_peer(PeerOf(socket)); !may.ok()) return may;
  // If the process has ended, its pid may belong to the process that was checked.
  return known && HasEnded(process) ? PeerHasEnded() : absl::OkStatus();
}

void Acceptor::AwaitHeader(replay::File socket, const Endpoint& proxy) {
  if (waiting_.size() >= limits::kMaxUnknownConnections) waiting_.erase(waiting_.begin());
  const Id id = ++last_id_;
  if (!Watch(socket.fd(), EPOLLIN, id)) return;
  const Instant until = options_.clock->Now() + limits::kProxyHeaderLimit;
  waiting_.emplace(id, Waiting{std::move(socket), proxy, "", until});
}

// Peeks first, so that it consumes only the bytes of the header.
void Acceptor::ReadHeader(Id id) {
  const auto found = waiting_.find(id);
  Waiting& waiting = found->second;
  char bytes[limits::kMaxProxyHeaderBytes];
  const ssize_t peeked = recv(waiting.socket.fd(), bytes, sizeof(bytes), MSG_PEEK);
  if (peeked < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (peeked <= 0) return void(waiting_.erase(found));
  const size_t before = waiting.header.size();
  waiting.header.append(bytes, static_cast<size_t>(peeked));
  const auto header = ParseProxyHeader(waiting.header);
  if (!header.ok()) {
    TellClosed("proxy_header_refused", header.status(), waiting.proxy);
    return void(waiting_.erase(found));
  }
  const size_t size = *header ? (*header)->size : waiting.header.size();
  recv(waiting.socket.fd(), bytes, size - before, 0);
  if (!*header) return;
  epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, waiting.socket.fd(), nullptr);
  Waiting ready = std::move(waiting);
  waiting_.erase(found);
  Admit(std::move(ready.socket), ready.proxy, (*header)->client.value_or(ready.proxy));
}

void Acceptor::DropLate(Instant now) {
  while (!waiting_.empty() && waiting_.begin()->second.until <= now) {
    TellClosed(
        "proxy_header_refused",
        absl::InvalidArgumentError("the proxy does not say whom it speaks for; turn the PROXY "
                                   "protocol on there, or leave it out of --trusted-proxy"),
        waiting_.begin()->second.proxy);
    waiting_.erase(waiting_.begin());
  }
}

// --- Admission ---

void Acceptor::Admit(replay::File socket, absl::optional<Endpoint> transport,
                     absl::optional<Endpoint> client) {
  const Id id = ++last_id_;
  absl::optional<replay::File> duplicate = Duplicate(socket, id);
  if (!duplicate) return Reset(std::move(socket));
  const absl::Status entered = options_.connections->Enter(
      id, transport, client, *std::move(duplicate), options_.clock->Now());
  if (!entered.ok()) {
    const bool banned = absl::IsPermissionDenied(entered);
    TellClosed(banned ? "connection_banned" : "connection_refused", entered, client);
    return Reset(std::move(socket));
  }
  if (!options_.connections->Watch(id, socket.fd())) {
    Tell({log::Level::kError, "descriptors_used_up", kOutOfDescriptors});
    return Reset(std::move(socket));
  }
  if (client && options_.log != nullptr) {
    options_.log->TellEach(
        log::Event(log::Level::kDebug, "connection_opened", "connections: one more")
            .With(log::kAddress, client->address.text()));
  }
  options_.hand_over(std::move(socket));
}

void Acceptor::AdmitOwn(replay::File socket, absl::optional<Endpoint> transport) {
  const Id id = ++last_id_;
  absl::optional<replay::File> duplicate = Duplicate(socket, id);
  if (!duplicate) return;
  options_.connections->EnterOwn(id, transport, *std::move(duplicate));
  options_.hand_over(std::move(socket));
}

void Acceptor::LookForOffenders(Instant now) {
  if (now < next_look_) return;
  next_look_ = now + limits::kLookInterval;
  for (const Offender& offender :
       options_.connections->CutOffenders(limits::kConnectionsPerLook, now)) {
    const bool wasteful =
        absl::IsResourceExhausted(offender.reason) || absl::IsAborted(offender.reason);
    if (wasteful && !offender.account.empty() && options_.refused) {
      options_.refused(offender.account);
    }
    TellClosed(absl::IsResourceExhausted(offender.reason) ? "connection_wasteful"
               : absl::IsAborted(offender.reason)         ? "connection_resetting"
                                                          : "connection_banned",
               offender.reason, {}, offender.account);
  }
}

absl::optional<replay::File> Acceptor::Duplicate(const replay::File& socket, Id id) {
  replay::File duplicate(fcntl(socket.fd(), F_DUPFD_CLOEXEC, 0));
  if (duplicate.fd() >= 0 && Watch(duplicate.fd(), EPOLLET, id)) return duplicate;
  Tell({log::Level::kError, "descriptors_used_up", kOutOfDescriptors});
  return absl::nullopt;
}

}  // namespace referee::service
