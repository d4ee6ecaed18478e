// Claims about AdminService: tokens that are renewed, end or are withdrawn, and the streams that
// they opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/admin_calls.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/accounts.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Admin, EndsTheStreamOfATokenThatIsRenewedAndNotTheOneOfTheNewToken) {
  const std::string old = Add("zoe");
  const auto before = Connected(old);
  const std::string renewed = Rotate("zoe");
  const grpc::Status ended = before->End();
  EXPECT_EQ(ended.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(ended.error_message(), AllOf(HasSubstr("'zoe'"), HasSubstr("renewed")));
  EXPECT_EQ(Greeted(old)->End().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  const auto after = Connected(renewed);
  EXPECT_TRUE(Get("zoe").connected());
}

TEST_F(Admin, LetsABotRenewItsOwnTokenAndNoOthers) {
  const std::string old = Add("zoe");
  const auto before = Connected(old);
  v1::RotateTokenRequest request;
  v1::RotateTokenResponse renewed;
  ASSERT_TRUE(CallAs(old, &AdminStub::RotateToken, request, &renewed).ok());
  EXPECT_EQ(renewed.bot().name(), "zoe");
  EXPECT_NE(renewed.token(), old);
  EXPECT_THAT(Audit(1), ElementsAre("zoe bot.renew zoe: "));
  // What it opened goes on; the old token is taken for a while, but gives no other.
  EXPECT_TRUE(Get("zoe").connected());
  v1::RotateTokenResponse again;
  EXPECT_EQ(CallAs(old, &AdminStub::RotateToken, request, &again).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(CallAs(renewed.token(), &AdminStub::RotateToken, request, &again).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  const auto after = Connected(renewed.token());
  request.set_name("olga");
  EXPECT_EQ(CallAs(renewed.token(), &AdminStub::RotateToken, request, &again).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  request.set_name("zoe");
  request.mutable_token_lifetime()->set_seconds(3600);
  EXPECT_EQ(CallAs(renewed.token(), &AdminStub::RotateToken, request, &again).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  // An organiser's word ends all of them.
  Rotate("zoe");
  EXPECT_THAT(after->End().error_message(), HasSubstr("renewed"));
  EXPECT_EQ(Greeted(old)->End().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(Greeted(renewed.token())->End().error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(Admin, GivesTokensThatEnd) {
  v1::AddBotRequest add;
  add.set_name("zoe");
  add.mutable_token_lifetime()->set_seconds(3600);
  v1::AddBotResponse added;
  ASSERT_TRUE(Call(&AdminStub::AddBot, add, &added).ok());
  const v1::BotAccount& bot = added.bot();
  EXPECT_EQ(bot.token_expire_time().seconds() - bot.token_time().seconds(), 3600);
  EXPECT_THAT(Audit(1), ElementsAre("olga bot.add zoe: bot, for 1h"));
  // Which a renewal by the bot keeps, and an organiser may change.
  v1::RotateTokenRequest rotate;
  v1::RotateTokenResponse rotated;
  ASSERT_TRUE(CallAs(added.token(), &AdminStub::RotateToken, rotate, &rotated).ok());
  EXPECT_TRUE(rotated.bot().has_token_expire_time());
  rotate.set_name("zoe");
  for (const int64_t seconds : {int64_t{59}, int64_t{24 * 3651 * 3600}, int64_t{-1}}) {
    rotate.mutable_token_lifetime()->set_seconds(seconds);
    EXPECT_EQ(Call(&AdminStub::RotateToken, rotate, &rotated).error_code(),
              grpc::StatusCode::INVALID_ARGUMENT)
        << seconds;
  }
  rotate.mutable_token_lifetime()->set_seconds(0);
  ASSERT_TRUE(Call(&AdminStub::RotateToken, rotate, &rotated).ok());
  EXPECT_FALSE(rotated.bot().has_token_expire_time());
}

TEST_F(Admin, RefusesATokenThatHasEndedAndRenewsItForAnOrganiserOnly) {
  store::Account zoe;
  zoe.name = "zoe";
  zoe.token_hash = service::HashToken("zoe's");
  zoe.create_time = zoe.token_time = absl::Now() - absl::Hours(1);
  zoe.token_lifetime = absl::Minutes(30);
  ASSERT_TRUE(referee_.store().AddAccount(zoe, {}).ok());
  v1::RotateTokenRequest request;
  v1::RotateTokenResponse renewed;
  const grpc::Status refused = CallAs("zoe's", &AdminStub::RotateToken, request, &renewed);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(refused.error_message(), AllOf(HasSubstr("has ended at"), HasSubstr("UTC")));
  EXPECT_THAT(Greeted("zoe's")->End().error_message(), HasSubstr("has ended at"));
  Connected(Rotate("zoe"));
}

TEST_F(Admin, EndsTheStreamOfABotThatIsDisabledAndTakesItAgainWhenEnabled) {
  const std::string token = Add("zoe");
  const auto before = Connected(token);
  v1::DisableBotRequest request;
  request.set_name("zoe");
  request.set_reason("plays too slowly");
  v1::DisableBotResponse disabled;
  ASSERT_TRUE(Call(&AdminStub::DisableBot, request, &disabled).ok());
  EXPECT_EQ(disabled.bot().disabled(), "plays too slowly");
  EXPECT_THAT(before->End().error_message(), HasSubstr("plays too slowly"));
  EXPECT_THAT(Greeted(token)->End().error_message(), HasSubstr("plays too slowly"));
  v1::EnableBotResponse enabled;
  ASSERT_TRUE(Named(&AdminStub::EnableBot, "zoe", &enabled).ok());
  EXPECT_EQ(enabled.bot().disabled(), "");
  Connected(token);
}

TEST_F(Admin, RefusesAReasonThatIsTooLongOrThatATerminalWouldObey) {
  Add("zoe");
  for (const std::string& reason : {std::string(257, 'x'), std::string("\x1b[2J")}) {
    v1::DisableBotRequest request;
    request.set_name("zoe");
    request.set_reason(reason);
    v1::DisableBotResponse response;
    EXPECT_EQ(Call(&AdminStub::DisableBot, request, &response).error_code(),
              grpc::StatusCode::INVALID_ARGUMENT);
  }
  EXPECT_EQ(Get("zoe").disabled(), "");
}

TEST_F(Admin, EndsTheStreamOfABotThatIsRemoved) {
  const auto zoe = Connected(Add("zoe"));
  v1::RemoveBotResponse response;
  ASSERT_TRUE(Named(&AdminStub::RemoveBot, "zoe", &response).ok());
  EXPECT_THAT(zoe->End().error_message(), HasSubstr("removed"));
}

TEST_F(Admin, EndsAStreamSoonWhenAnotherProcessRenewedItsToken) {
  const auto zoe = Connected(Add("zoe"));
  ASSERT_TRUE(referee_.store().SetToken("zoe", {1, 2, 3}, absl::Now(), absl::nullopt, {}).ok());
  EXPECT_THAT(zoe->End().error_message(), HasSubstr("renewed"));
}

TEST(Observers, LoseWhatTheyWatchWithTheirToken) {
  RefereeUnderTest::Options options;
  options.store = true;
  options.organiser = true;
  options.readers = service::Readers::kObservers;
  RefereeUnderTest referee(options);
  AddAccount(&referee.store(), "vera", "vera's", store::Role::kObserver);
  const auto olga = NewContext();
  olga->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token("olga"));
  v1::CreateMatchResponse created;
  ASSERT_TRUE(
      referee.matches().CreateMatch(olga.get(), referee.Request({"alice", "bob"}), &created).ok());
  const auto context = NewContext();
  context->AddMetadata("authorization", "Bearer vera's");
  v1::WatchMatchRequest request;
  request.set_match_id(created.match().match_id());
  const auto reader = referee.matches().WatchMatch(context.get(), request);
  v1::WatchMatchResponse event;
  ASSERT_TRUE(reader->Read(&event));
  ASSERT_TRUE(referee.store().SetDisabled("vera", "left us", {}).ok());
  EXPECT_FALSE(reader->Read(&event));
  EXPECT_THAT(reader->Finish().error_message(), HasSubstr("left us"));
}

}  // namespace
}  // namespace referee::testing
