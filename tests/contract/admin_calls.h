// Fixture for tests of AdminService: a referee with an organiser, and calls to its accounts.
#ifndef REFEREE_TESTS_CONTRACT_ADMIN_CALLS_H_
#define REFEREE_TESTS_CONTRACT_ADMIN_CALLS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/accounts.h"

namespace referee::testing {

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

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_ADMIN_CALLS_H_
