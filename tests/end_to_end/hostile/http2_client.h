// A client of gRPC over bare HTTP/2 (libnghttp2), for tests that must do what no gRPC client does:
// grant the daemon no window, or grant it late; open calls and reset them at once; open thousands;
// come from another address; go silent in the middle.
//
//   Http2Options options;
//   options.window = 0;            // nothing that the daemon says may be sent
//   Http2Client client(venue.address(), options);
//   const int32_t call = client.Call("/referee.v1.MatchService/ListMatches");
//   client.Send(call, request.SerializeAsString());
//   client.SendLast(call);
//   client.Flush();                // says it; reads nothing
//   client.Grant(1 << 20);         // now it may
//   EXPECT_TRUE(client.Await([&] { return client.answer(call).ended; }));
#ifndef REFEREE_TESTS_END_TO_END_HOSTILE_HTTP2_CLIENT_H_
#define REFEREE_TESTS_END_TO_END_HOSTILE_HTTP2_CLIENT_H_

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "tests/end_to_end/hostile/socket.h"

namespace referee::end_to_end {

struct Http2Options {
  // The address that it comes from, such as "127.0.0.2"; empty: the system chooses.
  std::string from;
  // Goes before HTTP/2: what a proxy says first.
  std::string first;
  // Bytes of answers that each call may be sent before more is granted
  // (SETTINGS_INITIAL_WINDOW_SIZE); not set: 65,535.
  absl::optional<uint32_t> window;
  // Grants as much again as it has read. False: never.
  bool grants = true;
};

// Thread-compatible; no thread of its own. Nothing is said or heard but in Flush, Await and
// ResetAtOnce.
class Http2Client {
 public:
  // What has come of a call so far.
  struct Answer {
    std::deque<std::string> messages;  // whole ones
    absl::optional<int> status;        // grpc-status
    std::string error;                 // grpc-message, as it is on the wire
    bool ended = false;                // the call is over, with a status or without
  };

  // Connects; what does not connect is not open.
  explicit Http2Client(const std::string& address, const Http2Options& options = Http2Options());
  ~Http2Client();
  Http2Client(const Http2Client&) = delete;
  Http2Client& operator=(const Http2Client&) = delete;

  // False when the daemon has closed the connection.
  bool open() const { return open_; }

  // Begins a call of `path`, such as "/referee.v1.BotService/Play", with `token` in its metadata
  // unless that is empty, and `encoding` as that of its messages. Calls beyond what the daemon
  // allows at once wait here.
  int32_t Call(const std::string& path, const std::string& token = "",
               const std::string& encoding = "");
  // Adds a message to a call; one serialised message each.
  void Send(int32_t call, const std::string& message);
  // Adds octets that need be no message, nor a whole one.
  void SendOctets(int32_t call, const std::string& octets);
  // Says octets that need be no frame of HTTP/2.
  void SayOctets(const std::string& octets);
  // Ends this side of a call.
  void SendLast(int32_t call);
  void Reset(int32_t call);
  // Begins `count` calls of `path`, and resets each at once. The answers are forgotten. Stops when
  // the daemon closes the connection; returns how many were said before.
  int ResetAtOnce(const std::string& path, int count);
  // From now on each call may be sent `window` bytes, and the connection too, and as much again as
  // is read.
  void Grant(uint32_t window);

  // Says what there is to say, as far as the daemon takes it within `patience`, and hears what
  // there is to hear meanwhile. Returns whether the daemon took it all.
  bool Flush(absl::Duration patience = absl::Seconds(60));
  // Bytes that are to be said, and that the daemon has not taken.
  size_t unsaid() const { return unsaid_.size(); }
  // Speaks and listens until `done()`; returns false if that does not come within `patience`, or
  // the daemon closes the connection before.
  bool Await(const std::function<bool()>& done, absl::Duration patience = absl::Seconds(60));

  const Answer& answer(int32_t call) const { return calls_.at(call).answer; }
  // The next message of a call, waited for. Returns false if the call ends without one.
  bool Read(int32_t call, std::string* message);

 private:
  struct Conversation {
    std::string unsent;
    bool last_sent = false;  // no more will be
    std::string unread;      // of a message that has not come whole
    Answer answer;
  };
  struct FreeSession {
    void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  };

  void MakeSession(const Http2Options& options);
  // Moves what the session has to say to unsaid_.
  void Compose();
  // Waits up to `patience` until something can be said or heard, and does it.
  void Exchange(absl::Duration patience);
  Conversation* Find(int32_t call);
  static void TakeMessages(Conversation* conversation);

  // nghttp2's callbacks; `self` is the client.
  static ssize_t OnWantData(nghttp2_session* session, int32_t call, uint8_t* buffer, size_t size,
                            uint32_t* flags, nghttp2_data_source* source, void* self);
  static int OnHeader(nghttp2_session* session, const nghttp2_frame* frame, const uint8_t* name,
                      size_t name_size, const uint8_t* value, size_t value_size, uint8_t flags,
                      void* self);
  static int OnData(nghttp2_session* session, uint8_t flags, int32_t call, const uint8_t* data,
                    size_t size, void* self);
  static int OnClose(nghttp2_session* session, int32_t call, uint32_t error, void* self);

  const std::string authority_;
  Socket socket_;
  bool open_;
  bool grants_;
  std::unique_ptr<nghttp2_session, FreeSession> session_;
  std::string unsaid_;
  std::map<int32_t, Conversation> calls_;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_HOSTILE_HTTP2_CLIENT_H_
