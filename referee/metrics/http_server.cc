#include "referee/metrics/http_server.h"

#include <arpa/inet.h>
#include <civetweb.h>

#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"

namespace referee::metrics {
namespace {

constexpr char kText[] = "text/plain; charset=utf-8";
constexpr std::chrono::milliseconds kKnockInterval{10};
constexpr char kMetricsText[] = "text/plain; version=0.0.4; charset=utf-8";

void Send(mg_connection* connection, bool with_body, absl::string_view status,
          absl::string_view type, absl::string_view body, absl::string_view header = "") {
  std::string answer = absl::StrCat(
      "HTTP/1.1 ", status, "\r\nContent-Type: ", type, "\r\nContent-Length: ", body.size(),
      "\r\nCache-Control: no-store\r\n", header, "Connection: close\r\n\r\n");
  if (with_body) absl::StrAppend(&answer, body);
  mg_write(connection, answer.data(), answer.size());
}

// Opens and closes a connection.
void Knock(const HttpServer::Listening& listening) {
  char error[64];
  mg_connection* const connection = mg_connect_client(listening.host.c_str(), listening.port,
                                                      /*use_ssl=*/0, error, sizeof(error));
  if (connection != nullptr) mg_close_connection(connection);
}

bool IsNumeric(const std::string& host, bool ipv6) {
  in6_addr address;
  return inet_pton(ipv6 ? AF_INET6 : AF_INET, host.c_str(), &address) == 1;
}

}  // namespace

absl::StatusOr<std::string> ListeningAddress(absl::string_view address) {
  const size_t colon = address.rfind(':');
  const bool port_alone = colon == absl::string_view::npos;
  const absl::string_view port = port_alone ? address : address.substr(colon + 1);
  const std::string host(port_alone ? "127.0.0.1" : address.substr(0, colon));
  absl::string_view ipv6 = host;
  const bool bracketed = absl::ConsumePrefix(&ipv6, "[") && absl::ConsumeSuffix(&ipv6, "]");
  int number;
  if (!absl::SimpleAtoi(port, &number) || number < 0 || number > 65'535 ||
      !IsNumeric(bracketed ? std::string(ipv6) : host, bracketed)) {
    return absl::InvalidArgumentError(
        absl::StrCat("metrics address ", Quoted(address),
                     " is not a port, such as 9464, or a numeric address and a port, such as "
                     "10.0.0.7:9464 or [::1]:9464"));
  }
  return absl::StrCat(host, ":", number);
}

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(Options options) {
  const absl::StatusOr<std::string> listening = ListeningAddress(options.address);
  if (!listening.ok()) return listening.status();
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(options)));
  const char* settings[] = {"listening_ports",
                            listening->c_str(),  //
                            "num_threads",
                            "2",  //
                            "connection_queue",
                            "8",  //
                            "listen_backlog",
                            "16",  //
                            "max_request_size",
                            "8192",  //
                            "request_timeout_ms",
                            "5000",  //
                            "enable_keep_alive",
                            "no",  //
                            nullptr};
  mg_callbacks callbacks{};
  callbacks.begin_request = &HttpServer::Answer;
  callbacks.log_message = &HttpServer::NoteError;
  server->context_ = mg_start(&callbacks, server.get(), settings);
  if (server->context_ == nullptr) {
    return absl::UnavailableError(absl::StrCat(
        "cannot listen on ", *listening,
        " for metrics: ", server->error_.empty() ? "no reason is known" : server->error_,
        "; end what listens there, or choose another port"));
  }
  mg_server_port port{};
  mg_get_server_ports(server->context_, 1, &port);
  server->listening_ = {listening->substr(0, listening->rfind(':')), port.port};
  server->address_ = absl::StrCat(listening->substr(0, listening->rfind(':')), ":", port.port);
  return server;
}

// civetweb's accepting thread checks for a stop every two seconds and after each connection.
// Connecting makes the stop immediate.
HttpServer::~HttpServer() {
  if (context_ == nullptr) return;
  std::promise<void> stopped;
  std::thread knocks([this, over = stopped.get_future()] {
    do {
      Knock(listening_);
    } while (over.wait_for(kKnockInterval) != std::future_status::ready);
  });
  mg_stop(context_);
  stopped.set_value();
  knocks.join();
}

// Records errors of the start. Errors of single connections are the peer's fault and are ignored.
int HttpServer::NoteError(const mg_connection* connection, const char* message) {
  auto* const server = connection == nullptr
                           ? nullptr
                           : static_cast<HttpServer*>(mg_get_user_data(mg_get_context(connection)));
  if (server != nullptr && server->address_.empty()) server->error_ = message;
  return 1;
}

int HttpServer::Answer(mg_connection* connection) {
  const auto* const server =
      static_cast<const HttpServer*>(mg_get_user_data(mg_get_context(connection)));
  const mg_request_info* const request = mg_get_request_info(connection);
  server->Answer(connection, request->request_method, request->local_uri);
  return 1;  // never falls through to civetweb's file server
}

void HttpServer::Answer(mg_connection* connection, absl::string_view method,
                        absl::string_view path) const {
  const bool get = method == "GET";
  if (!get && method != "HEAD") {
    return Send(connection, true, "405 Method Not Allowed", kText, "only GET and HEAD\n",
                "Allow: GET, HEAD\r\n");
  }
  if (path == "/metrics") {
    return Send(connection, get, "200 OK", kMetricsText, options_.metrics());
  }
  if (path == "/livez") return Send(connection, get, "200 OK", kText, "alive\n");
  if (path == "/readyz") {
    const std::string why_not = options_.why_not_ready();
    if (why_not.empty()) return Send(connection, get, "200 OK", kText, "ready\n");
    return Send(connection, get, "503 Service Unavailable", kText, absl::StrCat(why_not, "\n"));
  }
  Send(connection, get, "404 Not Found", kText, "there are /metrics, /livez and /readyz\n");
}

}  // namespace referee::metrics
