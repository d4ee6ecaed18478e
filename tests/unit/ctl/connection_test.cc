#include "referee/ctl/connection.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/ctl/match/client.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Connection, RefusesAddressesThatMakeNoSense) {
  for (const char* address : {"", "7450", "host", ":7450", "host:0", "host:99999", "unix:"}) {
    ClientOptions options;
    options.address = address;
    EXPECT_TRUE(absl::IsInvalidArgument(Connection::Make(options).status())) << address;
  }
}

TEST(Connection, RefusesPlainTextAndTlsAtOnce) {
  ClientOptions options;
  options.tls = true;
  options.insecure = true;
  EXPECT_TRUE(absl::IsInvalidArgument(Connection::Make(options).status()));
}

TEST(Connection, KnowsWhatStaysOnThisMachine) {
  for (const char* address : {"unix:/x", "localhost:1", "127.0.0.1:1", "[::1]:1"}) {
    EXPECT_TRUE(IsLocalAddress(address)) << address;
  }
  for (const char* address : {"example.org:1", "10.0.0.1:1", "0.0.0.0:1", "localhost.evil:1"}) {
    EXPECT_FALSE(IsLocalAddress(address)) << address;
  }
}

TEST(Connection, SaysWhereNobodyAnswersAndWhatToDo) {
  ClientOptions options;
  options.address = "unix:/nonexistent/socket";
  const absl::Status status = MatchClient(Connection::Make(options).value()).List({}).status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("no referee answers at 'unix:/nonexistent/socket'"),
                    HasSubstr("--address"), HasSubstr("refereed")));
}

}  // namespace
}  // namespace referee::ctl
