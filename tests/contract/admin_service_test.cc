// Claims about AdminService: accounts, and what other processes make of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/admin_calls.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/accounts.h"
#include "tests/support/files.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Admin, MakesABotThatPlaysWithItsToken) {
  const std::string token = Add("zoe");
  EXPECT_FALSE(Get("zoe").connected());
  const auto zoe = Connected(token);
  const v1::BotAccount shown = Get("zoe");
  EXPECT_TRUE(shown.connected());
  EXPECT_EQ(shown.role(), v1::ROLE_BOT);
  EXPECT_EQ(shown.disabled(), "");
  EXPECT_GT(shown.create_time().seconds(), 0);
  EXPECT_NE(referee_.host().connected("zoe"), referee_.host().connected("alice"));
}

TEST_F(Admin, ABotMayLookAtItsOwnAccountAndAtNoOther) {
  const std::string token = Add("zoe");
  const auto get = [&](const std::string& name, v1::GetBotResponse* response) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", absl::StrCat("Bearer ", token));
    v1::GetBotRequest request;
    request.set_name(name);
    return stub_->GetBot(&context, request, response).error_code();
  };
  for (const char* name : {"zoe", ""}) {
    v1::GetBotResponse response;
    EXPECT_EQ(get(name, &response), grpc::StatusCode::OK);
    EXPECT_EQ(response.bot().name(), "zoe");
  }
  v1::GetBotResponse other;
  EXPECT_EQ(get("alice", &other), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_FALSE(other.has_bot());
}

TEST_F(Admin, KeepsNoTokenInClear) {
  const std::string token = Add("zoe");
  for (const char* name : {"/store.db", "/store.db-wal"}) {
    const std::string bytes = ReadFile(referee_.data_dir() + name);
    EXPECT_THAT(bytes, Not(HasSubstr(token))) << name;
    EXPECT_THAT(bytes, Not(HasSubstr(token.substr(4, 20)))) << name;
  }
}

TEST_F(Admin, RefusesNamesThatAreTakenReservedOrNone) {
  Add("zoe");
  EXPECT_EQ(AddStatus("zoe").error_code(), grpc::StatusCode::ALREADY_EXISTS);
  for (const std::string& name : {std::string(), std::string("local"), std::string("a\nb"),
                                  std::string("\x1b[2J"), std::string(65, 'x')}) {
    EXPECT_EQ(AddStatus(name).error_code(), grpc::StatusCode::INVALID_ARGUMENT) << name;
  }
  EXPECT_EQ(AddStatus("yan", static_cast<v1::Role>(7)).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Admin, AnswersNotFoundForNobody) {
  v1::GetBotResponse got;
  EXPECT_EQ(Named(&AdminStub::GetBot, "nobody", &got).error_code(), grpc::StatusCode::NOT_FOUND);
  v1::RotateTokenResponse rotated;
  EXPECT_EQ(Named(&AdminStub::RotateToken, "nobody", &rotated).error_code(),
            grpc::StatusCode::NOT_FOUND);
  v1::RemoveBotResponse removed;
  EXPECT_EQ(Named(&AdminStub::RemoveBot, "nobody", &removed).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(Admin, ListsAccountsByNameInPages) {
  for (const char* name : {"z", "x", "y"}) Add(name);
  v1::ListBotsRequest request;
  request.set_page_size(2);
  request.set_page_token("oscar");  // the last of those that were there
  v1::ListBotsResponse first;
  ASSERT_TRUE(Call(&AdminStub::ListBots, request, &first).ok());
  ASSERT_EQ(first.bots_size(), 2);
  EXPECT_EQ(first.bots(0).name() + first.bots(1).name(), "xy");
  request.set_page_token(first.next_page_token());
  v1::ListBotsResponse second;
  ASSERT_TRUE(Call(&AdminStub::ListBots, request, &second).ok());
  ASSERT_EQ(second.bots_size(), 1);
  EXPECT_EQ(second.bots(0).name(), "z");
  EXPECT_EQ(second.next_page_token(), "");
}

TEST_F(Admin, TakesWhomAnotherProcessHasJustLetIn) {
  AddAccount(&referee_.store(), "zoe", "first");
  Connected("first");
  ASSERT_TRUE(referee_.store()
                  .SetToken("zoe", service::HashToken("next"), absl::Now(), absl::nullopt, {})
                  .ok());
  Connected("next");
  v1::DisableBotResponse disabled;
  ASSERT_TRUE(Named(&AdminStub::DisableBot, "zoe", &disabled).ok());
  EXPECT_EQ(Greeted("next")->End().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  ASSERT_TRUE(referee_.store().SetDisabled("zoe", "", {}).ok());
  Connected("next");
}

TEST_F(Admin, LetsAnAccountBeAnOrganiserToo) {
  const std::string token = Add("otto", v1::ROLE_ORGANISER);
  const auto context = NewContext();
  context->AddMetadata("authorization", "Bearer " + token);
  v1::ListBotsResponse response;
  EXPECT_TRUE(stub_->ListBots(context.get(), {}, &response).ok());
  EXPECT_EQ(Greeted(token)->End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST(AdminBeside, PlaysABotThatAnotherProcessHasJustMade) {
  RefereeUnderTest::Options options;
  options.store = true;
  RefereeUnderTest referee(options);
  AddAccount(&referee.store(), "zoe", "zoe's");
  EXPECT_NE(referee.Create({"alice", "zoe"}), "");
}

TEST(AdminWithoutAnOrganiser, IsOpenToTheFirstAsSoonAsAnotherProcessHasMadeOne) {
  RefereeUnderTest::Options options;
  options.store = true;
  options.organiser = false;
  RefereeUnderTest referee(options);
  const auto stub = v1::AdminService::NewStub(referee.NewChannel());
  v1::ListBotsResponse response;
  EXPECT_EQ(stub->ListBots(NewContext().get(), {}, &response).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  AddAccount(&referee.store(), "olga", RefereeUnderTest::Token("olga"), store::Role::kOrganiser);
  EXPECT_TRUE(stub->ListBots(NewContext("olga").get(), {}, &response).ok());
}

}  // namespace
}  // namespace referee::testing
