// Claims about peers that do not even speak gRPC properly.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/socket.h"

namespace referee::end_to_end {
namespace {

// What a client of HTTP/2 says first: the preface, and its settings (none).
const std::string& Opening() {
  static const auto* const opening = new std::string(
      std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + std::string("\0\0\0\x04\0\0\0\0\0", 9));
  return *opening;
}

class HostileSocket : public ::testing::Test {
 protected:
  HostileFixture venue_;
};

TEST_F(HostileSocket, ThatSaysAByteAtATimeIsClosedWhenItsHandshakeTakesTooLong) {
  venue_.PlayBeside([&](const std::function<bool()>&) {
    Socket slow(venue_.address());
    const absl::Time start = absl::Now();
    bool open = true;
    // So slowly that the opening would take half a minute.
    for (const char byte : Opening()) {
      open = slow.Send(std::string(1, byte));
      const absl::Time next = absl::Now() + absl::Seconds(1);
      while (open && absl::Now() < next) open = slow.Read(next - absl::Now());
      if (!open) break;
    }
    EXPECT_FALSE(open);
    EXPECT_LT(absl::Now() - start, absl::Seconds(30));
  });
}

TEST_F(HostileSocket, ThatSaysNothingOrNonsenseIsClosed) {
  venue_.PlayBeside([&](const std::function<bool()>&) {
    std::vector<std::unique_ptr<Socket>> sockets;
    for (int i = 0; i < 100; ++i) sockets.push_back(std::make_unique<Socket>(venue_.address()));
    for (size_t i = 0; i < sockets.size(); ++i) {
      if (i % 2 == 0) sockets[i]->Send("GET / HTTP/1.1\r\n\r\n" + std::string(1'000, '\xff'));
    }
    const absl::Time until = absl::Now() + absl::Seconds(60);
    for (const auto& socket : sockets) {
      EXPECT_TRUE(socket->IsClosedWithin(until - absl::Now()));
    }
  });
}

// A frame that announces what never comes: the daemon waits for it with no more than a connection.
TEST_F(HostileSocket, ThatStopsInTheMiddleOfAFrameHoldsUpNobody) {
  venue_.PlayBeside([&](const std::function<bool()>& over) {
    std::vector<std::unique_ptr<Socket>> sockets;
    for (int i = 0; i < 100; ++i) {
      sockets.push_back(std::make_unique<Socket>(venue_.address()));
      // HEADERS of 16,000 bytes on stream 1, of which two come.
      sockets.back()->Send(Opening() + std::string("\0\x3e\x80\x01\x04\0\0\0\x01\x88\x88", 11));
    }
    Eventually(over);
  });
}

}  // namespace
}  // namespace referee::end_to_end
