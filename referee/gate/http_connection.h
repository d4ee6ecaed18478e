// One HTTP connection: a sequence of requests, or a stream of events to its end.
//
// Used on the loop only.
#ifndef REFEREE_GATE_HTTP_CONNECTION_H_
#define REFEREE_GATE_HTTP_CONNECTION_H_

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/optional.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/gate/content.h"
#include "referee/gate/feed.h"
#include "referee/gate/http_server.h"
#include "referee/gate/message.h"
#include "referee/gate/topic.h"

namespace referee::gate {

class HttpConnection final : public Watcher, public std::enable_shared_from_this<HttpConnection> {
 public:
  // `proxied`: the peer is a trusted proxy, which names the client in each request.
  HttpConnection(HttpServer* server, boost::asio::ip::tcp::socket socket, std::string counted_as,
                 bool proxied);

  void Start();
  // Applies time limits, and sends a comment on an idle stream.
  void Look(Instant now);
  // Does nothing if it is already closed.
  void Close();
  void OnNews() override;

  const std::string& counted_as() const { return counted_as_; }
  size_t index = 0;  // in the server's connections_

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::empty_body>;
  // Freed while events are sent, so that a watcher costs little memory.
  struct Reading {
    explicit Reading(size_t max_bytes) : buffer(max_bytes) {}
    boost::beast::flat_buffer buffer;
    boost::optional<Parser> parser;
  };
  // What the answer needs of its request.
  struct Asked {
    bool head = false;  // the method is HEAD
    bool keep = false;  // keep the connection open
    bool gzip = false;
    // For a page and its errors: the relative path of the first page, such as "../". Empty
    // otherwise.
    std::string root;
    std::string visitor;  // the client's address
    std::string if_none_match;
    std::string last_event_id;
    std::string cookie;  // to set; may be empty
  };
  enum class Doing {
    kReading,    // a request
    kWaiting,    // for the content of the answer
    kWriting,    // an answer
    kStreaming,  // events
    kDraining,   // the answer is written; drops input, so that the peer can read the answer
    kClosed,
  };

  void Become(Doing doing);
  void Read();
  void OnHeader(const boost::system::error_code& error);
  void Handle();
  void ReadHeaders();
  absl::string_view TargetBegun() const;

  void Answer(const SharedContent& content);
  void Fail(const absl::Status& status);
  void FailWith(int code, absl::string_view why);
  // The status line and the headers of every answer.
  std::string HeaderStart(int code, absl::string_view type) const;
  void Write(std::string header, SharedMessage body);
  void OnAnswered(const boost::system::error_code& error);

  void Stream(const std::shared_ptr<Feed>& feed);
  void Send();
  // Returns whether all of it was sent at once.
  bool SendNow(const SharedMessage& message);
  void SendRest(SharedMessage message, size_t sent);
  // Watches for the end of the connection; drops input, which should not come.
  void AwaitPeer();
  void CloseSoon();
  void Drain();

  HttpServer& server_;
  boost::asio::ip::tcp::socket socket_;
  const std::string counted_as_;
  const bool proxied_;
  Doing doing_ = Doing::kReading;
  Instant since_;          // when this state, or the current write, began
  bool first_ = true;      // the first request of the connection
  bool too_late_ = false;  // the request did not come in time
  bool sending_ = false;   // an event, or a part of one, waits for its reader
  size_t dropped_ = 0;     // bytes that came while streaming or draining
  std::unique_ptr<Reading> reading_;
  Asked asked_;
  std::string header_;          // being written
  SharedMessage body_;          // being written, as an answer or as an event
  std::shared_ptr<Feed> feed_;  // the watched feed
  Place place_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_HTTP_CONNECTION_H_
