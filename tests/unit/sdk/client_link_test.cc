// Tests of the connections of a client: how it reconnects, and when it gives up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/sdk/client_under_test.h"

namespace referee::sdk {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(SdkClient, ComesBackWhenTheStreamIsLost) {
  std::vector<bool> resumed;
  bot_.on_start = [&](const Match& match) { resumed.push_back(match.resumed() != nullptr); };
  Begin({"m1"});
  LoseStream();
  EXPECT_EQ(referee_.Greet().token(), "secret");
  referee_.Say({ResumedItem("m1"), TurnItem("m1", 7)});
  EXPECT_EQ(referee_.Hear().move().turn(), 7);
  EXPECT_EQ(referee_.streams(), 2);
  EXPECT_TRUE(Drain().ok());
  EXPECT_THAT(resumed, ElementsAre(false, true));
}

TEST_F(SdkClient, ComesBackWhenTheRefereeClosesWithoutDraining) {
  Begin();
  referee_.EndStream(grpc::Status::OK);
  referee_.Greet();
  EXPECT_EQ(referee_.streams(), 2);
}

TEST_F(SdkClient, ComesBackToARefereeThatWasStoppedForAWhile) {
  Gate refused_often;
  options_.backoff = [&](int attempt) {
    if (attempt == 3) refused_often.Open();
    return absl::Milliseconds(1);
  };
  Begin({"m1"});
  referee_.Stop();
  refused_often.WaitUntilOpen();
  referee_.StartAgain();
  EXPECT_EQ(referee_.Greet().token(), "secret");
  referee_.Say({ResumedItem("m1"), TurnItem("m1", 7)});
  EXPECT_EQ(referee_.Hear().move().turn(), 7);
}

TEST_F(SdkClient, WaitsLongerWithEachFailureAndAnewAfterAWelcome) {
  std::vector<int> attempts;
  Gate fourth;
  options_.backoff = [&](int attempt) {
    attempts.push_back(attempt);
    if (attempts.size() == 4) fourth.Open();
    return absl::ZeroDuration();
  };
  Start();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(referee_.Hear().has_hello());
    referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "not yet"));
  }
  referee_.Greet();
  StartMatch("m1");
  LoseStream();
  fourth.WaitUntilOpen();
  EXPECT_THAT(attempts, ElementsAre(0, 1, 2, 0));
}

TEST_F(SdkClient, PlaysAResumedMatchThatItNeverSawWithoutSayingReady) {
  Begin();
  referee_.Say({ResumedItem("m1"), TurnItem("m1", 7)});
  const v1::BotItem reply = referee_.Hear();
  EXPECT_TRUE(reply.has_move()) << reply.ShortDebugString();
  EXPECT_EQ(reply.move().turn(), 7);
}

TEST_F(SdkClient, SaysThatANonceIsLostThatAnotherProcessDrewAndCallsItNoMismatch) {
  KeepLog(LogLevel::kWarning);
  Begin();
  // The hashes were told before this process came.
  v1::RefereeItem start = StartItem("m1");
  start.mutable_match_start()->clear_ready_limit();
  referee_.Say({start, Item("reveal_nonce { match_id: 'm1' nonce_hashes: 'one' "
                            "nonce_hashes: 'lost' nonce_hashes: 'other' }")});
  EXPECT_TRUE(Drain().ok());
  EXPECT_THAT(log_.All(),
              ElementsAre(AllOf(HasSubstr("match m1"), HasSubstr("drawn by another process"))));
}

TEST_F(SdkClient, RepeatsItsAnswerWhenTheSameTurnIsAskedAgain) {
  int chosen = 0;
  bot_.choose = [&](const Turn& turn) {
    ++chosen;
    return turn.legal_move(1);
  };
  Begin({"m1"});
  referee_.Say({TurnItem("m1", 7)});
  referee_.Hear();
  LoseStream();
  referee_.Greet();
  referee_.Say({ResumedItem("m1"), TurnItem("m1", 7)});
  EXPECT_EQ(Notation(referee_.Hear().move().move()), "2:L1>A19");
  EXPECT_TRUE(Drain().ok());
  EXPECT_EQ(chosen, 1);
}

TEST_F(SdkClient, SendsOnTheNewStreamOnceWhatItThoughtUpWhileTheOldOneWasLost) {
  Gate asked;
  Gate asked_again;
  int chosen = 0;
  bot_.choose = [&](const Turn& turn) {
    ++chosen;
    asked.Open();
    asked_again.WaitUntilOpen();
    return turn.legal_move(1);
  };
  Begin({"m1"});
  referee_.Say({TurnItem("m1", 7)});
  asked.WaitUntilOpen();
  LoseStream();
  referee_.Greet();
  referee_.Say({ResumedItem("m1"), TurnItem("m1", 7), PingItem(1)});
  // What was said before the ping is with the client now.
  EXPECT_TRUE(referee_.Hear().has_pong());
  asked_again.Open();
  EXPECT_EQ(referee_.Hear().move().turn(), 7u);
  referee_.Say({PlayedItem("m1", 7), TurnItem("m1", 8)});
  EXPECT_EQ(referee_.Hear().move().turn(), 8u) << "turn 7 is answered once";
  EXPECT_TRUE(Drain().ok());
  EXPECT_EQ(chosen, 2);
}

TEST_F(SdkClient, ResignsAgainWhenTheMatchComesBack) {
  bot_.choose = [](const Turn&) -> Move { throw 42; };
  Begin({"m1"});
  referee_.Say({TurnItem("m1", 1)});
  EXPECT_TRUE(referee_.Hear().has_resign());
  LoseStream();
  referee_.Greet();
  referee_.Say({ResumedItem("m1")});
  EXPECT_EQ(referee_.Hear().resign().match_id(), "m1");
}

TEST_F(SdkClient, LeavesAnotherProcessAloneIfToldTo) {
  options_.keeps_existing = true;
  Start();
  EXPECT_TRUE(referee_.Hear().hello().keeps_existing());
  referee_.EndStream(grpc::Status(grpc::ALREADY_EXISTS, "because"));
  const absl::Status status = Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(status.message()), HasSubstr("because"));
}

TEST_F(SdkClient, WaitsForTheEndOfItsOwnLostStream) {
  options_.keeps_existing = true;
  Begin();
  LoseStream();
  EXPECT_TRUE(referee_.Hear().has_hello());
  referee_.EndStream(grpc::Status(grpc::ALREADY_EXISTS, "not noticed yet"));
  referee_.Greet();
  EXPECT_EQ(referee_.streams(), 3);
}

TEST_F(SdkClient, EndsWhenTheRefereeDoesNotWantTheBot) {
  for (const auto& [code, expected] :
       {std::make_pair(grpc::UNAUTHENTICATED, absl::StatusCode::kUnauthenticated),
        std::make_pair(grpc::INVALID_ARGUMENT, absl::StatusCode::kInvalidArgument),
        std::make_pair(grpc::PERMISSION_DENIED, absl::StatusCode::kPermissionDenied),
        std::make_pair(grpc::ABORTED, absl::StatusCode::kAborted)}) {
    Start();
    EXPECT_TRUE(referee_.Hear().has_hello());
    referee_.EndStream(grpc::Status(code, "because"));
    const absl::Status status = Finish();
    EXPECT_EQ(status.code(), expected);
    EXPECT_THAT(std::string(status.message()), HasSubstr("because"));
  }
}

TEST_F(SdkClient, EndsWellWhenTheRefereeDrainsAndCloses) {
  Begin({"m1"});
  referee_.Say({DrainingItem()});
  referee_.Say({TurnItem("m1", 1)});
  EXPECT_TRUE(referee_.Hear().has_move()) << "matches go on while the referee drains";
  referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "bye"));
  EXPECT_TRUE(Finish().ok());
}

TEST_F(SdkClient, ComesBackToARefereeThatDrainsAndMeansToBeBack) {
  Begin();
  referee_.Say({Item("draining { will_return: true }")});
  referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "bye"));
  referee_.Greet();
  EXPECT_EQ(referee_.streams(), 2);
  EXPECT_TRUE(Drain().ok());
}

TEST_F(SdkClient, StopsWhenTheBotSaysSo) {
  bot_.on_start = [&](const Match&) { client_->Stop(); };
  Begin();
  referee_.Say({StartItem("m1")});
  EXPECT_TRUE(Finish().ok());
}

TEST_F(SdkClient, StopsWhileItWaitsToConnectAgain) {
  Gate waits;
  options_.address = "unix:/nonexistent/socket";
  options_.backoff = [&](int) {
    waits.Open();
    return absl::Hours(1);
  };
  Start();
  waits.WaitUntilOpen();
  client_->Stop();
  EXPECT_TRUE(Finish().ok());
}

TEST_F(SdkClient, GivesUpInTime) {
  options_.address = "unix:/nonexistent/socket";
  options_.give_up_after = absl::ZeroDuration();
  Start();
  const absl::Status status = Finish();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("unix:/nonexistent/socket"));
}

}  // namespace
}  // namespace referee::sdk
