#include "referee/service/accept/self_check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/clock.h"

namespace referee::service {
namespace {

// The eight bytes of an HTTP/2 ping, which its answer repeats.
constexpr absl::string_view kPing = "selfsame";

// The first bytes of an HTTP/2 client: the preface, empty settings, and a ping. Only the ping
// proves that the server reads.
std::string Http2Opening() {
  std::string opening = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  opening.append("\0\0\0\x04\0\0\0\0\0", 9);
  opening.append("\0\0\x08\x06\0\0\0\0\0", 9);
  opening.append(kPing.data(), kPing.size());
  return opening;
}

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* connection) const { SSL_free(connection); }
};

// The ClientHello of a TLS client. An answer to it proves that the server listens.
std::string TlsOpening() {
  const std::unique_ptr<SSL_CTX, FreeContext> context(SSL_CTX_new(TLS_client_method()));
  const std::unique_ptr<SSL, FreeContext> connection(SSL_new(context.get()));
  constexpr unsigned char kHttp2[] = "\x02h2";
  SSL_set_alpn_protos(connection.get(), kHttp2, sizeof(kHttp2) - 1);
  BIO* const said = BIO_new(BIO_s_mem());
  SSL_set_bio(connection.get(), BIO_new(BIO_s_mem()), said);
  SSL_set_connect_state(connection.get());
  SSL_do_handshake(connection.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(said, &bytes);
  std::string opening(bytes, static_cast<size_t>(std::max(size, 0L)));
  ERR_clear_error();
  return opening;
}

// The address to dial for a listening socket.
sockaddr_storage Dialled(const replay::File& listening, socklen_t* size) {
  sockaddr_storage address{};
  *size = sizeof(address);
  getsockname(listening.fd(), reinterpret_cast<sockaddr*>(&address), size);
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&address);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&address);
  if (address.ss_family == AF_INET && v4->sin_addr.s_addr == htonl(INADDR_ANY)) {
    v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else if (address.ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr)) {
    v6->sin6_addr = in6addr_loopback;
  }
  return address;
}

// Binds a local port, and declares it to `connections` as the server's own.
bool BindOwn(int fd, sockaddr_storage address, socklen_t size, Connections* connections) {
  if (address.ss_family == AF_UNIX) return true;
  if (address.ss_family == AF_INET) reinterpret_cast<sockaddr_in*>(&address)->sin_port = 0;
  if (address.ss_family == AF_INET6) reinterpret_cast<sockaddr_in6*>(&address)->sin6_port = 0;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) return false;
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  connections->ExpectOwn(Endpoint::FromSockaddr(address));
  return true;
}

bool WaitFor(int fd, short events, absl::Time until) {
  pollfd ready{fd, events, 0};
  const int64_t left = absl::ToInt64Milliseconds(until - absl::Now());
  return left > 0 && poll(&ready, 1, static_cast<int>(left)) > 0;
}

bool Connect(int fd, const sockaddr_storage& address, socklen_t size, absl::Time until) {
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0) return true;
  if (errno != EINPROGRESS || !WaitFor(fd, POLLOUT, until)) return false;
  int error = 0;
  socklen_t error_size = sizeof(error);
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size);
  return error == 0;
}

// Waits until the socket has received `wanted`.
bool Hears(int fd, absl::string_view wanted, absl::Time until) {
  std::string heard;
  char bytes[1024];
  while (WaitFor(fd, POLLIN, until)) {
    const ssize_t size = recv(fd, bytes, sizeof(bytes), 0);
    if (size <= 0 || heard.size() > sizeof(bytes)) return false;
    heard.append(bytes, static_cast<size_t>(size));
    if (heard.find(std::string(wanted)) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

bool Deafness::Note(bool answered, Instant begin, Instant end) {
  const bool stood_still =
      begin - last_end_ > 2 * limits_.interval || end - begin > 2 * limits_.patience;
  last_end_ = end;
  if (answered) {
    unanswered_ = 0;
  } else {
    unanswered_ = stood_still ? 0 : unanswered_ + 1;
  }
  return unanswered_ >= limits_.attempts;
}

bool Answers(const Listener& listener, bool tls, Connections* connections,
             absl::Duration patience) {
  const absl::Time until = absl::Now() + patience;
  socklen_t size;
  const sockaddr_storage address = Dialled(listener.sockets().front(), &size);
  const replay::File dialled(
      socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (dialled.fd() < 0 || !BindOwn(dialled.fd(), address, size, connections)) return false;
  const std::string opening = tls ? TlsOpening() : Http2Opening();
  const bool answered = Connect(dialled.fd(), address, size, until) &&
                        send(dialled.fd(), opening.data(), opening.size(), MSG_NOSIGNAL) ==
                            static_cast<ssize_t>(opening.size()) &&
                        Hears(dialled.fd(), tls ? absl::string_view() : kPing, until);
  connections->ExpectOwn(absl::nullopt);
  return answered;
}

SelfCheck::SelfCheck(const Clock* clock, Deafness::Limits limits,
                     std::function<bool(absl::Duration)> attempt, std::function<void()> on_deaf)
    : clock_(*clock),
      limits_(limits),
      attempt_(std::move(attempt)),
      on_deaf_(std::move(on_deaf)),
      thread_([this] { Loop(); }) {}

SelfCheck::~SelfCheck() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void SelfCheck::Loop() {
  Deafness deafness(limits_);
  while (WaitForInterval()) {
    const Instant begin = clock_.Now();
    const bool answered = attempt_(limits_.patience);
    if (deafness.Note(answered, begin, clock_.Now())) return on_deaf_();
  }
}

bool SelfCheck::WaitForInterval() {
  const Instant until = clock_.Now() + limits_.interval;
  MutexLock lock(&mutex_);
  while (!stopping_) {
    const absl::Duration left = until - clock_.Now();
    if (left <= absl::ZeroDuration()) return true;
    changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(left));
  }
  return false;
}

}  // namespace referee::service
