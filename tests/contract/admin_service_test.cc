// Claims about AdminService: accounts, their tokens, the streams that these opened, the audit log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/accounts.h"
#include "tests/support/files.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using AdminStub = v1::AdminService::Stub;

class Admin : public ::testing::Test {
 protected:
  static RefereeUnderTest::Options Options() {
    RefereeUnderTest::Options options;
    options.organiser = true;
    options.store = true;
    return options;
  }

  template <typename Request, typename Response>
  grpc::Status Call(grpc::Status (AdminStub::*method)(grpc::ClientContext*, const Request&,
                                                      Response*),
                    const Request& request, Response* response) {
    return CallAs(RefereeUnderTest::Token("olga"), method, request, response);
  }
  template <typename Request, typename Response>
  grpc::Status CallAs(const std::string& token,
                      grpc::Status (AdminStub::*method)(grpc::ClientContext*, const Request&,
                                                        Response*),
                      const Request& request, Response* response) {
    const auto context = NewContext();
    context->AddMetadata("authorization", "Bearer " + token);
    return (stub_.get()->*method)(context.get(), request, response);
  }
  // Makes an account, and returns its token.
  std::string Add(const std::string& name, v1::Role role = v1::ROLE_UNSPECIFIED) {
    v1::AddBotRequest request;
    request.set_name(name);
    request.set_role(role);
    v1::AddBotResponse response;
    const grpc::Status status = Call(&AdminStub::AddBot, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.bot().name(), name);
    return response.token();
  }
  grpc::Status AddStatus(const std::string& name, v1::Role role = v1::ROLE_BOT) {
    v1::AddBotRequest request;
    request.set_name(name);
    request.set_role(role);
    v1::AddBotResponse response;
    return Call(&AdminStub::AddBot, request, &response);
  }
  template <typename Request, typename Response>
  grpc::Status Named(grpc::Status (AdminStub::*method)(grpc::ClientContext*, const Request&,
                                                       Response*),
                     const std::string& name, Response* response) {
    Request request;
    request.set_name(name);
    return Call(method, request, response);
  }
  v1::BotAccount Get(const std::string& name) {
    v1::GetBotResponse response;
    EXPECT_TRUE(Named(&AdminStub::GetBot, name, &response).ok()) << name;
    return response.bot();
  }
  std::string Rotate(const std::string& name) {
    v1::RotateTokenResponse response;
    EXPECT_TRUE(Named(&AdminStub::RotateToken, name, &response).ok()) << name;
    return response.token();
  }
  // A stream that has said Hello with this token.
  std::unique_ptr<RawBot> Greeted(const std::string& token) {
    auto bot = std::make_unique<RawBot>(referee_.NewChannel());
    v1::BotItem hello;
    hello.mutable_hello()->set_token(token);
    bot->Say(hello);
    return bot;
  }
  std::unique_ptr<RawBot> Connected(const std::string& token) {
    auto bot = Greeted(token);
    EXPECT_TRUE(bot->Hear().has_welcome());
    return bot;
  }
  // "who action subject: detail" of the newest entries, but of those that were there before.
  std::vector<std::string> Audit(uint32_t entries) {
    v1::ListAuditRequest request;
    request.set_page_size(entries);
    v1::ListAuditResponse response;
    EXPECT_TRUE(Call(&AdminStub::ListAudit, request, &response).ok());
    std::vector<std::string> lines;
    for (const v1::AuditEntry& entry : response.entries()) {
      if (entry.who() == kAccountMaker) continue;
      lines.push_back(absl::StrCat(entry.who(), " ", entry.action(), " ", entry.subject(), ": ",
                                   entry.detail()));
    }
    return lines;
  }

  RefereeUnderTest referee_{Options()};
  std::unique_ptr<AdminStub> stub_ = v1::AdminService::NewStub(referee_.NewChannel());
};

// --- Accounts. ---

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

// --- Versions. ---

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

// --- Tokens and the streams that they opened. ---

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

// --- The audit log. ---

TEST_F(Admin, RemembersWhoDidWhatNewestFirstAndNoToken) {
  const std::string first = Add("zoe");
  const std::string second = Rotate("zoe");
  v1::DisableBotResponse disabled;
  ASSERT_TRUE(Named(&AdminStub::DisableBot, "zoe", &disabled).ok());
  v1::RemoveBotResponse removed;
  ASSERT_TRUE(Named(&AdminStub::RemoveBot, "zoe", &removed).ok());
  EXPECT_THAT(Audit(10), ElementsAre("olga bot.remove zoe: ", "olga bot.disable zoe: by olga",
                                     "olga bot.rotate zoe: ", "olga bot.add zoe: bot"));
  EXPECT_THAT(Audit(1), ElementsAre("olga bot.remove zoe: "));
}

TEST_F(Admin, RemembersNothingThatWasRefused) {
  AddStatus("alice");
  AddStatus("");
  v1::RemoveBotResponse removed;
  Named(&AdminStub::RemoveBot, "nobody", &removed);
  EXPECT_THAT(Audit(10), ElementsAre());
}

TEST_F(Admin, RemembersWhoMadeAndCancelledMatches) {
  const auto with_token = [] {
    auto context = NewContext();
    context->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token("olga"));
    return context;
  };
  v1::CreateMatchResponse created;
  ASSERT_TRUE(referee_.matches()
                  .CreateMatch(with_token().get(), referee_.Request({"alice", "bob"}), &created)
                  .ok());
  const std::string& id = created.match().match_id();
  v1::CancelMatchRequest cancel;
  cancel.set_match_id(id);
  cancel.set_reason("rain");
  v1::CancelMatchResponse cancelled;
  ASSERT_TRUE(referee_.matches().CancelMatch(with_token().get(), cancel, &cancelled).ok());
  EXPECT_THAT(Audit(10), ElementsAre("olga match.cancel " + id + ": rain",
                                     "olga match.create " + id + ": hypnosia: alice, bob"));
}

TEST_F(Admin, ListsTheAuditLogInPages) {
  for (const char* name : {"a", "b", "c"}) Add(name);
  v1::ListAuditRequest request;
  request.set_page_size(2);
  v1::ListAuditResponse first;
  ASSERT_TRUE(Call(&AdminStub::ListAudit, request, &first).ok());
  ASSERT_EQ(first.entries_size(), 2);
  EXPECT_EQ(first.entries(0).subject(), "c");
  request.set_page_token(first.next_page_token());
  request.set_page_size(100);
  v1::ListAuditResponse second;
  ASSERT_TRUE(Call(&AdminStub::ListAudit, request, &second).ok());
  ASSERT_GE(second.entries_size(), 1);
  EXPECT_EQ(second.entries(0).subject(), "a");
  EXPECT_EQ(second.next_page_token(), "");
  request.set_page_token("nonsense");
  EXPECT_EQ(Call(&AdminStub::ListAudit, request, &second).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Admin, ListsTheAuditLogFromItsOldestEntryOn) {
  for (const char* name : {"a", "b", "c"}) Add(name);
  v1::ListAuditRequest request;
  request.set_oldest_first(true);
  request.set_page_size(2);
  std::vector<std::string> added;
  uint64_t last = 0;
  do {
    v1::ListAuditResponse page;
    ASSERT_TRUE(Call(&AdminStub::ListAudit, request, &page).ok());
    for (const v1::AuditEntry& entry : page.entries()) {
      EXPECT_GT(entry.number(), last);
      last = entry.number();
      if (entry.who() == "olga") added.push_back(entry.subject());
    }
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_THAT(added, ElementsAre("a", "b", "c"));
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
