// Tests of the addresses on which a server listens, and of those that it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/clock.h"
#include "referee/service/access/credentials.h"
#include "referee/service/address.h"
#include "referee/service/server.h"
#include "tests/support/temp_folder.h"

namespace referee::service {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Starts servers that nobody calls: without a host.
class Address : public ::testing::Test {
 protected:
  Address() {
    options_.authenticator = &credentials_;
    options_.clock = &clock_;
  }

  absl::StatusOr<std::unique_ptr<Server>> Start(const std::string& listen) {
    options_.listen = listen;
    return Server::Start(options_);
  }
  absl::Status StatusOf(const std::string& listen) { return Start(listen).status(); }

  const testing::TempFolder folder_;
  ServerOptions options_;

 private:
  SystemClock clock_;
  Credentials credentials_;
};

TEST_F(Address, WithPortZeroIsReportedWithTheRealPort) {
  for (const std::string host : {"127.0.0.1", "localhost"}) {
    const auto server = Start(host + ":0");
    ASSERT_TRUE(server.ok()) << server.status();
    const std::string address = (*server)->address();
    ASSERT_THAT(address, StartsWith(host + ":"));
    int port = 0;
    ASSERT_TRUE(absl::SimpleAtoi(address.substr(host.size() + 1), &port)) << address;
    EXPECT_GT(port, 0);
  }
}

TEST_F(Address, OfAUnixSocketIsReportedAsGiven) {
  const std::string listen = absl::StrCat("unix:", folder_.path(), "/socket");
  const auto server = Start(listen);
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_EQ((*server)->address(), listen);
}

TEST_F(Address, OffThisMachineTakesNoPlainTextUnlessToldTo) {
  // The names only begin like loopback addresses.
  for (const std::string host : {"0.0.0.0", "[::]", "192.0.2.1", "example.org", "127.example.org",
                                 "127.0.0.1.example.org"}) {
    const absl::Status refused = StatusOf(host + ":0");
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << host << ": " << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr("--insecure")) << host;
  }
  options_.insecure = true;
  EXPECT_TRUE(StatusOf("0.0.0.0:0").ok());
}

TEST_F(Address, ThatMakesNoSenseIsRefused) {
  for (const std::string listen :
       {"", ":", ":7450", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536",
        "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1", "::1:7450", "[::1:7450", "[::1]7450",
        "[127.0.0.1]:7450", "unix:", "unix", "dns:///localhost:1"}) {
    const absl::Status refused = StatusOf(listen);
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << listen << ": " << refused;
    EXPECT_THAT(std::string(refused.message()),
                AnyOf(HasSubstr("expected host:port"), HasSubstr("write ")))
        << listen;
  }
}

TEST_F(Address, ThatIsTakenIsRefused) {
  const auto first = Start("127.0.0.1:0");
  ASSERT_TRUE(first.ok()) << first.status();
  const std::string address = (*first)->address();
  const absl::Status second = StatusOf(address);
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  EXPECT_THAT(std::string(second.message()), HasSubstr(address));
  EXPECT_THAT(std::string(second.message()), HasSubstr("another referee"));
}

// gRPC would take the socket away from whoever listens there.
TEST_F(Address, OfAUnixSocketThatIsTakenIsRefused) {
  const std::string listen = absl::StrCat("unix:", folder_.path(), "/socket");
  const auto first = Start(listen);
  ASSERT_TRUE(first.ok()) << first.status();
  const absl::Status second = StatusOf(listen);
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  EXPECT_THAT(std::string(second.message()), HasSubstr("another referee"));
}

TEST_F(Address, OfAUnixSocketThatAKilledServerLeftIsTaken) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string path = folder_.Path("socket");
  path.copy(name.sun_path, sizeof(name.sun_path) - 1);
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(left, reinterpret_cast<sockaddr*>(&name), sizeof(name)), 0);
  close(left);
  EXPECT_TRUE(StatusOf("unix:" + path).ok());
}

TEST_F(Address, OfAUnixSocketSaysWhatIsWrongWithItsPath) {
  const absl::Status nowhere = StatusOf(absl::StrCat("unix:", folder_.path(), "/no/such/folder"));
  EXPECT_TRUE(absl::IsUnavailable(nowhere)) << nowhere;
  const absl::Status long_one =
      StatusOf(absl::StrCat("unix:", folder_.path(), "/", std::string(108, 'x')));
  EXPECT_TRUE(absl::IsInvalidArgument(long_one)) << long_one;
  EXPECT_THAT(std::string(long_one.message()), HasSubstr("107 bytes"));
}

TEST(DialledAddress, IsWhereItListensUnlessThatIsEverywhere) {
  EXPECT_EQ(DialledAddress("127.0.0.1:7450", "games1"), "127.0.0.1:7450");
  EXPECT_EQ(DialledAddress("games.example.org:7450", "games1"), "games.example.org:7450");
  EXPECT_EQ(DialledAddress("[::1]:7450", "games1"), "[::1]:7450");
  EXPECT_EQ(DialledAddress("0.0.0.0:7450", "games1"), "games1:7450");
  EXPECT_EQ(DialledAddress("[::]:7450", "games1"), "games1:7450");
  EXPECT_EQ(DialledAddress("unix:/run/referee", "games1"), "unix:/run/referee");
  EXPECT_EQ(DialledAddress("unix:socket", "games1").rfind("unix:/", 0), 0u);
}

TEST(AdvertisedAddress, IsOneThatBotsCanDial) {
  for (const char* good : {"games1:7450", "10.0.0.7:7450", "[fd00::7]:7450", "unix:/run/referee"}) {
    EXPECT_TRUE(CheckAdvertised(good).ok()) << good;
  }
  const std::string long_one = std::string(252, 'a') + ":7450";
  for (const std::string& bad :
       {std::string("games1"), std::string("games1:0"), std::string("0.0.0.0:7450"),
        std::string("[::]:7450"), std::string("unix:referee"), std::string(), long_one}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckAdvertised(bad))) << bad;
  }
}

}  // namespace
}  // namespace referee::service
