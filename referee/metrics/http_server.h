// An HTTP server for monitoring, with the metrics and the health of the referee.
//
// It answers GET and HEAD of
//
//   /metrics   the text format 0.0.4 of Prometheus
//   /livez     200 while the process answers
//   /readyz    200 while the referee serves; else 503, with the reason in the body
//
// The server is read-only. It answers two requests at a time and queues a few; it drops clients
// that do not send or read within seconds. It has no TLS and no passwords: use a private address.
#ifndef REFEREE_METRICS_HTTP_SERVER_H_
#define REFEREE_METRICS_HTTP_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct mg_connection;
struct mg_context;

namespace referee::metrics {

// The listening port setting of civetweb for "ADDRESS:PORT", or for "PORT" on 127.0.0.1. An address
// is numeric, with brackets if IPv6; port 0 is any free port. Returns InvalidArgument for anything
// else.
absl::StatusOr<std::string> ListeningAddress(absl::string_view address);

class HttpServer {
 public:
  struct Options {
    std::string address;  // as for ListeningAddress
    // Called by several threads at the same time.
    std::function<std::string()> metrics;        // returns the text of /metrics
    std::function<std::string()> why_not_ready;  // one line; empty: ready
  };

  // Starts serving. Returns InvalidArgument for a malformed address, and Unavailable if it cannot
  // listen there.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(Options options);
  // Waits until all requests are answered.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The address with the actual port.
  const std::string& address() const { return address_; }

  // The address in parts, for a client to dial.
  struct Listening {
    std::string host;
    int port = 0;
  };

 private:
  explicit HttpServer(Options options) : options_(std::move(options)) {}

  static int Answer(mg_connection* connection);
  static int NoteError(const mg_connection* connection, const char* message);
  void Answer(mg_connection* connection, absl::string_view method, absl::string_view path) const;

  const Options options_;
  std::string address_;
  Listening listening_;
  std::string error_;  // why the start failed
  mg_context* context_ = nullptr;
};

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_HTTP_SERVER_H_
