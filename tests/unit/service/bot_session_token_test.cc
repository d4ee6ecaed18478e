// Tests of a bot's stream whose token ends, or whose account is banned or disabled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/time/time.h"
#include "referee/service/errors.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::AllOf;
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
  EXPECT_THAT(alice_->notices, ElementsAre(HasSubstr("go on to their end")));
  CreateMatch();
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
  EXPECT_THAT(back->notices, ElementsAre(HasSubstr("go on to their end")));
  CreateMatch();
  EXPECT_THAT(back->Log(), Not(Contains(HasSubstr("start"))));
  EXPECT_TRUE(host_->Cancel(MatchId::Parse(running).value(), "enough").ok());
  sessions_.Recheck();
  EXPECT_EQ(back->finished, "UNAUTHENTICATED");
  EXPECT_EQ(Come("alice")->finished, "UNAUTHENTICATED");
}

// --- Bans; accounts that are disabled or removed, and tokens that an organiser renews, are alike
// ---

TEST_F(BotSessionTest, ABanBeginsForABotThatPlaysWhenItsMatchesAreOver) {
  max_matches_ = 2;
  ComeBoth();
  CreateMatch();
  const std::string running = id_;
  alice_->Log();
  authenticator_.banned = "alice";
  sessions_.Recheck();
  sessions_.Recheck();
  EXPECT_EQ(alice_->finished, "");
  EXPECT_THAT(alice_->notices,
              ElementsAre(AllOf(HasSubstr("is banned (floods)"), HasSubstr("go on to their end"))));
  CreateMatch();
  EXPECT_THAT(alice_->Log(), Not(Contains(HasSubstr("start")))) << "no other begins";
  const Guest back = Come("alice");
  back->ends_at_once = true;
  back->EndWrite();
  EXPECT_THAT(back->Log(), Contains(HasSubstr("start"))) << "it may lose its link meanwhile";
  EXPECT_TRUE(host_->Cancel(MatchId::Parse(running).value(), "enough").ok());
  sessions_.Recheck();
  EXPECT_EQ(back->finished, "PERMISSION_DENIED");
  EXPECT_EQ(Come("alice")->finished, "PERMISSION_DENIED");
}

TEST_F(BotSessionTest, ABanThatIsLiftedWhileABotPlaysLeavesItAsItWas) {
  max_matches_ = 2;
  ComeBoth();
  CreateMatch();
  authenticator_.banned = "alice";
  sessions_.Recheck();
  CreateMatch();
  alice_->Log();
  authenticator_.banned = "";
  sessions_.Recheck();
  EXPECT_THAT(alice_->Log(), Contains(HasSubstr("start")));
}

}  // namespace
}  // namespace referee::service
