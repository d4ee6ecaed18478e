// Claims about AdminService: the version of a bot, set by an organiser or by the bot itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/admin_calls.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Admin, GivesABotAnotherVersion) {
  Add("zoe");
  for (const char* version : {"1.0", "1.1"}) {
    v1::SetBotVersionRequest request;
    request.set_name("zoe");
    request.set_version(version);
    v1::SetBotVersionResponse response;
    const grpc::Status status = Call(&AdminStub::SetBotVersion, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.bot().version(), version);
  }
  EXPECT_EQ(Get("zoe").version(), "1.1");
  EXPECT_GT(Get("zoe").version_time().seconds(), 0);
  EXPECT_THAT(Audit(1), ElementsAre("olga bot.version zoe: 1.1"));
}

TEST_F(Admin, KeepsTheVersionThatAnOrganiserSetUntilThatIsTakenBack) {
  const std::string token = Add("zoe");
  const auto set = [&](const std::string& version, bool as_told) {
    v1::SetBotVersionRequest request;
    request.set_name("zoe");
    request.set_version(version);
    request.set_as_told(as_told);
    v1::SetBotVersionResponse response;
    return Call(&AdminStub::SetBotVersion, request, &response);
  };
  const auto welcomed = [&](const std::string& version) {
    RawBot bot(referee_.NewChannel());
    v1::BotItem hello;
    hello.mutable_hello()->set_token(token);
    hello.mutable_hello()->set_version(version);
    bot.Say(hello);
    return bot.Hear().has_welcome();
  };
  ASSERT_TRUE(set("1.0", false).ok());
  EXPECT_TRUE(Get("zoe").version_kept());
  EXPECT_TRUE(welcomed("2.0")) << "it may play";
  EXPECT_EQ(Get("zoe").version(), "1.0");
  EXPECT_EQ(set("1.0", true).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ASSERT_TRUE(set("", true).ok());
  EXPECT_FALSE(Get("zoe").version_kept());
  EXPECT_EQ(Get("zoe").version(), "1.0");
  EXPECT_THAT(Audit(1), ElementsAre("olga bot.version zoe: as told"));
}

TEST_F(Admin, RefusesVersionsThatAreNone) {
  Add("zoe");
  for (const std::string& version :
       {std::string(), std::string(33, 'x'), std::string("1\n2"), std::string("\x1b[2J")}) {
    v1::SetBotVersionRequest request;
    request.set_name("zoe");
    request.set_version(version);
    v1::SetBotVersionResponse response;
    const grpc::Status status = Call(&AdminStub::SetBotVersion, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << version;
    EXPECT_THAT(status.error_message(), HasSubstr("version"));
  }
  EXPECT_EQ(Get("zoe").version(), "");
}

TEST_F(Admin, KeepsTheVersionThatABotTells) {
  const std::string token = Add("zoe");
  const auto tells = [&](const std::string& version, bool keeps_existing = false) {
    auto bot = std::make_unique<RawBot>(referee_.NewChannel());
    v1::BotItem hello;
    hello.mutable_hello()->set_token(token);
    hello.mutable_hello()->set_version(version);
    hello.mutable_hello()->set_keeps_existing(keeps_existing);
    bot->Say(hello);
    return bot;
  };
  const auto first = tells("1.0");
  EXPECT_TRUE(first->Hear().has_welcome());
  EXPECT_EQ(Get("zoe").version(), "1.0");
  EXPECT_THAT(Audit(1), ElementsAre("zoe bot.version zoe: 1.0"));
  EXPECT_EQ(tells("2.0", true)->End().error_code(), grpc::StatusCode::ALREADY_EXISTS)
      << "the other goes on";
  const grpc::Status soon = tells("2.0")->End();
  EXPECT_EQ(soon.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(soon.error_message(), HasSubstr("once in 1h"));
  EXPECT_EQ(tells(std::string(33, 'x'))->End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Get("zoe").version(), "1.0");
  EXPECT_TRUE(Get("zoe").connected()) << "none of these took its place";
  const auto same = tells("1.0");
  EXPECT_TRUE(same->Hear().has_welcome());
  const auto silent = tells("");
  EXPECT_TRUE(silent->Hear().has_welcome());
  EXPECT_EQ(Get("zoe").version(), "1.0");
}

TEST_F(Admin, BotThatComesBackToItsMatchesLosesNoneForAVersion) {
  const std::string token = Add("zoe");
  const auto tells = [&](const std::string& version) {
    auto bot = std::make_unique<RawBot>(referee_.NewChannel());
    v1::BotItem hello;
    hello.mutable_hello()->set_token(token);
    hello.mutable_hello()->set_version(version);
    bot->Say(hello);
    return bot;
  };
  const auto zoe = tells("1.0");
  EXPECT_TRUE(zoe->Hear().has_welcome());
  const auto kit = Connected(Add("kit"));
  const auto olga = NewContext();
  olga->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token("olga"));
  v1::CreateMatchResponse created;
  ASSERT_TRUE(
      referee_.matches().CreateMatch(olga.get(), referee_.Request({"zoe", "kit"}), &created).ok());
  zoe->Hear(v1::RefereeItem::kMatchStart);
  const auto back = tells("2.0");
  EXPECT_EQ(back->Hear(v1::RefereeItem::kMatchStart).match_start().match().match_id(),
            created.match().match_id());
  EXPECT_EQ(Get("zoe").version(), "1.0");
}

}  // namespace
}  // namespace referee::testing
