// A service manager's end of the sd_notify(3) protocol.
#ifndef REFEREE_TESTS_SUPPORT_NOTIFY_SOCKET_H_
#define REFEREE_TESTS_SUPPORT_NOTIFY_SOCKET_H_

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace referee::testing {

class NotifySocket {
 public:
  // Listens at `path`. REQUIRES: no file is there.
  explicit NotifySocket(std::string path) : path_(std::move(path)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof(address.sun_path) - 1);
    fd_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bound_ = bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~NotifySocket() { close(fd_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  const std::string& path() const { return path_; }
  bool bound() const { return bound_; }

  // Waits for a datagram with a line that begins with `line`, and returns all its lines. Empty if
  // none comes within a minute. Skips the datagrams before it.
  std::vector<std::string> Await(absl::string_view line) {
    const absl::Time until = absl::Now() + absl::Minutes(1);
    for (std::vector<std::string> said; !(said = Next(until)).empty();) {
      for (const std::string& one : said) {
        if (absl::StartsWith(one, line)) return said;
      }
      passed_.insert(passed_.end(), said.begin(), said.end());
    }
    return {};
  }
  // The lines of all datagrams that Await has skipped.
  const std::vector<std::string>& passed() const { return passed_; }

 private:
  std::vector<std::string> Next(absl::Time until) const {
    pollfd ready{fd_, POLLIN, 0};
    const int64_t left = absl::ToInt64Milliseconds(until - absl::Now());
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) return {};
    char bytes[4096];
    const ssize_t size = recv(fd_, bytes, sizeof(bytes), 0);
    if (size <= 0) return {};
    return absl::StrSplit(absl::string_view(bytes, static_cast<size_t>(size)), '\n');
  }

  const std::string path_;
  int fd_;
  bool bound_;
  std::vector<std::string> passed_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_NOTIFY_SOCKET_H_
