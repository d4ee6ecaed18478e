#include "referee/ctl/scripted/asked_turn.h"

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/ctl/doctor/check.h"
#include "referee/ctl/scripted/referee.h"
#include "referee/games/catalogue.h"
#include "tests/support/temp_folder.h"

namespace referee::ctl {
namespace {

TEST(AskTurns, ABotThatHasClosedTheStreamDoesNotAnswer) {
  const testing::TempFolder folder;
  const auto referee = ScriptedReferee::Start(absl::StrCat("unix:", folder.path(), "/referee"));
  ASSERT_TRUE(referee.ok()) << referee.status();
  const auto stub = v1::BotService::NewStub(
      grpc::CreateChannel((*referee)->address(), grpc::InsecureChannelCredentials()));
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

}  // namespace
}  // namespace referee::ctl
