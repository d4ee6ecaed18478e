// Accepts HTTP connections within limits, and owns the open ones. Used on the loop only.
#ifndef REFEREE_GATE_HTTP_SERVER_H_
#define REFEREE_GATE_HTTP_SERVER_H_

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/gate/bounds.h"
#include "referee/gate/gate.h"
#include "referee/gate/loop.h"
#include "referee/gate/message.h"
#include "referee/log/sparse_log.h"

namespace referee::gate {

class HttpConnection;

class HttpServer {
 public:
  // All must outlive the server.
  HttpServer(Gate* gate, Loop* loop, const Clock* clock, log::SparseLog* log);
  ~HttpServer();

  // Sets the proxies whose "X-Forwarded-For" names the client: addresses and ranges in the form of
  // IpRange::Parse. Returns InvalidArgument if one is malformed.
  absl::Status Trust(const std::vector<std::string>& proxies);
  // Starts to listen on an address such as "127.0.0.1:8080" or "[::]:0". Returns InvalidArgument if
  // it is malformed, Unavailable if it is in use.
  absl::Status Listen(const std::string& address);
  // The listen address, with the real port.
  std::string address() const;
  // Stops accepting, and closes all connections. Watchers reconnect by themselves.
  void Stop();

  // For connections.
  Gate& gate() { return gate_; }
  const Bounds& bounds() const { return gate_.bounds(); }
  Instant Now() const { return clock_.Now(); }
  absl::Time WallNow() const { return clock_.WallNow(); }
  const SharedMessage& heartbeat() const { return heartbeat_; }
  // How many milliseconds a watcher waits before it reconnects; random, to spread the load.
  int Retry() { return retry_(random_); }
  // The value of the Date header.
  const std::string& date() const { return date_; }
  void Remove(HttpConnection* connection);
  // The client of a request from a trusted proxy: the last address in the header that is not a
  // trusted proxy, otherwise the first one; empty if the header has no address.
  std::string VisitorOf(absl::string_view forwarded_for) const;

 private:
  void Accept();
  void Take(boost::asio::ip::tcp::socket socket);
  void Refuse(boost::asio::ip::tcp::socket socket, const std::string& address);
  // Once a second: applies time limits, and keeps idle streams alive.
  void Sweep();
  void SetDate();

  Gate& gate_;
  const Clock& clock_;
  log::SparseLog& log_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer sweep_timer_;
  boost::asio::steady_timer accept_timer_;
  std::vector<IpRange> proxies_;
  bool stopped_ = false;
  size_t refused_ = 0;  // refused connections that are not closed yet

  // Pending operations hold connections, too.
  std::vector<std::shared_ptr<HttpConnection>> connections_;
  std::unordered_map<std::string, size_t> by_address_;
  const SharedMessage heartbeat_;
  std::string date_;
  std::minstd_rand random_;
  std::uniform_int_distribution<int> retry_{1000, 3000};
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_HTTP_SERVER_H_
