// Tests of which service names the health service reports as serving.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "referee/base/clock.h"
#include "referee/service/access/credentials.h"
#include "referee/service/server.h"
#include "tests/support/health.h"

namespace referee::service {
namespace {

using ::referee::testing::HealthOf;
using ::referee::testing::kNotServing;
using ::referee::testing::kServing;

// Of a server without a host and a store.
class HealthTest : public ::testing::Test {
 protected:
  HealthTest() {
    ServerOptions options;
    options.authenticator = &credentials_;
    options.clock = &clock_;
    options.listen = "127.0.0.1:0";
    server_ = Server::Start(options).value();
  }
  std::string Of(const std::string& service) const { return HealthOf(server_->address(), service); }

  SystemClock clock_;
  Credentials credentials_;
  std::unique_ptr<Server> server_;
};

TEST_F(HealthTest, NothingServesBeforeTheServerWasTold) {
  EXPECT_EQ(Of(""), kNotServing);
  EXPECT_EQ(Of("referee.v1.ReplayService"), kNotServing);
}

TEST_F(HealthTest, EachServiceFollowsWhatItNeeds) {
  server_->TellHealth({true, true, true});
  for (const char* all : {"", "matches", "referee.v1.BotService", "referee.v1.MatchService",
                          "referee.v1.ReplayService"}) {
    EXPECT_EQ(Of(all), kServing) << all;
  }
  server_->TellHealth({true, false, true});
  EXPECT_EQ(Of(""), kNotServing);
  EXPECT_EQ(Of("matches"), kNotServing);
  EXPECT_EQ(Of("referee.v1.BotService"), kNotServing);
  EXPECT_EQ(Of("referee.v1.ReplayService"), kServing);
  server_->TellHealth({true, true, false});
  EXPECT_EQ(Of(""), kNotServing);
  EXPECT_EQ(Of("referee.v1.MatchService"), kServing);
  server_->TellHealth({true, true, true, false});
  EXPECT_EQ(Of(""), kNotServing);
  EXPECT_EQ(Of("referee.v1.MatchService"), kServing);
  server_->TellHealth({false, true, true});
  EXPECT_EQ(Of(""), kNotServing);
  EXPECT_EQ(Of("matches"), kNotServing);
  EXPECT_EQ(Of("referee.v1.ReplayService"), kNotServing);
}

TEST_F(HealthTest, AServiceThatIsNotServedIsUnknown) {
  server_->TellHealth({true, true, true});
  EXPECT_NE(Of("referee.v1.CompetitionService"), kServing);
  EXPECT_NE(Of("referee.v1.CompetitionService"), kNotServing);
}

}  // namespace
}  // namespace referee::service
