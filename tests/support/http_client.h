// A minimal client of HTTP/1.1 and of server-sent events. Waits are bounded. Thread-compatible.
#ifndef REFEREE_TESTS_SUPPORT_HTTP_CLIENT_H_
#define REFEREE_TESTS_SUPPORT_HTTP_CLIENT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "tests/end_to_end/hostile/socket.h"

namespace referee::testing {

struct HttpAnswer {
  int code = 0;                                // 0: no answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// Parses `bytes`, a whole answer.
HttpAnswer ParseAnswer(const std::string& bytes);

// Sends `bytes` unchanged, and reads until the connection ends.
HttpAnswer Exchange(const std::string& address, const std::string& bytes);
// Requests `target` on a separate connection. `headers` are whole lines, without line ends.
HttpAnswer Get(const std::string& address, const std::string& target,
               const std::vector<std::string>& headers = {}, const std::string& method = "GET");

struct Event {
  std::string id;
  std::string name;
  std::string data;
};

class EventStream {
 public:
  EventStream(const std::string& address, const std::string& target,
              const std::string& last_event_id = "");

  // The next event; none at the end of the stream, or if none comes within a minute.
  absl::optional<Event> Hear();
  // Whether the server has ended the stream.
  bool ended() const { return ended_; }
  // The first line of the answer and its headers.
  const std::string& head() const { return head_; }
  // The number of comment lines so far.
  int comments() const { return comments_; }

 private:
  bool ReadMore();

  end_to_end::Socket socket_;
  std::string head_;
  std::string bytes_;  // not parsed yet
  bool ended_ = false;
  int comments_ = 0;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_HTTP_CLIENT_H_
