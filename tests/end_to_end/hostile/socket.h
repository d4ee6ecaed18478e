// A TCP connection to the daemon that says what a test wants it to say, or nothing at all.
#ifndef REFEREE_TESTS_END_TO_END_HOSTILE_SOCKET_H_
#define REFEREE_TESTS_END_TO_END_HOSTILE_SOCKET_H_

#include <string>

#include "absl/time/time.h"

namespace referee::end_to_end {

// Thread-compatible.
class Socket {
 public:
  // Connects to `address`, "127.0.0.1:7450" or "[::1]:7450"; from the address `from`, such as
  // "127.0.0.2", unless that is empty. What does not connect is not open.
  explicit Socket(const std::string& address, const std::string& from = "");
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // Returns false when the daemon has closed the connection.
  bool Send(const std::string& bytes);
  // Reads what is there, waiting for it up to `patience`, and adds it to `bytes` unless that is
  // null. Returns false at the end.
  bool Read(absl::Duration patience, std::string* bytes = nullptr);
  // Reads and drops all. Returns whether the daemon has closed the connection, within `patience`.
  bool IsClosedWithin(absl::Duration patience);

  // -1 if it could not connect.
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_HOSTILE_SOCKET_H_
