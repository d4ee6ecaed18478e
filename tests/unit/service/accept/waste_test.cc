// Tests of peers that send too much useless data, and of the consequences.
#include "referee/service/accept/waste.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/service/accept/connections.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

IpAddress Address(const std::string& text) { return IpAddress::Parse(text).value(); }

constexpr uint64_t kAll = limits::kWaste.burst;

TEST(Waste, UpToABurstIsAllowedAndALittleAllTheTime) {
  testing::SimulatedClock clock;
  Waste waste;
  EXPECT_TRUE(waste.Add(Address("192.0.2.1"), kAll, clock.Now()));
  for (int i = 0; i < 100; ++i) {
    clock.Advance(absl::Seconds(1));
    EXPECT_TRUE(waste.Add(Address("192.0.2.1"), limits::kWaste.per_second, clock.Now()));
  }
  EXPECT_FALSE(waste.Refuses(Address("192.0.2.1"), false, clock.Now()));
}

TEST(Waste, BeyondThatGetsItsAddressRefusedForAWhileAndNoOther) {
  testing::SimulatedClock clock;
  Waste waste;
  EXPECT_FALSE(waste.Add(Address("192.0.2.1"), kAll + 1, clock.Now()));
  EXPECT_TRUE(waste.Refuses(Address("192.0.2.1"), false, clock.Now()));
  EXPECT_FALSE(waste.Refuses(Address("192.0.2.2"), false, clock.Now()));
  clock.Advance(limits::kWasteRefusal);
  EXPECT_FALSE(waste.Refuses(Address("192.0.2.1"), false, clock.Now()));
}

TEST(Waste, WhereAccountsAreKnownLetsANewConnectionInNowAndThen) {
  testing::SimulatedClock clock;
  Waste waste;
  EXPECT_FALSE(waste.Add(Address("192.0.2.1"), kAll + 1, clock.Now()));
  for (int i = 0; i < limits::kConnectionsWhileRefused.burst; ++i) {
    EXPECT_FALSE(waste.Refuses(Address("192.0.2.1"), true, clock.Now()));
  }
  EXPECT_TRUE(waste.Refuses(Address("192.0.2.1"), true, clock.Now()));
  clock.Advance(absl::Seconds(1));
  EXPECT_FALSE(waste.Refuses(Address("192.0.2.1"), true, clock.Now()));
}

constexpr uint64_t kAllCalls = limits::kUnheardCalls.burst;

TEST(AccountBudgets, UpToABurstAreAllowedAndSomeAllTheTime) {
  testing::SimulatedClock clock;
  AccountBudgets calls(limits::kUnheardCalls);
  EXPECT_TRUE(calls.Add("alice", kAllCalls, clock.Now()));
  for (int i = 0; i < 100; ++i) {
    clock.Advance(absl::Seconds(1));
    EXPECT_TRUE(calls.Add("alice", limits::kUnheardCalls.per_second, clock.Now()));
  }
  EXPECT_FALSE(calls.Distrusts("alice", clock.Now()));
}

TEST(AccountBudgets, BeyondThatGetTheirAccountDistrustedForAWhileAndNoOther) {
  testing::SimulatedClock clock;
  AccountBudgets calls(limits::kUnheardCalls);
  EXPECT_FALSE(calls.Add("alice", kAllCalls + 1, clock.Now()));
  EXPECT_FALSE(calls.Add("alice", 1, clock.Now()));
  EXPECT_TRUE(calls.Distrusts("alice", clock.Now()));
  EXPECT_TRUE(calls.Add("bob", kAllCalls, clock.Now()));
  EXPECT_FALSE(calls.Distrusts("bob", clock.Now()));
  clock.Advance(limits::kWasteRefusal);
  EXPECT_FALSE(calls.Distrusts("alice", clock.Now()));
}

// Connections over TCP, which counts what comes.
class WastefulConnections : public ::testing::Test {
 protected:
  struct Pair {
    replay::File client;
    replay::File server;  // what the transport has
    std::string peer;
  };

  WastefulConnections() {
    listening_ = replay::File(socket(AF_INET, SOCK_STREAM, 0));
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(listening_.fd(), reinterpret_cast<sockaddr*>(&address_), sizeof(address_)), 0);
    EXPECT_EQ(listen(listening_.fd(), 10), 0);
    socklen_t size = sizeof(address_);
    getsockname(listening_.fd(), reinterpret_cast<sockaddr*>(&address_), &size);
  }

  // Returns whether a connection from `client` is let in.
  bool Enter(const std::string& client, Pair* pair) {
    pair->client = replay::File(socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(connect(pair->client.fd(), reinterpret_cast<sockaddr*>(&address_), sizeof(address_)),
              0);
    sockaddr_storage from{};
    socklen_t size = sizeof(from);
    pair->server = replay::File(accept(listening_.fd(), reinterpret_cast<sockaddr*>(&from), &size));
    const absl::optional<Endpoint> transport = Endpoint::FromSockaddr(from);
    pair->peer = transport->ToPeer();
    ++last_;
    return connections_
               .Enter(last_, transport, Endpoint{Address(client), static_cast<uint16_t>(last_)},
                      replay::File(dup(pair->server.fd())), clock_.Now())
               .ok() &&
           connections_.Watch(last_, pair->server.fd());
  }
  // The client says so much, and the transport reads it, as far as it can.
  static void Say(const Pair& pair, size_t bytes) {
    const std::string said(32 * 1024, 'x');
    for (bool open = true; open && bytes > 0;) {
      const size_t size = std::min(bytes, said.size());
      EXPECT_EQ(send(pair.client.fd(), said.data(), size, MSG_NOSIGNAL),
                static_cast<ssize_t>(size));
      bytes -= size;
      open = Read(pair, size);
    }
  }
  // Reads so much as gRPC does; false when the connection has ended.
  static bool Read(const Pair& pair, size_t bytes) {
    std::string read(bytes, ' ');
    while (bytes > 0) {
      iovec part{read.data(), bytes};
      msghdr message{};
      message.msg_iov = &part;
      message.msg_iovlen = 1;
      const ssize_t size = recvmsg(pair.server.fd(), &message, 0);
      if (size <= 0) return false;
      bytes -= static_cast<size_t>(size);
    }
    return true;
  }
  // Whether nothing comes from there any more, not even what was sent before.
  static bool IsCut(const Pair& pair) {
    char byte;
    const ssize_t size = recv(pair.server.fd(), &byte, 1, MSG_DONTWAIT);
    return size == 0 || (size < 0 && errno != EAGAIN);
  }
  std::vector<Offender> Look() { return connections_.CutOffenders(100, clock_.Now()); }

  // So many calls have been opened on it, as the transport says, and so many of these have not
  // ended.
  void Open(const Pair& pair, uint64_t calls, uint64_t open = 0) {
    opened_[pair.peer].opened += calls;
    opened_[pair.peer].open += open;
  }
  // A connection on which an account is known, by a call.
  void EnterKnown(const std::string& client, const std::string& account, Pair* pair) {
    ASSERT_TRUE(Enter(client, pair));
    Open(*pair, 1);
    connections_.UseOf(pair->peer)->AddCall();
    connections_.Recognise(pair->peer, account, TokenHash());
  }

  testing::SimulatedClock clock_;
  std::map<std::string, CallCounts> opened_;  // by peer
  Connections connections_{
      {100, 100, 100}, {}, nullptr, [this](const Endpoint& transport) {
        const auto opened = opened_.find(transport.ToPeer());
        return opened == opened_.end() ? absl::nullopt : absl::optional<CallCounts>(opened->second);
      }};
  replay::File listening_;
  sockaddr_in address_{};
  uint64_t last_ = 0;
};

// So much that it is found too much when it is next measured.
constexpr size_t kTooMuch =
    limits::kWaste.burst + limits::kBytesOfConnecting + limits::kBytesBetweenMeasures;

TEST_F(WastefulConnections, AreCutOffAndTheirAddressRefused) {
  Pair offender, beside, elsewhere, later;
  ASSERT_TRUE(Enter("192.0.2.1", &offender));
  ASSERT_TRUE(Enter("192.0.2.1", &beside));
  ASSERT_TRUE(Enter("192.0.2.2", &elsewhere));
  EXPECT_THAT(Look(), IsEmpty());
  Say(offender, kTooMuch);
  EXPECT_THAT(Look(), SizeIs(1));
  EXPECT_TRUE(IsCut(offender));
  EXPECT_FALSE(IsCut(beside));
  EXPECT_FALSE(IsCut(elsewhere));
  EXPECT_FALSE(Enter("192.0.2.1", &later));
  clock_.Advance(limits::kWasteRefusal);
  EXPECT_TRUE(Enter("192.0.2.1", &later));
}

TEST_F(WastefulConnections, AreThoseOfAnAddressTogether) {
  Pair pairs[4];
  for (Pair& one : pairs) ASSERT_TRUE(Enter("192.0.2.1", &one));
  size_t cut = 0;
  for (const Pair& one : pairs) {
    Say(one, kTooMuch / 2);
    cut += Look().size();
  }
  EXPECT_GE(cut, 2u);
}

TEST_F(WastefulConnections, AreNotThoseOfWhichTheServiceMakesUse) {
  Pair reader;
  ASSERT_TRUE(Enter("192.0.2.1", &reader));
  for (int i = 0; i < 10; ++i) {
    Say(reader, kTooMuch / 2);
    connections_.UseOf(reader.peer)->AddMessage(kTooMuch / 2);
    EXPECT_THAT(Look(), IsEmpty());
  }
  EXPECT_FALSE(IsCut(reader));
}

TEST_F(WastefulConnections, OfKnownAccountsAreCutOffForMoreAndTheAccountIsNamed) {
  Pair known, neighbour, later;
  EnterKnown("192.0.2.1", "alice", &known);
  EnterKnown("192.0.2.1", "bob", &neighbour);
  Say(known, limits::kMaxUnusedOfConnection);
  EXPECT_THAT(Look(), IsEmpty());
  Say(known, kTooMuch);
  const std::vector<Offender> offenders = Look();
  ASSERT_THAT(offenders, SizeIs(1));
  EXPECT_EQ(offenders[0].account, "alice");
  EXPECT_TRUE(absl::IsResourceExhausted(offenders[0].reason)) << offenders[0].reason;
  EXPECT_TRUE(IsCut(known));
  EXPECT_FALSE(IsCut(neighbour));
  EXPECT_TRUE(Enter("192.0.2.1", &later));
}

// As those of refctl, one after the other, each of which makes a large competition.
TEST_F(WastefulConnections, AreNotThoseWhoseFirstCallIsAsLargeAsAnyMayBe) {
  for (int i = 0; i < 20; ++i) {
    Pair organiser;
    ASSERT_TRUE(Enter("192.0.2.1", &organiser));
    Say(organiser, limits::kMaxReceivedBytes);
    connections_.UseOf(organiser.peer)->AddCall();
    connections_.UseOf(organiser.peer)->AddMessage(limits::kMaxReceivedBytes);
    connections_.Recognise(organiser.peer, "olga", TokenHash());
    EXPECT_THAT(Look(), IsEmpty());
    connections_.Leave(last_);
  }
}

TEST_F(WastefulConnections, AreThoseOfAnAccountThatOpensCallsOfWhichNobodyHears) {
  Pair offender, its_other, neighbour, later;
  EnterKnown("192.0.2.1", "alice", &offender);
  EnterKnown("192.0.2.1", "alice", &its_other);
  EnterKnown("192.0.2.1", "bob", &neighbour);
  Open(offender, kAllCalls + 1);
  for (const Pair* one : {&offender, &its_other, &neighbour}) {
    Say(*one, limits::kBytesBeforeAsking);
  }
  const std::vector<Offender> offenders = Look();
  ASSERT_THAT(offenders, SizeIs(1));
  EXPECT_EQ(offenders[0].account, "alice");
  EXPECT_TRUE(absl::IsAborted(offenders[0].reason)) << offenders[0].reason;
  EXPECT_TRUE(IsCut(offender));
  EXPECT_FALSE(IsCut(its_other));
  EXPECT_FALSE(IsCut(neighbour));
  EXPECT_TRUE(Enter("192.0.2.1", &later));
}

TEST_F(WastefulConnections, AreThoseOfAnAccountThatHasTooManyCallsOpen) {
  Pair first, second, neighbour;
  EnterKnown("192.0.2.1", "alice", &first);
  EnterKnown("192.0.2.2", "alice", &second);
  EnterKnown("192.0.2.1", "bob", &neighbour);
  Open(first, limits::kMaxOpenCallsOfAccount, limits::kMaxOpenCallsOfAccount);
  Open(neighbour, limits::kMaxOpenCallsOfAccount, limits::kMaxOpenCallsOfAccount);
  for (const Pair* one : {&first, &neighbour}) Say(*one, limits::kBytesBeforeAsking);
  EXPECT_THAT(Look(), IsEmpty());
  Open(second, 1, 1);
  Say(second, limits::kBytesBeforeAsking);
  const std::vector<Offender> offenders = Look();
  ASSERT_THAT(offenders, SizeIs(1));
  EXPECT_EQ(offenders[0].account, "alice");
  EXPECT_TRUE(IsCut(second));
  // What it had open is no longer counted.
  EnterKnown("192.0.2.2", "alice", &second);
  Say(second, limits::kBytesBeforeAsking);
  EXPECT_THAT(Look(), IsEmpty());
}

TEST_F(WastefulConnections, AreThoseOfStrangersThatHaveTooManyCallsOpen) {
  Pair one, other;
  ASSERT_TRUE(Enter("192.0.2.1", &one));
  ASSERT_TRUE(Enter("192.0.2.2", &other));
  Open(one, limits::kMaxOpenCallsOfAddress + 1, limits::kMaxOpenCallsOfAddress + 1);
  Open(other, limits::kMaxOpenCallsOfAddress, limits::kMaxOpenCallsOfAddress);
  for (const Pair* pair : {&one, &other}) Say(*pair, limits::kBytesBeforeAsking);
  EXPECT_THAT(Look(), SizeIs(1));
  EXPECT_TRUE(IsCut(one));
  EXPECT_FALSE(IsCut(other));
}

TEST_F(WastefulConnections, AreThoseOfStrangersThatHaveTooManyCallsOpenTogether) {
  constexpr int kStrangers = 1 + limits::kMaxOpenCallsOfUnknown / limits::kMaxOpenCallsOfAddress;
  std::vector<Pair> strangers(kStrangers);
  for (int i = 0; i < kStrangers; ++i) {
    ASSERT_TRUE(Enter(absl::StrCat("192.0.2.", i), &strangers[i]));
    Open(strangers[i], limits::kMaxOpenCallsOfAddress, limits::kMaxOpenCallsOfAddress);
    Say(strangers[i], limits::kBytesBeforeAsking);
  }
  EXPECT_THAT(Look(), SizeIs(1));
}

TEST_F(WastefulConnections, OfAnAccountThatWasCutOffStayUnknownForAWhile) {
  Pair offender, later, after;
  EnterKnown("192.0.2.1", "alice", &offender);
  Open(offender, kAllCalls + 1);
  Say(offender, limits::kBytesBeforeAsking);
  EXPECT_THAT(Look(), SizeIs(1));
  EnterKnown("192.0.2.1", "alice", &later);
  Say(later, 2 * kTooMuch);
  EXPECT_THAT(Look(), SizeIs(1));
  clock_.Advance(limits::kWasteRefusal);
  Look();
  EnterKnown("192.0.2.1", "alice", &after);
  Say(after, 2 * kTooMuch);
  EXPECT_THAT(Look(), IsEmpty());
}

TEST_F(WastefulConnections, AreNotThoseWhoseCallsAreHeardHoweverMany) {
  Pair known;
  EnterKnown("192.0.2.1", "alice", &known);
  for (uint64_t i = 0; i < 10; ++i) {
    // As many as can be on their way to the service are not heard of yet.
    Open(known, kAllCalls + (i == 0 ? limits::kMaxCallsPerConnection : 0));
    for (uint64_t call = 0; call < kAllCalls; ++call) connections_.UseOf(known.peer)->AddCall();
    Say(known, limits::kBytesBeforeAsking);
    EXPECT_THAT(Look(), IsEmpty());
  }
}

TEST_F(WastefulConnections, LeaveRoomForOthersOfAnAddressWhereAccountsAreKnown) {
  Pair known, offender, one;
  ASSERT_TRUE(Enter("192.0.2.1", &known));
  connections_.Recognise(known.peer, "alice", TokenHash());
  ASSERT_TRUE(Enter("192.0.2.1", &offender));
  Say(offender, kTooMuch);
  EXPECT_THAT(Look(), SizeIs(1));
  EXPECT_TRUE(Enter("192.0.2.1", &one));
}

TEST_F(WastefulConnections, AreFoundHoweverManyAreLookedAtAtOnce) {
  Pair idle[5];
  for (Pair& one : idle) ASSERT_TRUE(Enter("192.0.2.2", &one));
  Pair offender;
  ASSERT_TRUE(Enter("192.0.2.1", &offender));
  Say(offender, kTooMuch);
  size_t found = 0;
  for (int look = 0; look < 6; ++look) found += connections_.CutOffenders(1, clock_.Now()).size();
  EXPECT_EQ(found, 1u);
}

}  // namespace
}  // namespace referee::service
