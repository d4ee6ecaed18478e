// For claims about CompetitionService: a referee with accounts, and calls to it as whoever.
#ifndef REFEREE_TESTS_CONTRACT_COMPETITION_CALLS_H_
#define REFEREE_TESTS_CONTRACT_COMPETITION_CALLS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {

using CompetitionStub = v1::CompetitionService::Stub;

class Competitions : public ::testing::Test {
 protected:
  static RefereeUnderTest::Options Options() {
    RefereeUnderTest::Options options;
    options.organiser = true;
    options.store = true;
    return options;
  }

  // Calls as `who`, without a token if that is empty.
  template <typename Request, typename Response>
  grpc::Status CallAs(const std::string& who,
                      grpc::Status (CompetitionStub::*method)(grpc::ClientContext*, const Request&,
                                                              Response*),
                      const Request& request, Response* response) {
    const auto context = NewContext();
    if (!who.empty()) {
      context->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token(who));
    }
    return (stub_.get()->*method)(context.get(), request, response);
  }
  template <typename Request, typename Response>
  grpc::Status About(const std::string& who,
                     grpc::Status (CompetitionStub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                     Response* response, const std::string& name = "spring") {
    Request request;
    request.set_name(name);
    return CallAs(who, method, request, response);
  }

  static v1::CreateCompetitionRequest Ladder(const std::string& name = "spring") {
    v1::CreateCompetitionRequest request = RoundRobin("spring");
    request.mutable_spec()->set_name(name);
    request.mutable_spec()->set_format(v1::COMPETITION_FORMAT_LADDER);
    request.mutable_spec()->clear_entrants();
    return request;
  }

  grpc::Status Create(const v1::CreateCompetitionRequest& request,
                      v1::CreateCompetitionResponse* response) {
    return CallAs("olga", &CompetitionStub::CreateCompetition, request, response);
  }
  v1::Competition Create(const v1::CreateCompetitionRequest& request) {
    v1::CreateCompetitionResponse response;
    const grpc::Status status = Create(request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.competition();
  }
  grpc::Status Refusal(const v1::CreateCompetitionRequest& request) {
    v1::CreateCompetitionResponse response;
    return Create(request, &response);
  }
  grpc::Status Start() {
    v1::StartCompetitionResponse response;
    return About<v1::StartCompetitionRequest>("olga", &CompetitionStub::StartCompetition,
                                              &response);
  }
  v1::Competition Get() {
    v1::GetCompetitionResponse response;
    const grpc::Status status =
        About<v1::GetCompetitionRequest>("", &CompetitionStub::GetCompetition, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.competition();
  }
  grpc::Status Join(const std::string& who, const std::string& bot) {
    v1::JoinCompetitionRequest request;
    request.set_name("spring");
    request.set_bot(bot);
    v1::JoinCompetitionResponse response;
    return CallAs(who, &CompetitionStub::JoinCompetition, request, &response);
  }
  grpc::Status List(uint32_t page_size, const std::string& token,
                    v1::ListCompetitionsResponse* response) {
    v1::ListCompetitionsRequest request;
    request.set_page_size(page_size);
    request.set_page_token(token);
    return CallAs("", &CompetitionStub::ListCompetitions, request, response);
  }
  grpc::Status Blocks(const std::string& bot, const std::string& token,
                      v1::ListBlocksResponse* response) {
    v1::ListBlocksRequest request;
    request.set_name("spring");
    request.set_bot(bot);
    request.set_page_size(1);
    request.set_page_token(token);
    return CallAs("", &CompetitionStub::ListBlocks, request, response);
  }

  grpc::Status Pairs(const std::string& bot, const std::string& token, uint32_t page_size,
                     v1::ListPairsResponse* response) {
    v1::ListPairsRequest request;
    request.set_name("spring");
    request.set_bot(bot);
    request.set_page_size(page_size);
    request.set_page_token(token);
    return CallAs("", &CompetitionStub::ListPairs, request, response);
  }

  // An observer of "spring".
  struct Watcher {
    explicit Watcher(CompetitionStub* stub, const std::string& name = "spring") {
      v1::WatchCompetitionRequest request;
      request.set_name(name);
      reader = stub->WatchCompetition(context.get(), request);
    }
    ~Watcher() { context->TryCancel(); }
    // The next news in which the competition is in this state.
    v1::WatchCompetitionResponse HearOf(v1::CompetitionState state) {
      v1::WatchCompetitionResponse news;
      while (reader->Read(&news)) {
        if (news.competition().state() == state) return news;
      }
      ADD_FAILURE() << "the stream ended before it was " << v1::CompetitionState_Name(state);
      return news;
    }

    std::unique_ptr<grpc::ClientContext> context = NewContext();
    std::unique_ptr<grpc::ClientReader<v1::WatchCompetitionResponse>> reader;
  };

  RefereeUnderTest referee_{Options()};
  std::unique_ptr<CompetitionStub> stub_ = v1::CompetitionService::NewStub(referee_.NewChannel());
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_COMPETITION_CALLS_H_
