// One connection: requests one after another, or, once events are asked for, these until the end.
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
  // `proxied`: the peer is a proxy that says in each request who asks.
  HttpConnection(HttpServer* server, boost::asio::ip::tcp::socket socket, std::string counted_as,
                 bool proxied);

  void Start();
  // Ends what takes too long; sends a comment where nothing else was sent for a while.
  void Look(Instant now);
  // Does nothing if it is closed.
  void Close();
  void OnNews() override;

  const std::string& counted_as() const { return counted_as_; }
  size_t index = 0;  // the server's

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::empty_body>;
  // Not there while events are sent: a watcher is to cost little.
  struct Reading {
    explicit Reading(size_t max_bytes) : buffer(max_bytes) {}
    boost::beast::flat_buffer buffer;
    boost::optional<Parser> parser;
  };
  // What is said of a request in the header of its answer.
  struct Asked {
    bool head = false;  // HEAD
    bool keep = false;  // the connection stays
    bool gzip = false;
    // What is read as a page, and so are its errors: where the first page is from there, as "../".
    std::string root;
    std::string visitor;  // the address that asks
    std::string if_none_match;
    std::string last_event_id;
    std::string cookie;  // to be set; may be empty
  };
  enum class Doing {
    kReading,    // a request
    kWaiting,    // for what is to be answered
    kWriting,    // an answer
    kStreaming,  // events
    kDraining,   // all is written; what still comes is dropped, so that the peer can read it
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
  // The lines that every answer has.
  std::string HeaderStart(int code, absl::string_view type) const;
  void Write(std::string header, SharedMessage body);
  void OnAnswered(const boost::system::error_code& error);

  void Stream(const std::shared_ptr<Feed>& feed);
  void Send();
  // Returns whether it was sent at once.
  bool SendNow(const SharedMessage& message);
  void SendRest(SharedMessage message, size_t sent);
  // Waits for the peer to say something, which it should not, or to go.
  void AwaitPeer();
  void CloseSoon();
  void Drain();

  HttpServer& server_;
  boost::asio::ip::tcp::socket socket_;
  const std::string counted_as_;
  const bool proxied_;
  Doing doing_ = Doing::kReading;
  Instant since_;          // that it does that, or that a write has begun
  bool first_ = true;      // request of the connection
  bool too_late_ = false;  // the request did not come in time
  bool sending_ = false;   // an event, or part of one, waits for its reader
  size_t dropped_ = 0;     // bytes that came while streaming or draining
  std::unique_ptr<Reading> reading_;
  Asked asked_;
  std::string header_;          // that is written
  SharedMessage body_;          // that is written, here or as an event
  std::shared_ptr<Feed> feed_;  // that it watches
  Place place_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_HTTP_CONNECTION_H_
