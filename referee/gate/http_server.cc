#include "referee/gate/http_server.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <chrono>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/gate/http_connection.h"

namespace referee::gate {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr size_t kAddressesToFill = 4;
constexpr int kBacklog = 4096;
constexpr std::chrono::milliseconds kAcceptPause(100);
// How many surplus connections get an answer at once, and how long each is kept.
constexpr size_t kMaxRefused = 100;
constexpr std::chrono::seconds kRefusedTime(1);
constexpr std::chrono::seconds kSweepInterval(1);
// A page, since browsers open most connections. It is sent without reading the request.
constexpr char kFull[] =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nRetry-After: 5\r\n"
    "Refresh: 5\r\nConnection: close\r\n\r\n"
    "<!doctype html><title>One moment</title>\n"
    "<p>There are too many connections here. This page asks again by itself.</p>\n";

IpAddress ToIpAddress(const asio::ip::address& address) {
  return address.is_v4() ? IpAddress::FromV4(address.to_v4().to_bytes().data())
                         : IpAddress::FromV6(address.to_v6().to_bytes().data());
}

absl::Status ListenAddress(absl::string_view address) {
  return BadValue("--listen", address, "an IP address and a port, such as 127.0.0.1:8080");
}

absl::Status ReadEndpoint(absl::string_view text, tcp::endpoint* endpoint) {
  const size_t colon = text.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(text.substr(colon + 1), &port) ||
      port > 65535) {
    return ListenAddress(text);
  }
  absl::string_view host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  error_code error;
  const asio::ip::address address =
      asio::ip::make_address(std::string(host == "localhost" ? "127.0.0.1" : host), error);
  if (error) return ListenAddress(text);
  *endpoint = tcp::endpoint(address, static_cast<uint16_t>(port));
  return absl::OkStatus();
}

}  // namespace

HttpServer::HttpServer(Gate* gate, Loop* loop, const Clock* clock, log::SparseLog* log)
    : gate_(*gate),
      clock_(*clock),
      log_(*log),
      acceptor_(loop->context()),
      sweep_timer_(loop->context()),
      accept_timer_(loop->context()),
      heartbeat_(std::make_shared<Message>(":\n\n")),
      random_(std::random_device()()) {}

HttpServer::~HttpServer() = default;

absl::Status HttpServer::Trust(const std::vector<std::string>& proxies) {
  for (const std::string& proxy : proxies) {
    absl::StatusOr<IpRange> range = IpRange::Parse(proxy);
    if (!range.ok()) return At("--trusted-proxy", range.status());
    proxies_.push_back(*std::move(range));
  }
  return absl::OkStatus();
}

std::string HttpServer::VisitorOf(absl::string_view forwarded_for) const {
  // Each proxy appends the address of its peer. Addresses before the last untrusted one may be
  // forged.
  const std::vector<absl::string_view> addresses = absl::StrSplit(forwarded_for, ',');
  std::string visitor;
  for (auto text = addresses.rbegin(); text != addresses.rend(); ++text) {
    const absl::optional<IpAddress> address = IpAddress::Parse(absl::StripAsciiWhitespace(*text));
    if (!address) break;
    visitor = address->Counted().text();
    if (!Contain(proxies_, *address)) break;
  }
  return visitor;
}

absl::Status HttpServer::Listen(const std::string& address) {
  tcp::endpoint endpoint;
  if (absl::Status read = ReadEndpoint(address, &endpoint); !read.ok()) return read;
  error_code error;
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(kBacklog, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen on ", Quoted(address), ": ", error.message()));
  }
  SetDate();
  Accept();
  Sweep();
  return absl::OkStatus();
}

std::string HttpServer::address() const {
  error_code error;
  const tcp::endpoint endpoint = acceptor_.local_endpoint(error);
  const std::string host = endpoint.address().to_string();
  const bool v6 = endpoint.address().is_v6();
  return absl::StrCat(v6 ? "[" : "", host, v6 ? "]:" : ":", endpoint.port());
}

void HttpServer::Accept() {
  acceptor_.async_accept([this](const error_code& error, tcp::socket socket) {
    if (stopped_) return;
    if (!error) {
      Take(std::move(socket));
      return Accept();
    }
    // Usually no descriptor is left; some will become free.
    accept_timer_.expires_after(kAcceptPause);
    accept_timer_.async_wait([this](const error_code& stopped) {
      if (!stopped) Accept();
    });
  });
}

void HttpServer::Take(tcp::socket socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return;
  const IpAddress address = ToIpAddress(peer.address());
  std::string counted_as = address.Counted().text();
  const bool proxied = Contain(proxies_, address);
  const size_t most = bounds().connections_per_address == 0
                          ? bounds().connections / kAddressesToFill
                          : bounds().connections_per_address;
  if (connections_.size() >= bounds().connections || by_address_[counted_as] >= most) {
    if (by_address_[counted_as] == 0) by_address_.erase(counted_as);
    return Refuse(std::move(socket), counted_as);
  }
  ++by_address_[counted_as];
  const auto connection =
      std::make_shared<HttpConnection>(this, std::move(socket), std::move(counted_as), proxied);
  connection->index = connections_.size();
  connections_.push_back(connection);
  connection->Start();
}

// Reads the request before closing, because closing with unread input resets the connection and
// could lose the answer.
void HttpServer::Refuse(tcp::socket socket, const std::string& address) {
  log_.Tell(log::Event(log::Level::kWarning, "connection_refused",
                       "connections: one is refused, as there are too many, in all or from there: "
                       "--max-connections, --max-connections-per-address")
                .With(log::kAddress, address));
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(kFull, sizeof(kFull) - 1), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
  if (refused_ >= kMaxRefused) return;
  ++refused_;
  const auto held = std::make_shared<tcp::socket>(std::move(socket));
  const auto timer = std::make_shared<asio::steady_timer>(held->get_executor(), kRefusedTime);
  timer->async_wait([held](const error_code&) {
    error_code closed;
    held->close(closed);
  });
  held->async_wait(tcp::socket::wait_read, [this, held, timer](const error_code& error) {
    --refused_;
    char dropped[4096];
    error_code read;
    if (!error) held->read_some(asio::buffer(dropped), read);
    timer->cancel();
  });
}

void HttpServer::Remove(HttpConnection* connection) {
  const auto counted = by_address_.find(connection->counted_as());
  if (--counted->second == 0) by_address_.erase(counted);
  const size_t index = connection->index;
  connections_.back()->index = index;
  std::swap(connections_[index], connections_.back());
  connections_.pop_back();
}

void HttpServer::SetDate() {
  date_ = absl::FormatTime("%a, %d %b %E4Y %H:%M:%S GMT", clock_.WallNow(), absl::UTCTimeZone());
}

void HttpServer::Sweep() {
  sweep_timer_.expires_after(kSweepInterval);
  sweep_timer_.async_wait([this](const error_code& error) {
    if (error || stopped_) return;
    SetDate();
    const Instant now = Now();
    // From the end, since a closed connection is replaced by the last one.
    for (size_t i = connections_.size(); i-- > 0;) {
      const std::shared_ptr<HttpConnection> connection = connections_[i];
      connection->Look(now);
    }
    gate_.Sweep();
    Sweep();
  });
}

void HttpServer::Stop() {
  stopped_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  sweep_timer_.cancel();
  accept_timer_.cancel();
  while (!connections_.empty()) {
    const std::shared_ptr<HttpConnection> connection = connections_.back();
    connection->Close();
  }
}

}  // namespace referee::gate
