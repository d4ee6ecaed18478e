// Tests of the limits on useless bytes over Unix sockets.
#include "referee/service/accept/local_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/replay/files.h"
#include "referee/service/accept/connections.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint64_t kBurst = limits::kUnusedOfAccount.burst;

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    near = replay::File(ends[0]);
    far = replay::File(ends[1]);
  }
  replay::File near;
  replay::File far;
};

class LocalBytesTest : public ::testing::Test {
 protected:
  uint64_t Add() {
    ++last_;
    bytes_.Add(last_, pairs_[last_].near.fd(), clock_.Now());
    return last_;
  }
  // So much more has come; returns whether the connection goes on.
  bool Receive(uint64_t connection, uint64_t bytes, uint64_t asks = 0) {
    received_[connection].bytes += bytes;
    received_[connection].asks += asks;
    return bytes_.Raise(connection, pairs_[connection].near.fd(), received_[connection])
        .has_value();
  }

  testing::SimulatedClock clock_;
  LocalBytes bytes_;
  std::map<uint64_t, Pair> pairs_;
  std::map<uint64_t, Received> received_;
  uint64_t last_ = 0;
};

TEST_F(LocalBytesTest, WithoutUseAreBoundedAndTheProcessIsNamed) {
  const uint64_t endless = Add();
  EXPECT_TRUE(Receive(endless, kBurst));
  EXPECT_FALSE(Receive(endless, 64 * 1024));
  EXPECT_FALSE(Receive(endless, 1));
  const std::vector<Offender> offenders = bytes_.TakeOffenders();
  ASSERT_THAT(offenders, SizeIs(1));
  EXPECT_EQ(offenders[0].connection, endless);
  EXPECT_THAT(offenders[0].reason.message(), HasSubstr(absl::StrCat("process ", getpid(), " of")));
}

TEST_F(LocalBytesTest, ThatAreUsedOrSpreadOverTimeAreNotBounded) {
  const uint64_t good = Add();
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(Receive(good, 1 << 20));
    bytes_.use()->AddMessage(1 << 20);
  }
  for (int i = 0; i < 100; ++i) {
    clock_.Advance(absl::Seconds(16));
    bytes_.SetTime(clock_.Now());
    EXPECT_TRUE(Receive(good, 1 << 20));
  }
  EXPECT_THAT(bytes_.TakeOffenders(), IsEmpty());
}

TEST_F(LocalBytesTest, CutOffTheConnectionThatBroughtMost) {
  const uint64_t good = Add();
  const uint64_t bad = Add();
  EXPECT_TRUE(Receive(bad, kBurst - 1'000));
  EXPECT_TRUE(Receive(good, 2'000));
  EXPECT_FALSE(Receive(bad, 1));
  EXPECT_TRUE(Receive(good, 2'000));
}

TEST_F(LocalBytesTest, CountAnswersThatAreNotReadAsWhatTheyCost) {
  const uint64_t deaf = Add();
  const std::string answers(limits::kMaxUnreadByReader, 'x');
  ASSERT_GT(send(pairs_[deaf].near.fd(), answers.data(), answers.size(), MSG_DONTWAIT), 0);
  uint64_t pings = 0;
  while (pings < 200'000 && Receive(deaf, 240 * 17, 240)) pings += 240;
  EXPECT_LT(pings, kBurst / limits::kBytesOfOwedAnswer);
}

TEST_F(LocalBytesTest, CountNoFewPingsWhoseAnswersAreRead) {
  const uint64_t measures = Add();
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(Receive(measures, 4'096, 60));
    bytes_.use()->AddMessage(4'096);
  }
}

// A bot of a duel that sends CONTINUATION frames without an end.
TEST(LocalConnections, ThatSendHeadersInTooManyPiecesAreCutOff) {
  testing::SimulatedClock clock;
  Connections connections({10, 10, 10}, {});
  const Pair pair;
  const replay::File transport(dup(pair.near.fd()));
  ASSERT_TRUE(
      connections
          .Enter(1, absl::nullopt, absl::nullopt, replay::File(dup(pair.near.fd())), clock.Now())
          .ok());
  ASSERT_TRUE(connections.Watch(1, transport.fd()));
  const std::string more("\0\0\0\x9\0\0\0\0\1", 9);
  std::string said = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string("\0\0\0\1\0\0\0\0\1", 9);
  for (int i = 0; i < limits::kMaxHeaderFrames; ++i) said += more;
  ASSERT_EQ(send(pair.far.fd(), said.data(), said.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(said.size()));
  std::string read(1'000, '\0');
  iovec part{read.data(), read.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  EXPECT_EQ(recvmsg(transport.fd(), &message, 0), -1);
  const std::vector<Offender> offenders = connections.CutOffenders(10, clock.Now());
  ASSERT_THAT(offenders, SizeIs(1));
  EXPECT_THAT(offenders[0].reason.message(),
              AllOf(HasSubstr(absl::StrCat("process ", getpid())), HasSubstr("without an end")));
  EXPECT_EQ(connections.size(), 0u);
}

}  // namespace
}  // namespace referee::service
