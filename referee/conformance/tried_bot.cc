#include "referee/conformance/tried_bot.h"

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
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/conformance/asked_turn.h"
#include "referee/service/address.h"

namespace referee::conformance {
namespace {

constexpr absl::Duration kHelloLimit = absl::Seconds(5);
constexpr absl::Duration kEndGrace = absl::Seconds(2);
constexpr int kTailLines = 10;

// The error if the bot sent no Hello, or something else first.
absl::Status NoHelloFrom(absl::string_view what, absl::string_view log_end) {
  return absl::UnavailableError(absl::StrCat("the bot ", what, log_end));
}

// --- The relay ---

constexpr size_t kReadBytes = 16 * 1024;
// The bound on queued bytes in one direction; the relay reads no more beyond.
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

// Listens on a port, and sets `port` to the actual one.
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
  // Ignores errors: a full counter wakes the loop as well.
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
  ucred peer{};  // stays 0 over TCP
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

// Reads available bytes; returns false if the connection has ended.
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

// Sends the bytes that are due; returns false if the connection has ended.
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

// --- The bot ---

std::string TriedBot::Token() { return "rfb_a_script_takes_any_token"; }

TriedBot::TriedBot(Options options, launch::TempDir folder)
    : options_(std::move(options)), folder_(std::move(folder)) {}

absl::StatusOr<std::unique_ptr<TriedBot>> TriedBot::Make(const Options& options) {
  absl::StatusOr<launch::TempDir> folder = launch::TempDir::Make();
  if (!folder.ok()) return folder.status();
  std::unique_ptr<TriedBot> bot(new TriedBot(options, *std::move(folder)));
  auto output = launch::BotOutput::Make(absl::StrCat(bot->folder_.path(), "/log"));
  if (!output.ok()) return output.status();
  bot->output_ = *std::move(output);
  const std::string inner = absl::StrCat(bot->folder_.path(), "/referee");
  auto referee = ScriptedReferee::Start(inner);
  if (!referee.ok()) return referee.status();
  bot->referee_ = *std::move(referee);
  auto relay =
      Relay::Start(options.listen.empty() ? absl::StrCat("unix:", bot->folder_.path(), "/socket")
                                          : options.listen,
                   inner);
  if (!relay.ok()) return relay.status();
  bot->relay_ = *std::move(relay);
  return bot;
}

TriedBot::~TriedBot() {
  if (process_ == nullptr) return;
  process_->Terminate();
  process_->KillAfter(kEndGrace);
}

absl::Status TriedBot::Launch() {
  if (!started_here()) return absl::OkStatus();
  Discard();
  launch::BotProcess::Options options;
  options.command = options_.command;
  options.environment = launch::BotEnvironment(address(), Token());
  options.output = output_;
  auto process = launch::BotProcess::Start(options);
  if (!process.ok()) return process.status();
  process_ = *std::move(process);
  return absl::OkStatus();
}

void TriedBot::Discard() {
  process_.reset();
  stream_ = nullptr;
  greeted_ = false;
  relay_->SetSpeed({});
  if (!started_here()) return;
  // Drops unseen streams of the dead process.
  while (referee_->Next(absl::ZeroDuration()) != nullptr) continue;
}

BotStream* TriedBot::Await(absl::Duration limit) {
  constexpr absl::Duration kLook = absl::Milliseconds(100);
  const absl::Time until = absl::Now() + limit;
  greeted_ = false;
  do {
    stream_ = referee_->Next(std::min(kLook, limit));
    // An ended bot opens no stream, but an earlier one may be queued.
    const bool gone = process_ != nullptr && process_->ending().has_value();
    if (stream_ == nullptr && gone) stream_ = referee_->Next(absl::ZeroDuration());
    if (gone) break;
  } while (stream_ == nullptr && absl::Now() < until);
  return stream_.get();
}

absl::Status TriedBot::Greet() {
  const absl::optional<Heard> first = stream_->Hear(kHelloLimit);
  if (!first) return NoHelloFrom("opened a stream and said no Hello", LogEnd());
  if (!first->item.has_hello()) return NoHelloFrom("said something else before Hello", LogEnd());
  hello_ = first->item.hello();
  stream_->Say({WelcomeItem(kName, static_cast<uint32_t>(max_matches()))});
  greeted_ = true;
  return absl::OkStatus();
}

absl::StatusOr<BotStream*> TriedBot::Stream() {
  if (stream_ != nullptr && stream_->open() && greeted_) {
    while (stream_->Hear(absl::ZeroDuration())) continue;
    return stream_.get();
  }
  const bool new_to_us = stream_ != nullptr && stream_->open();
  if (!new_to_us) stream_ = nullptr;
  const bool runs = process_ != nullptr && !process_->ending();
  // A running bot may be about to reconnect.
  if (!new_to_us && (!started_here() || runs)) Await(options_.start_timeout);
  if (stream_ == nullptr && started_here()) {
    if (absl::Status launched = Launch(); !launched.ok()) return launched;
    Await(options_.start_timeout);
  }
  if (stream_ == nullptr) {
    const std::string ending = process_ == nullptr ? "" : process_->ending().value_or("");
    return NoHelloFrom(ending.empty() ? absl::StrCat("did not connect within ",
                                                     absl::FormatDuration(options_.start_timeout))
                                      : ending,
                       LogEnd());
  }
  if (absl::Status greeted = Greet(); !greeted.ok()) return greeted;
  return stream_.get();
}

absl::StatusOr<BotStream*> TriedBot::Reconnect(const absl::Status& status) {
  stream_->End(status);
  if (Await(options_.start_timeout) == nullptr) {
    return NoHelloFrom(
        absl::StrCat("did not come back within ", absl::FormatDuration(options_.start_timeout)),
        LogEnd());
  }
  if (absl::Status greeted = Greet(); !greeted.ok()) return greeted;
  return stream_.get();
}

int TriedBot::max_matches() const {
  return static_cast<int>(std::min<uint32_t>(std::max<uint32_t>(hello_.max_matches(), 1), 1024));
}

int TriedBot::parallel_turns() const {
  const int told = static_cast<int>(std::min<uint32_t>(hello_.parallel_turns(), 1024));
  return told == 0 ? max_matches() : std::min(told, max_matches());
}

std::string TriedBot::AwaitExit(absl::Duration limit) {
  return process_ == nullptr ? "" : process_->AwaitEnding(limit).value_or("");
}

std::string TriedBot::LogEnd() const {
  const std::string log = process_ ? process_->LogTail(kTailLines) : "";
  return log.empty() ? "" : absl::StrCat("; the end of its log:\n", log);
}

}  // namespace referee::conformance
