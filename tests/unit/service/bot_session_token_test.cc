// Claims about a bot's stream whose token ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/time/time.h"
#include "referee/service/errors.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(BotSessionTest, TellsABotThatItsTokenEndsSoon) {
  authenticator_.ends_soon = absl::FromUnixSeconds(1'800'000'000);
  ComeBoth();
  EXPECT_THAT(alice_->notices, ElementsAre(HasSubstr("2027-01-15 08:00:00 UTC")));
}

TEST_F(BotSessionTest, AStreamWhoseTokenHasEndedEndsIfNothingIsPlayed) {
  ComeBoth();
  authenticator_.expired = true;
  sessions_.Recheck("bob");
  EXPECT_EQ(alice_->finished, "");
  sessions_.Recheck("alice");
  EXPECT_EQ(alice_->finished, "UNAUTHENTICATED");
  EXPECT_THAT(alice_->why, HasSubstr("has ended at"));
}

TEST_F(BotSessionTest, AMatchThatRunsWhenATokenEndsIsPlayedToItsEndAndNoOtherBegins) {
  max_matches_ = 2;
  ComeBoth();
  CreateMatch();
  const std::string running = id_;
  alice_->Log();
  authenticator_.expired = true;
  sessions_.Recheck();
  sessions_.Recheck();
  EXPECT_THAT(alice_->notices, ElementsAre(HasSubstr("this token has ended")));
  CreateMatch();
  SayCapacity(alice_, 2);
  EXPECT_THAT(alice_->Log(), Not(Contains(HasSubstr("start"))));
  EXPECT_EQ(alice_->finished, "");
  EXPECT_TRUE(host_->Cancel(MatchId::Parse(running).value(), "enough").ok());
  EXPECT_THAT(alice_->Log(), Contains(HasSubstr("end")));
  sessions_.Recheck();
  EXPECT_EQ(alice_->finished, "UNAUTHENTICATED");
}

TEST_F(BotSessionTest, ABotComesBackToItsMatchesAfterItsTokenHasEndedAndForNothingElse) {
  max_matches_ = 2;
  ComeBoth();
  CreateMatch();
  const std::string running = id_;
  authenticator_.expired = true;
  const Guest back = Come("alice");
  back->ends_at_once = true;
  back->EndWrite();
  EXPECT_THAT(back->Log(), Contains(HasSubstr("start")));
  EXPECT_THAT(back->notices, ElementsAre(HasSubstr("this token has ended")));
  SayCapacity(back, 2);
  CreateMatch();
  EXPECT_THAT(back->Log(), Not(Contains(HasSubstr("start"))));
  EXPECT_TRUE(host_->Cancel(MatchId::Parse(running).value(), "enough").ok());
  sessions_.Recheck();
  EXPECT_EQ(back->finished, "UNAUTHENTICATED");
  EXPECT_EQ(Come("alice")->finished, "UNAUTHENTICATED");
}

}  // namespace
}  // namespace referee::service
