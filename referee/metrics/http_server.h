// Metrics and health over HTTP, for monitoring: GET or HEAD of
//
//   /metrics   the text format 0.0.4 of Prometheus
//   /livez     200 while the process answers
//   /readyz    200 while it serves; else 503, and the body says why not
//
// Nothing can be changed through it. Two requests are answered at a time, a few wait, and who does
// not send or read within seconds is cut off. No TLS and no passwords: it is for a private address.
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

// What civetweb listens on for "ADDRESS:PORT", or "PORT" alone, which means 127.0.0.1. An address
// is of numbers, one of IPv6 in brackets; port 0 is any free one. Returns InvalidArgument for
// anything else.
absl::StatusOr<std::string> ListeningAddress(absl::string_view address);

class HttpServer {
 public:
  struct Options {
    std::string address;  // as for ListeningAddress
    // Both are called by several threads at a time.
    std::function<std::string()> metrics;        // their text
    std::function<std::string()> why_not_ready;  // one line; empty: it is ready
  };

  // Serves from here on. Returns InvalidArgument for a bad address, Unavailable for one that it
  // cannot listen on.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(Options options);
  // Returns when no request is being answered.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // With the real port.
  const std::string& address() const { return address_; }

  // The same in parts, as it is dialled.
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
  std::string error_;  // of the start
  mg_context* context_ = nullptr;
};

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_HTTP_SERVER_H_
