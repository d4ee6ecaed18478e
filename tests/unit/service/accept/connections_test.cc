// Tests of which connections are accepted, and which are closed to make room.
#include "referee/service/accept/connections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kProxy[] = "10.0.0.1";

// Shuts out whom the test says.
class Doorkeeper final : public Authenticator {
 public:
  absl::StatusOr<Identity> Find(const TokenHash&) const override { return UnknownToken(); }
  absl::Status Recheck(absl::string_view name, const TokenHash&) const override {
    return name == shut_out_ ? AccountDisabled(name, "floods") : absl::OkStatus();
  }
  absl::Status CheckAddress(absl::string_view address) const override {
    return address == shut_out_ ? AddressBanned(address, "floods", absl::nullopt)
                                : absl::OkStatus();
  }
  bool KnowsBot(absl::string_view) const override { return false; }
  bool HasOrganiser() const override { return true; }
  // An account or an address; "" for nobody.
  void ShutOut(const std::string& whom) { shut_out_ = whom; }

 private:
  std::string shut_out_;
};

class ConnectionsTest : public ::testing::Test {
 protected:
  Doorkeeper doorkeeper_;
  // At most ten, four from one address, six unknown, nine of one account.
  Connections connections_{{10, 4, 6, 9}, {IpRange::Parse(kProxy).value()}, &doorkeeper_};

  // A connection from there, from a port of its own. Returns whether it is let in.
  bool Enter(const std::string& address) { return EnterAs(address, address); }
  // The same through a proxy.
  bool EnterAs(const std::string& address, const std::string& client) {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ++last_;
    far_ends_[last_] = replay::File(pair[1]);
    return connections_
        .Enter(last_, At(address, last_), At(client, last_), replay::File(pair[0]), clock_.Now())
        .ok();
  }
  static Endpoint At(const std::string& address, uint64_t id) {
    return {IpAddress::Parse(address).value(), static_cast<uint16_t>(id)};
  }
  void Recognise(const std::string& address, uint64_t id) {
    connections_.Recognise(At(address, id).ToPeer(), "alice", HashToken("a"));
  }
  void EnterKnown(const std::string& address) {
    EXPECT_TRUE(Enter(address));
    Recognise(address, last_);
  }
  // Whether it has been cut off.
  bool IsCut(uint64_t id) {
    char byte;
    return recv(far_ends_[id].fd(), &byte, 1, MSG_DONTWAIT) == 0;
  }

  std::vector<Offender> Look() { return connections_.CutOffenders(100, clock_.Now()); }

  testing::SimulatedClock clock_;
  uint64_t last_ = 0;
  std::map<uint64_t, replay::File> far_ends_;
};

TEST_F(ConnectionsTest, AnAddressMakesRoomForItselfOnly) {
  EXPECT_TRUE(Enter("192.0.2.1"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Enter("192.0.2.2"));
  EXPECT_EQ(connections_.size(), 5u);
  EXPECT_FALSE(IsCut(1));
  EXPECT_TRUE(IsCut(2));
  EXPECT_FALSE(IsCut(3));
}

TEST_F(ConnectionsTest, AddressesOfOneIpv6NetworkCountAsOne) {
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Enter(absl::StrCat("2001:db8::", i)));
  EXPECT_EQ(connections_.size(), 4u);
  EXPECT_TRUE(IsCut(1));
}

TEST_F(ConnectionsTest, KnownOnesAreNotCutOffToMakeRoom) {
  for (int i = 0; i < 4; ++i) EnterKnown("192.0.2.2");
  EXPECT_FALSE(Enter("192.0.2.2"));
  for (uint64_t id = 1; id <= 4; ++id) EXPECT_FALSE(IsCut(id));
}

TEST_F(ConnectionsTest, ThoseOfOtherRefereesAreNotCutOffToMakeRoom) {
  for (uint64_t id = 1; id <= 4; ++id) {
    EXPECT_TRUE(Enter("192.0.2.2"));
    connections_.Trust(At("192.0.2.2", id).ToPeer());
  }
  EXPECT_EQ(connections_.unknown(), 0u);
  EXPECT_FALSE(Enter("192.0.2.2"));
  EXPECT_THAT(Look(), IsEmpty());
  connections_.Leave(1);
  EXPECT_TRUE(Enter("192.0.2.2"));
  for (uint64_t id = 2; id <= 4; ++id) EXPECT_FALSE(IsCut(id));
}

TEST_F(ConnectionsTest, AmongTooManyUnknownOnesTheAddressWithMostMakesRoom) {
  EXPECT_TRUE(Enter("192.0.2.1"));
  EXPECT_TRUE(Enter("192.0.2.3"));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(Enter("192.0.2.2"));
  EXPECT_TRUE(Enter("192.0.2.4"));
  EXPECT_FALSE(IsCut(1));
  EXPECT_FALSE(IsCut(2));
  EXPECT_TRUE(IsCut(3));
  EXPECT_EQ(connections_.size(), 6u);
}

TEST_F(ConnectionsTest, WhenThereAreTooManyInAllAnUnknownOneMakesRoomOrTheNewOneIsRefused) {
  for (int address = 1; address <= 9; ++address) EnterKnown(absl::StrCat("192.0.2.", address));
  EXPECT_TRUE(Enter("192.0.2.10"));
  EXPECT_TRUE(Enter("192.0.2.11"));
  EXPECT_TRUE(IsCut(10));
  connections_.Recognise(At("192.0.2.11", 11).ToPeer(), "bob", HashToken("b"));
  EXPECT_FALSE(Enter("192.0.2.12"));
  EXPECT_EQ(connections_.size(), 10u);
}

TEST_F(ConnectionsTest, OfOneAccountBeyondItsShareMakeRoomAsIfItWereNotKnown) {
  for (int address = 1; address <= 10; ++address) EnterKnown(absl::StrCat("192.0.2.", address));
  EXPECT_TRUE(Enter("192.0.2.11"));
  EXPECT_TRUE(IsCut(10));
  EXPECT_FALSE(IsCut(9));
  connections_.Leave(1);
  Recognise("192.0.2.11", 11);
  EXPECT_TRUE(Enter("192.0.2.12"));
  EXPECT_TRUE(Enter("192.0.2.13"));
  EXPECT_FALSE(IsCut(11)) << "it has taken the place of the one that left";
}

TEST_F(ConnectionsTest, OfTwoAccountsBelongToTheLastOne) {
  EnterKnown("192.0.2.1");
  connections_.Recognise(At("192.0.2.1", 1).ToPeer(), "bob", HashToken("b"));
  doorkeeper_.ShutOut("alice");
  Look();
  clock_.Advance(limits::kShutOutGrace);
  EXPECT_THAT(Look(), IsEmpty());
  doorkeeper_.ShutOut("bob");
  Look();
  clock_.Advance(limits::kShutOutGrace);
  EXPECT_THAT(Look(), SizeIs(1));
}

TEST_F(ConnectionsTest, OneThatLeavesMakesRoom) {
  for (int i = 0; i < 4; ++i) EnterKnown("192.0.2.2");
  connections_.Leave(1);
  connections_.Leave(1);
  EXPECT_EQ(connections_.size(), 3u);
  EXPECT_TRUE(Enter("192.0.2.2"));
}

TEST_F(ConnectionsTest, ThoseOfUnixSocketsAreNotCutOff) {
  for (uint64_t id = 1; id <= 10; ++id) {
    EXPECT_TRUE(
        connections_.Enter(id, absl::nullopt, absl::nullopt, replay::File(), Instant()).ok());
  }
  EXPECT_FALSE(
      connections_.Enter(11, absl::nullopt, absl::nullopt, replay::File(), Instant()).ok());
}

TEST_F(ConnectionsTest, TheServersOwnFitsHoweverManyThereAre) {
  for (int address = 1; address <= 10; ++address) EnterKnown(absl::StrCat("192.0.2.", address));
  const Endpoint own = At("127.0.0.1", 99);
  connections_.ExpectOwn(own);
  EXPECT_TRUE(connections_.IsOwn(own));
  EXPECT_FALSE(connections_.IsOwn(At("127.0.0.1", 98)));
  connections_.EnterOwn(99, own, replay::File());
  EXPECT_EQ(connections_.size(), 11u);
}

TEST_F(ConnectionsTest, LimitsHoldForTheClientsOfAProxyNotForTheProxy) {
  for (int client = 1; client <= 5; ++client) {
    EXPECT_TRUE(EnterAs(kProxy, absl::StrCat("192.0.2.", client)));
  }
  EXPECT_EQ(connections_.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(EnterAs(kProxy, "192.0.2.9"));
  EXPECT_TRUE(IsCut(6));
  EXPECT_FALSE(IsCut(1));
}

TEST_F(ConnectionsTest, TheClientOfAProxyIsItsOwnUntilTheConnectionIsGone) {
  EXPECT_TRUE(EnterAs(kProxy, "192.0.2.1"));
  const std::string peer = At(kProxy, 1).ToPeer();
  EXPECT_EQ(connections_.ClientOf(peer), "ipv4:192.0.2.1:1");
  connections_.Leave(1);
  EXPECT_EQ(connections_.ClientOf(peer), "gone");
}

TEST_F(ConnectionsTest, TheClientOfAnyOtherConnectionIsWhoeverConnected) {
  EXPECT_TRUE(Enter("192.0.2.1"));
  EXPECT_EQ(connections_.ClientOf("ipv4:192.0.2.1:1"), "ipv4:192.0.2.1:1");
  EXPECT_EQ(connections_.ClientOf("unix:"), "unix:");
}

TEST_F(ConnectionsTest, FromABannedAddressAreNotLetInUntilTheBanEnds) {
  doorkeeper_.ShutOut("192.0.2.1");
  EXPECT_FALSE(Enter("192.0.2.1"));
  EXPECT_FALSE(EnterAs(kProxy, "192.0.2.1"));
  EXPECT_TRUE(Enter("192.0.2.2"));
  EXPECT_EQ(connections_.size(), 1u);
  doorkeeper_.ShutOut("");
  EXPECT_TRUE(Enter("192.0.2.1"));
}

TEST_F(ConnectionsTest, OfABannedAddressAreCutOffWhenTheyHaveHeardWhy) {
  EXPECT_TRUE(Enter("192.0.2.1"));
  EnterKnown("192.0.2.1");
  EXPECT_TRUE(Enter("192.0.2.2"));
  doorkeeper_.ShutOut("192.0.2.1");
  EXPECT_THAT(Look(), IsEmpty());
  clock_.Advance(limits::kShutOutGrace);
  const std::vector<Offender> offenders = Look();
  ASSERT_THAT(offenders, SizeIs(2));
  EXPECT_TRUE(absl::IsPermissionDenied(offenders[0].reason));
  EXPECT_TRUE(IsCut(1));
  EXPECT_TRUE(IsCut(2));
  EXPECT_FALSE(IsCut(3));
  EXPECT_EQ(connections_.size(), 1u);
}

TEST_F(ConnectionsTest, OfAnAccountThatIsShutOutAreCutOffToo) {
  EnterKnown("192.0.2.1");
  EXPECT_TRUE(Enter("192.0.2.1"));
  doorkeeper_.ShutOut("alice");
  EXPECT_THAT(Look(), IsEmpty());
  clock_.Advance(limits::kShutOutGrace);
  EXPECT_THAT(Look(), SizeIs(1));
  EXPECT_TRUE(IsCut(1));
  EXPECT_FALSE(IsCut(2));
}

TEST_F(ConnectionsTest, OfWhoIsLetInAgainAtOnceAreNotCutOff) {
  EXPECT_TRUE(Enter("192.0.2.1"));
  for (int i = 0; i < 3; ++i) {
    doorkeeper_.ShutOut("192.0.2.1");
    EXPECT_THAT(Look(), IsEmpty());
    clock_.Advance(limits::kShutOutGrace);
    doorkeeper_.ShutOut("");
    EXPECT_THAT(Look(), IsEmpty());
  }
  EXPECT_FALSE(IsCut(1));
}

TEST_F(ConnectionsTest, TheServersOwnIsNotCutOffWhereItsAddressIsBanned) {
  connections_.EnterOwn(1, At("127.0.0.1", 1), replay::File());
  doorkeeper_.ShutOut("127.0.0.1");
  EXPECT_THAT(Look(), IsEmpty());
  clock_.Advance(limits::kShutOutGrace);
  EXPECT_THAT(Look(), IsEmpty());
}

TEST(ConnectionLimits, KeepWithinTheDescriptors) {
  const ConnectionLimits few = LimitConnections(0, 0, 200).value();
  EXPECT_EQ(few.all, 68u);
  EXPECT_EQ(few.per_address, 17u);
  EXPECT_EQ(few.unknown, 34u);
  EXPECT_EQ(LimitConnections(0, 0, 1'000'000)->all, limits::kMaxConnections);
  EXPECT_EQ(LimitConnections(20'000, 0, 1'000'000)->all, 20'000u);
}

TEST(ConnectionLimits, ThatDoNotFitAreRefused) {
  EXPECT_TRUE(LimitConnections(68, 68, 200).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(LimitConnections(69, 0, 200).status()));
  EXPECT_FALSE(LimitConnections(0, 0, 65).ok());
  EXPECT_FALSE(LimitConnections(0, 0, 0).ok());
}

}  // namespace
}  // namespace referee::service
