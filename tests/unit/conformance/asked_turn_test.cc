#include "referee/conformance/asked_turn.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/conformance/check.h"
#include "referee/conformance/scripted_referee.h"
#include "referee/games/catalogue.h"
#include "tests/support/temp_folder.h"

namespace referee::conformance {
namespace {

TEST(AskTurns, ABotThatHasClosedTheStreamDoesNotAnswer) {
  const testing::TempFolder folder;
  const std::string path = absl::StrCat(folder.path(), "/referee");
  const auto referee = ScriptedReferee::Start(path);
  ASSERT_TRUE(referee.ok()) << referee.status();
  const auto stub = v1::BotService::NewStub(
      grpc::CreateChannel("unix:" + path, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  const auto bot = stub->Play(&context);
  const std::shared_ptr<BotStream> stream = (*referee)->Next(absl::Minutes(1));
  ASSERT_NE(stream, nullptr);
  bot->WritesDone();
  EXPECT_TRUE(bot->Finish().ok());
  EXPECT_FALSE(stream->Hear(absl::Minutes(1)));
  ASSERT_FALSE(stream->open());
  const AskedTurn turn = SampleTurn(*games::Find("hypnosia")->type);
  const std::vector<TurnAnswer> answers =
      AskTurns(absl::MakeConstSpan(&turn, 1), AskTerms(), stream.get());
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(absl::IsNotFound(answers[0].move.status())) << answers[0].move.status();
}

TEST(TurnItem, ListsTheLegalMovesAsTheBotWantsThem) {
  const AskedTurn turn = SampleTurn(*games::Find("hypnosia")->type);
  v1::Hello hello;
  EXPECT_EQ(TurnItem(turn, service::MoveListOf(hello)).turn_request().legal_moves_size(), 0);
  hello.set_wants_legal_moves(true);
  const v1::TurnRequest typed = TurnItem(turn, service::MoveListOf(hello)).turn_request();
  EXPECT_GT(typed.legal_moves_size(), 0);
  EXPECT_EQ(typed.legal_notations(), "");
  hello.set_wants_notations(true);
  const v1::TurnRequest text = TurnItem(turn, service::MoveListOf(hello)).turn_request();
  EXPECT_EQ(text.legal_moves_size(), 0);
  const std::string& notations = text.legal_notations();
  EXPECT_EQ(std::count(notations.begin(), notations.end(), '\n'), typed.legal_moves_size());
}

TEST(ScriptedReferee, TakesNoCompressedMessages) {
  const testing::TempFolder folder;
  const std::string path = absl::StrCat(folder.path(), "/referee");
  const auto referee = ScriptedReferee::Start(path);
  ASSERT_TRUE(referee.ok()) << referee.status();
  const auto stub = v1::BotService::NewStub(
      grpc::CreateChannel("unix:" + path, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  const auto bot = stub->Play(&context);
  v1::PlayRequest request;
  request.add_items()->mutable_hello()->set_token(std::string(1000, 'x'));
  bot->Write(request);
  v1::PlayResponse said;
  EXPECT_FALSE(bot->Read(&said));
  EXPECT_EQ(bot->Finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace referee::conformance
