// Claims about callers that call too much: every method of every service has its bounds.
#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/service/access/access.h"
#include "tests/contract/byte_stream.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kVerify[] = "referee.v1.ReplayService.VerifyReplay";

// Calls a method with an empty message and nobody's token.
grpc::Status Call(const RefereeUnderTest& referee, absl::string_view method) {
  const size_t dot = method.rfind('.');
  ByteStream call(referee.NewChannel(),
                  absl::StrCat("/", method.substr(0, dot), "/", method.substr(dot + 1)));
  call.Write("");
  return call.End();
}

RefereeUnderTest::Options WithRate(limits::Rate rate) {
  RefereeUnderTest::Options options;
  options.store = true;
  options.call_limits.address.rate = rate;
  return options;
}

// Whoever adds a method need not think of this: no handler can be reached in another way.
TEST(CallLimits, HoldForEveryMethodOfEveryService) {
  const RefereeUnderTest referee(WithRate({0, 60}));
  while (Call(referee, kVerify).error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED) continue;
  while (Call(referee, "referee.v1.MatchService.GetMatch").error_code() !=
         grpc::StatusCode::RESOURCE_EXHAUSTED) {
    continue;
  }
  for (const service::AccessRule& rule : service::AccessRules()) {
    EXPECT_GT(rule.cost, 0) << rule.method;
    if (rule.need == service::Need::kBot) continue;  // has bounds of its own: limit_test.cc
    EXPECT_EQ(Call(referee, rule.method).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED)
        << rule.method;
  }
}

TEST(CallLimits, AreNoObstacleForWhoeverHasAToken) {
  RefereeUnderTest referee(WithRate({0, 0}));
  v1::ListMatchesResponse response;
  const auto list = [&](const char* name) {
    return referee.matches().ListMatches(NewContext(name).get(), {}, &response).error_code();
  };
  EXPECT_EQ(list(""), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(list("nobody"), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(list("alice"), grpc::StatusCode::OK);
  EXPECT_EQ(list("oscar"), grpc::StatusCode::OK);
}

TEST(CallLimits, SayWhenToCallAgain) {
  RefereeUnderTest referee(WithRate({1, 50}));
  Call(referee, kVerify);
  const auto context = NewContext();
  v1::VerifyReplayResponse response;
  const grpc::Status refused = referee.replays().VerifyReplay(context.get(), {}, &response);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("call again in "));
  EXPECT_EQ(context->GetServerTrailingMetadata().count("grpc-retry-pushback-ms"), 1u);
}

// Every change that a bot's own token may make is an entry in the audit log.
TEST(CallLimits, HoldForWhatABotMayChange) {
  RefereeUnderTest::Options options;
  options.store = true;
  options.call_limits.account.changes = {0, 0};
  const RefereeUnderTest referee(options);
  for (const service::AccessRule& rule : service::AccessRules()) {
    if (rule.need != service::Need::kOrganiserOrBot) continue;
    const size_t dot = rule.method.rfind('.');
    ByteStream call(referee.NewChannel(),
                    absl::StrCat("/", rule.method.substr(0, dot), "/", rule.method.substr(dot + 1)),
                    "alice");
    call.Write("");
    const bool reads = rule.method == "referee.v1.AdminService.GetBot";
    EXPECT_EQ(call.End().error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED, !reads)
        << rule.method;
  }
}

// Whether the referee's stalls are charged to whom this turn of the match is.
bool IsCharged(RefereeUnderTest* referee, const std::string& match_id, uint32_t turn) {
  std::promise<bool> charged;
  referee->host().Find(MatchId::Parse(match_id).value())->Inspect([&](const auto& runner) {
    const std::vector<match::Record> records = runner.Records().value();
    for (const match::Record& record : records) {
      const auto* played = std::get_if<match::Played>(&record);
      if (played == nullptr || played->number != turn) continue;
      charged.set_value(played->timing->stalls_charged);
    }
  });
  return charged.get_future().get();
}

TEST(CallLimits, CostABotThatCallsTooMuchTheStallsOfTheRefereeInItsMatches) {
  RefereeUnderTest::Options options;
  options.call_limits.account.rate = {0, 30};
  RefereeUnderTest referee(options);
  Table table(&referee);
  table.WaitForTurn();
  const RawBot* const caller = table.mover;
  const char* const name = caller == &table.alice ? "alice" : "bob";
  v1::ListMatchesResponse response;
  while (referee.matches().ListMatches(NewContext(name).get(), {}, &response).ok()) continue;
  for (int i = 0; i < 2; ++i) {
    const uint32_t turn = table.asked.turn();
    const bool is_caller = table.mover == caller;
    table.PlayTurn();
    table.WaitForTurn();
    EXPECT_EQ(IsCharged(&referee, table.match_id, turn), is_caller);
  }
}

TEST(CallLimits, GiveSmallerPagesToWhoeverHasNoToken) {
  RefereeUnderTest::Options options;
  options.call_limits.page_size_without_token = 2;
  RefereeUnderTest referee(options);
  for (int i = 0; i < 4; ++i) referee.Create({"alice", "bob"});
  v1::ListMatchesRequest request;
  request.set_page_size(1'000);
  v1::ListMatchesResponse response;
  const auto listed = [&](const char* name) {
    response.Clear();
    EXPECT_TRUE(referee.matches().ListMatches(NewContext(name).get(), request, &response).ok());
    return response.matches_size();
  };
  EXPECT_EQ(listed(""), 2);
  EXPECT_NE(response.next_page_token(), "");
  EXPECT_EQ(listed("alice"), 4);
}

TEST(CallLimits, LetNobodyTakeAllPlacesOfWatchers) {
  RefereeUnderTest::Options options;
  options.call_limits.address.watches = 3;
  RefereeUnderTest referee(options);
  v1::WatchMatchRequest request;
  request.set_match_id(referee.Create({"alice", "bob"}));
  v1::WatchMatchResponse event;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::WatchMatchResponse>>> watches;
  const auto watch = [&](const char* name) {
    contexts.push_back(NewContext(name));
    watches.push_back(referee.matches().WatchMatch(contexts.back().get(), request));
    return watches.back()->Read(&event);
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(watch(""));
  EXPECT_FALSE(watch(""));
  const grpc::Status refused = watches.back()->Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("watches 3 matches and competitions"));
  EXPECT_TRUE(watch("alice"));
  for (const auto& context : contexts) context->TryCancel();
}

}  // namespace
}  // namespace referee::testing
