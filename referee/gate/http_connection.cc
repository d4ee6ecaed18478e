#include "referee/gate/http_connection.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "referee/gate/errors.h"
#include "referee/gate/route.h"
#include "referee/view/page.h"

namespace referee::gate {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr absl::Duration kDrainTime = absl::Seconds(2);
// Most bytes to drop on a connection that should send nothing more.
constexpr size_t kDroppedBytes = 64 * 1024;
constexpr int kRetryAfter = 2;  // seconds
constexpr char kPageType[] = "text/html";

absl::string_view Reason(int code) {
  const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(code)));
  return {reason.data(), reason.size()};
}

int CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return 400;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kFailedPrecondition:
      return 409;
    case absl::StatusCode::kResourceExhausted:
      return 429;
    default:
      return 503;
  }
}

// Whether the error is transient.
bool Passes(int code) { return code == 429 || code == 503; }

std::string ErrorJson(absl::string_view why) {
  using Json = nlohmann::json;
  const Json json = {{"error", std::string(why)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The relative path of the first page from a page at `target`, such as "../"; empty if it is no
// page.
std::string RootOf(absl::string_view target) {
  const absl::string_view path = target.substr(0, target.find('?'));
  if (!absl::StartsWith(path, "/") || absl::StartsWith(path, "/api/") || path == "/livez" ||
      path == "/readyz" || path == "/robots.txt") {
    return "";
  }
  std::string root = "./";
  for (const char c : path.substr(1)) {
    if (c == '/') absl::StrAppend(&root, "../");
  }
  return root;
}

// An error page for spectators. It does not mention limits: after a transient error it reloads.
std::string ErrorPage(int code, absl::string_view why, const std::string& root) {
  if (Passes(code)) {
    return view::MakeNoticePage(
        {"One moment", "This page cannot be shown at this moment. It asks again by itself.", root});
  }
  std::string text = absl::StrCat(why, ".");
  text[0] = absl::ascii_toupper(static_cast<unsigned char>(text[0]));
  return view::MakeNoticePage({code == 404   ? "There is nothing here"
                               : code == 403 ? "This is not open to everybody"
                                             : "This cannot be shown",
                               text, root});
}

bool TakesGzip(absl::string_view accepted) {
  return absl::StrContains(accepted, "gzip") && !absl::StrContains(accepted, "gzip;q=0");
}

// Joins all such headers, since a proxy may add its own after those of the client.
std::string ForwardedFor(const http::fields& headers) {
  std::string all;
  for (const auto& field : headers) {
    const absl::string_view name(field.name_string().data(), field.name_string().size());
    if (!absl::EqualsIgnoreCase(name, "X-Forwarded-For")) continue;
    absl::StrAppend(&all, all.empty() ? "" : ",",
                    absl::string_view(field.value().data(), field.value().size()));
  }
  return all;
}

// How long clients and proxies may cache. Replays never change; their views change with the
// program.
std::string CacheControl(const Content& content, bool is_public) {
  if (content.etag.empty()) return "no-cache";
  return absl::StrCat(is_public ? "public" : "private", absl::string_view(content.type) == kFileType
                                                            ? ", max-age=31536000, immutable"
                                                            : ", max-age=3600");
}

}  // namespace

HttpConnection::HttpConnection(HttpServer* server, tcp::socket socket, std::string counted_as,
                               bool proxied)
    : server_(*server),
      socket_(std::move(socket)),
      counted_as_(std::move(counted_as)),
      proxied_(proxied) {}

void HttpConnection::Become(Doing doing) {
  doing_ = doing;
  since_ = server_.Now();
}

void HttpConnection::Start() {
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  socket_.set_option(
      asio::socket_base::send_buffer_size(static_cast<int>(server_.bounds().socket_bytes)),
      ignored);
  reading_ = std::make_unique<Reading>(2 * server_.bounds().header_bytes);
  Read();
}

void HttpConnection::Close() {
  if (doing_ == Doing::kClosed) return;
  doing_ = Doing::kClosed;
  if (feed_ != nullptr) feed_->topic().Remove(this);
  feed_ = nullptr;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
  server_.Remove(this);
}

// Called inside a call of the topic, where no watcher may be removed.
void HttpConnection::CloseSoon() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->Close(); });
}

void HttpConnection::Look(Instant now) {
  const Bounds& bounds = server_.bounds();
  const absl::Duration waited = now - since_;
  switch (doing_) {
    case Doing::kReading: {
      if (waited < (first_ ? bounds.header_time : bounds.idle_time)) return;
      if (too_late_ || reading_->buffer.size() == 0) return Close();
      too_late_ = true;
      error_code ignored;
      socket_.cancel(ignored);
      return;
    }
    case Doing::kStreaming:
      if (sending_ ? waited >= bounds.write_time : dropped_ > kDroppedBytes) return Close();
      if (!sending_ && waited >= bounds.heartbeat) SendNow(server_.heartbeat());
      return;
    case Doing::kWriting:
      if (waited >= bounds.write_time) Close();
      return;
    case Doing::kDraining:
      if (waited >= kDrainTime || dropped_ > kDroppedBytes) Close();
      return;
    case Doing::kWaiting:
    case Doing::kClosed:
      return;
  }
}

// --- Requests ---

void HttpConnection::Read() {
  Become(Doing::kReading);
  reading_->parser.emplace();
  reading_->parser->header_limit(static_cast<uint32_t>(server_.bounds().header_bytes));
  http::async_read_header(
      socket_, reading_->buffer, *reading_->parser,
      [self = shared_from_this()](const error_code& error, size_t) { self->OnHeader(error); });
}

void HttpConnection::OnHeader(const error_code& error) {
  if (doing_ == Doing::kClosed) return;
  asked_ = Asked();
  asked_.root = RootOf(TargetBegun());
  if (too_late_) return FailWith(408, "the request did not come in time");
  if (!error) return Handle();
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return FailWith(431, absl::StrCat("the request line and headers together are longer than ",
                                      server_.bounds().header_bytes, " bytes"));
  }
  const bool malformed =
      error.category() == http::make_error_code(http::error::bad_method).category();
  if (!malformed || error == http::error::end_of_stream || error == http::error::partial_message) {
    return Close();
  }
  FailWith(400, absl::StrCat("this is no request of HTTP/1.1: ", error.message()));
}

// The target of a request that may be incomplete, as far as it has come.
absl::string_view HttpConnection::TargetBegun() const {
  const auto target = reading_->parser->get().target();
  if (!target.empty()) return {target.data(), target.size()};
  const auto bytes = reading_->buffer.data();
  absl::string_view line(static_cast<const char*>(bytes.data()), bytes.size());
  line = line.substr(0, line.find_first_of("\r\n"));
  line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
  return line.substr(0, line.find(' '));
}

void HttpConnection::ReadHeaders() {
  const auto& request = reading_->parser->get();
  const auto value = [&request](auto name) {
    const auto text = request[name];
    return absl::string_view(text.data(), text.size());
  };
  asked_.head = request.method() == http::verb::head;
  const bool has_body =
      reading_->parser->chunked() || reading_->parser->content_length().value_or(0) > 0;
  asked_.keep = request.keep_alive() && !has_body;  // a body is not read
  asked_.gzip = TakesGzip(value(http::field::accept_encoding));
  asked_.if_none_match = std::string(value(http::field::if_none_match));
  asked_.last_event_id = std::string(value("Last-Event-ID"));
  asked_.visitor = proxied_ ? server_.VisitorOf(ForwardedFor(request)) : "";
  if (asked_.visitor.empty()) asked_.visitor = counted_as_;
}

void HttpConnection::Handle() {
  first_ = false;
  ReadHeaders();
  const auto& request = reading_->parser->get();
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    asked_.keep = false;
    return FailWith(405, "only GET and HEAD are answered here");
  }
  const absl::StatusOr<Route> route =
      ReadTarget(absl::string_view(request.target().data(), request.target().size()));
  if (!route.ok()) return Fail(route.status());
  const auto cookies = request[http::field::cookie];
  const absl::Time now = server_.WallNow();
  const absl::StatusOr<absl::Time> admitted =
      server_.gate().Admit(*route, absl::string_view(cookies.data(), cookies.size()), now);
  if (!admitted.ok()) return Fail(admitted.status());
  if (!route->ticket.empty() && *admitted < absl::InfiniteFuture()) {
    asked_.cookie = absl::StrCat(
        "ticket=", route->ticket,
        "; Path=/; HttpOnly; SameSite=Lax; Max-Age=", absl::ToInt64Seconds(*admitted - now));
  }
  Become(Doing::kWaiting);
  const bool events =
      route->resource == Resource::kMatchEvents || route->resource == Resource::kCompetitionEvents;
  if (!events) {
    return server_.gate().Get(
        *route, asked_.visitor,
        [self = shared_from_this()](const absl::StatusOr<SharedContent>& content) {
          if (self->doing_ == Doing::kClosed) return;
          content.ok() ? self->Answer(*content) : self->Fail(content.status());
        });
  }
  if (asked_.last_event_id.empty()) asked_.last_event_id = route->Parameter("after");
  server_.gate().Follow(
      *route, asked_.visitor,
      [self = shared_from_this()](const absl::StatusOr<std::shared_ptr<Feed>>& feed) {
        if (self->doing_ == Doing::kClosed) return;
        feed.ok() ? self->Stream(*feed) : self->Fail(feed.status());
      });
}

// --- Answers ---

std::string HttpConnection::HeaderStart(int code, absl::string_view type) const {
  std::string header = absl::StrCat("HTTP/1.1 ", code, " ", Reason(code),
                                    "\r\nServer: refgate\r\nDate: ", server_.date(),
                                    "\r\nX-Content-Type-Options: nosniff\r\n",
                                    "Referrer-Policy: no-referrer\r\nContent-Security-Policy: ",
                                    // A page has its own policy as well.
                                    absl::StartsWith(type, kPageType) ? "" : "default-src 'none'; ",
                                    "frame-ancestors 'none'\r\n");
  if (!type.empty()) absl::StrAppend(&header, "Content-Type: ", type, "\r\n");
  if (server_.gate().is_public()) absl::StrAppend(&header, "Access-Control-Allow-Origin: *\r\n");
  if (!asked_.cookie.empty()) absl::StrAppend(&header, "Set-Cookie: ", asked_.cookie, "\r\n");
  return header;
}

void HttpConnection::Answer(const SharedContent& content) {
  const bool known =
      !content->etag.empty() && absl::StrContains(asked_.if_none_match, content->etag);
  const bool zipped = asked_.gzip && content->gzip != nullptr;
  std::string header = HeaderStart(known ? 304 : 200, content->type);
  absl::StrAppend(&header, "Cache-Control: ", CacheControl(*content, server_.gate().is_public()),
                  "\r\nVary: Accept-Encoding\r\n");
  if (!content->etag.empty()) absl::StrAppend(&header, "ETag: ", content->etag, "\r\n");
  if (known) return Write(std::move(header), nullptr);
  if (zipped) absl::StrAppend(&header, "Content-Encoding: gzip\r\n");
  const size_t size = zipped ? content->gzip->size() : content->plain.size();
  absl::StrAppend(&header, "Content-Length: ", size, "\r\n");
  if (asked_.head || size == 0) return Write(std::move(header), nullptr);
  if (!zipped) return Write(std::move(header), SharedMessage(content, &content->plain));
  const auto message = std::make_shared<Message>();
  message->Add(content->gzip);
  Write(std::move(header), message);
}

void HttpConnection::Fail(const absl::Status& status) {
  FailWith(CodeOf(status), absl::string_view(status.message()));
}

void HttpConnection::FailWith(int code, absl::string_view why) {
  // After 408 and 431 the start of the next request is unknown, so the connection closes.
  if (code == 400 || code == 408 || code == 431) asked_.keep = asked_.keep && code == 400;
  const bool page = !asked_.root.empty();
  std::string text = page ? ErrorPage(code, why, asked_.root) : ErrorJson(why);
  std::string header = HeaderStart(code, page ? kHtmlType : kJsonType);
  absl::StrAppend(&header, "Cache-Control: no-store\r\nContent-Length: ", text.size(), "\r\n");
  if (code == 405) absl::StrAppend(&header, "Allow: GET, HEAD\r\n");
  if (Passes(code)) absl::StrAppend(&header, "Retry-After: ", kRetryAfter, "\r\n");
  if (Passes(code) && page) absl::StrAppend(&header, "Refresh: ", kRetryAfter, "\r\n");
  Write(std::move(header),
        asked_.head ? nullptr : std::make_shared<const Message>(std::move(text)));
}

void HttpConnection::Write(std::string header, SharedMessage body) {
  Become(Doing::kWriting);
  header_ = std::move(header);
  absl::StrAppend(&header_, asked_.keep ? "" : "Connection: close\r\n", "\r\n");
  body_ = std::move(body);
  std::vector<asio::const_buffer> buffers{asio::buffer(header_)};
  if (body_ != nullptr) {
    for (const Message::Part& part : body_->parts()) {
      buffers.emplace_back(part.text().data(), part.text().size());
    }
  }
  asio::async_write(socket_, buffers, [self = shared_from_this()](const error_code& error, size_t) {
    self->OnAnswered(error);
  });
}

void HttpConnection::OnAnswered(const error_code& error) {
  if (doing_ == Doing::kClosed) return;
  header_.clear();
  body_ = nullptr;
  if (error) return Close();
  if (asked_.keep) return Read();
  Drain();
}

void HttpConnection::Drain() {
  Become(Doing::kDraining);
  reading_ = nullptr;
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  AwaitPeer();
}

void HttpConnection::AwaitPeer() {
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const error_code& error) {
    if (self->doing_ == Doing::kClosed) return;
    char scratch[1024];
    error_code read = error;
    size_t got = 0;
    if (!read) got = self->socket_.read_some(asio::buffer(scratch), read);
    self->dropped_ += got;
    const bool goes_on = !read || read == asio::error::would_block;
    if (!goes_on || self->dropped_ > kDroppedBytes) return self->Close();
    self->AwaitPeer();
  });
}

// --- Events ---

void HttpConnection::Stream(const std::shared_ptr<Feed>& feed) {
  place_ = feed->topic().PlaceOf(asked_.last_event_id);
  asked_.keep = false;
  if (place_.ended && feed->over()) {  // no event will ever follow
    return Write(HeaderStart(204, ""), nullptr);
  }
  std::string header = HeaderStart(200, "text/event-stream");
  absl::StrAppend(&header, "Cache-Control: no-store\r\nX-Accel-Buffering: no\r\n");
  if (asked_.head) return Write(std::move(header), nullptr);
  absl::StrAppend(&header, "Connection: close\r\n\r\nretry: ", server_.Retry(), "\n\n");
  Become(Doing::kStreaming);
  reading_ = nullptr;
  asked_ = Asked();
  feed_ = feed;
  feed_->topic().Add(this);
  AwaitPeer();
  if (SendNow(std::make_shared<Message>(std::move(header)))) Send();
}

void HttpConnection::OnNews() {
  if (!sending_) Send();
}

void HttpConnection::Send() {
  for (;;) {
    const SharedMessage message = feed_->topic().Next(&place_);
    if (message == nullptr) break;
    if (!SendNow(message)) return;
  }
  if (place_.ended && feed_->over()) CloseSoon();
}

bool HttpConnection::SendNow(const SharedMessage& message) {
  since_ = server_.Now();
  size_t sent = 0;
  if (message->parts().size() == 1) {
    const absl::string_view text = message->parts()[0].text();
    error_code error;
    sent = socket_.write_some(asio::const_buffer(text.data(), text.size()), error);
    if (sent == text.size()) return true;
    if (error && error != asio::error::would_block) {
      sending_ = true;  // stops further sends
      CloseSoon();
      return false;
    }
  }
  SendRest(message, sent);
  return false;
}

void HttpConnection::SendRest(SharedMessage message, size_t sent) {
  sending_ = true;
  body_ = std::move(message);
  std::vector<asio::const_buffer> buffers;
  buffers.reserve(body_->parts().size());
  for (const Message::Part& part : body_->parts()) {
    buffers.emplace_back(part.text().data(), part.text().size());
  }
  buffers[0] += sent;
  asio::async_write(socket_, buffers, [self = shared_from_this()](const error_code& error, size_t) {
    if (self->doing_ == Doing::kClosed) return;
    self->body_ = nullptr;
    if (error) return self->Close();
    self->sending_ = false;
    self->since_ = self->server_.Now();
    self->Send();
  });
}

}  // namespace referee::gate
