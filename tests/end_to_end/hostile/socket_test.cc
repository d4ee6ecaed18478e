// Claims about peers that do not even speak gRPC properly.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"

namespace referee::end_to_end {
namespace {

// What a client of HTTP/2 says first: the preface, and its settings (none).
const std::string& Opening() {
  static const auto* const opening = new std::string(
      std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + std::string("\0\0\0\x04\0\0\0\0\0", 9));
  return *opening;
}

// A TCP connection to the daemon.
class Socket {
 public:
  explicit Socket(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0) << errno;
  }
  ~Socket() { close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // Returns false when the daemon has closed the connection.
  bool Send(const std::string& bytes) {
    return send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // Reads what is there, waiting for it up to `patience`. Returns false at the end.
  bool Drain(absl::Duration patience) {
    const timeval timeout = absl::ToTimeval(patience);
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    char bytes[4096];
    const ssize_t read = recv(fd_, bytes, sizeof(bytes), 0);
    return read > 0 || (read < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
  }

 private:
  const int fd_;
};

class HostileSocket : public ::testing::Test {
 protected:
  HostileFixture venue_;
};

TEST_F(HostileSocket, ThatSaysAByteAtATimeIsClosedWhenItsHandshakeTakesTooLong) {
  venue_.PlayBeside([&](const std::function<bool()>&) {
    Socket slow(venue_.port());
    const absl::Time start = absl::Now();
    bool open = true;
    // So slowly that the opening would take half a minute.
    for (const char byte : Opening()) {
      open = slow.Send(std::string(1, byte));
      const absl::Time next = absl::Now() + absl::Seconds(1);
      while (open && absl::Now() < next) open = slow.Drain(next - absl::Now());
      if (!open) break;
    }
    EXPECT_FALSE(open);
    EXPECT_LT(absl::Now() - start, absl::Seconds(30));
  });
}

TEST_F(HostileSocket, ThatSaysNothingOrNonsenseIsClosed) {
  venue_.PlayBeside([&](const std::function<bool()>&) {
    std::vector<std::unique_ptr<Socket>> sockets;
    for (int i = 0; i < 100; ++i) sockets.push_back(std::make_unique<Socket>(venue_.port()));
    for (size_t i = 0; i < sockets.size(); ++i) {
      if (i % 2 == 0) sockets[i]->Send("GET / HTTP/1.1\r\n\r\n" + std::string(1'000, '\xff'));
    }
    const absl::Time until = absl::Now() + absl::Seconds(60);
    for (const auto& socket : sockets) {
      bool open = true;
      while (open && absl::Now() < until) open = socket->Drain(absl::Seconds(1));
      EXPECT_FALSE(open);
    }
  });
}

// A frame that announces what never comes: the daemon waits for it with no more than a connection.
TEST_F(HostileSocket, ThatStopsInTheMiddleOfAFrameHoldsUpNobody) {
  venue_.PlayBeside([&](const std::function<bool()>& over) {
    std::vector<std::unique_ptr<Socket>> sockets;
    for (int i = 0; i < 100; ++i) {
      sockets.push_back(std::make_unique<Socket>(venue_.port()));
      // HEADERS of 16,000 bytes on stream 1, of which two come.
      sockets.back()->Send(Opening() + std::string("\0\x3e\x80\x01\x04\0\0\0\x01\x88\x88", 11));
    }
    Eventually(over);
  });
}

}  // namespace
}  // namespace referee::end_to_end
