// Claims about bots that say too much, too often, or read too little: they are told why, and cut.
// Limits are made small where what is claimed does not depend on how large they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

constexpr limits::Rate kPlenty{1'000'000'000, 1'000'000'000};

class Limits : public ::testing::Test {
 protected:
  // The referee is made when it is first asked for; limits are to be set before.
  RefereeUnderTest& referee() {
    if (referee_ == nullptr) referee_ = std::make_unique<RefereeUnderTest>(options_);
    return *referee_;
  }
  service::StreamLimits& stream() { return options_.stream_limits; }

  // Says `items` until the stream ends, which it must for what is exhausted. Returns why.
  std::string EndBySaying(RawBot* bot, const std::vector<v1::BotItem>& items) {
    const absl::Time until = absl::Now() + kPatience;
    while (bot->Say(items) && absl::Now() < until) continue;
    const grpc::Status status = bot->End();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    return status.error_message();
  }
  // Plays a match between `alice` and `bob`, which must end as matches do.
  void ExpectPlays() {
    RawBot alice(&referee(), "alice");
    RawBot bob(&referee(), "bob");
    referee().Create({"alice", "bob"});
    const auto ends = PlayAll({&alice, &bob}, 1);
    ASSERT_EQ(ends[0].size(), 1u);
    EXPECT_EQ(ends[0][0].verdict().state(), v1::MATCH_STATE_FINISHED);
    EXPECT_EQ(ends[0][0].verdict().forfeits_size(), 0);
  }

 private:
  RefereeUnderTest::Options options_;
  std::unique_ptr<RefereeUnderTest> referee_;
};

TEST_F(Limits, OnFaultsEndTheStreamOfWhoCommitsThem) {
  stream().faults = {1, 64};
  RawBot carol(&referee(), "carol");
  EXPECT_THAT(EndBySaying(&carol, {ResignFrom("x")}), HasSubstr("1 faults a second"));
  ExpectPlays();
}

TEST_F(Limits, OnFaultsAreNotEscapedBySayingOtherThingsInBetween) {
  stream().faults = {1, 64};
  RawBot carol(&referee(), "carol");
  v1::BotItem unknown;
  EXPECT_THAT(EndBySaying(&carol, {ResignFrom("x"), unknown}), HasSubstr("1 faults a second"));
  // Nor by coming back.
  RawBot back(&referee(), "carol");
  EXPECT_THAT(EndBySaying(&back, {ResignFrom("x")}), HasSubstr("1 faults a second"));
}

TEST_F(Limits, OnFaultsLeaveABotTheManyThatOneMayMakeAtOnce) {
  RawBot carol(&referee(), "carol");
  for (int i = 0; i < limits::kFaults.burst; ++i) carol.Say(ResignFrom("x"));
  for (int i = 0; i < limits::kFaults.burst; ++i) ASSERT_TRUE(carol.Hear().has_fault()) << i;
}

// A bot that owes nothing is not listened to all the time, so that it takes a while.
TEST_F(Limits, OnMessagesEndTheStream) {
  stream().messages = {1, 4};
  RawBot carol(&referee(), "carol");
  EXPECT_THAT(EndBySaying(&carol, {}), HasSubstr("1 messages a second"));
}

TEST_F(Limits, OnBytesEndTheStream) {
  stream().bytes = {1'000, 1'000'000};
  RawBot carol(&referee(), "carol");
  EXPECT_THAT(EndBySaying(&carol, {MoveIn("x", 1, std::string(100'000, 'x'))}),
              HasSubstr("1000 bytes a second"));
}

TEST_F(Limits, OnWhatNobodyAskedForEndTheStream) {
  stream().unasked = {1, 4};
  RawBot carol(&referee(), "carol");
  EXPECT_THAT(EndBySaying(&carol, {}), HasSubstr("1 items a second that nobody asked for"));
  RawBot dave(&referee(), "dave");
  EXPECT_THAT(EndBySaying(&dave, {v1::BotItem()}), HasSubstr("1 items a second"));
}

// Whoever resigns from a match that it plays does nothing wrong, but may not do it all day.
TEST_F(Limits, OnWhatNobodyAskedForHoldForResignations) {
  stream().unasked = {10, 100};
  RawBot alice(&referee(), "alice");
  RawBot bob(&referee(), "bob");
  RawBot carol(&referee(), "carol");
  v1::CreateMatchRequest request = referee().Request({"alice", "bob", "carol"});
  const std::string match_id = referee().Create(request);
  carol.Hear(v1::RefereeItem::kMatchStart);
  EXPECT_THAT(EndBySaying(&carol, {ResignFrom(match_id)}), HasSubstr("10 items a second"));
}

TEST_F(Limits, OnWhatNobodyAskedForDoNotCountAnswers) {
  stream().unasked = {1, 4};
  ExpectPlays();
}

TEST_F(Limits, OnMessagesBeforeHelloEndTheStream) {
  RawBot nobody(referee().NewChannel());
  for (int i = 0; i < 100; ++i) nobody.Say(std::vector<v1::BotItem>());
  EXPECT_EQ(nobody.End().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Limits, OnHellosRefuseABotThatConnectsAllTheTime) {
  stream().hellos = {1, 8};
  const absl::Time until = absl::Now() + kPatience;
  grpc::Status status;
  while (status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED && absl::Now() < until) {
    RawBot carol(referee().NewChannel());
    carol.Say(HelloAs("carol"));
    carol.SayLast();
    status = carol.End();
  }
  EXPECT_THAT(status.error_message(), HasSubstr("bot 'carol' connects more than 1 times a second"));
  ExpectPlays();
}

// All come from the address of the test, where no bot is connected at first.
TEST_F(Limits, OnBadTokensKeepNobodyOutWhoHasARightOne) {
  stream().bad_tokens = {0, 4};
  const auto guess = [this] {
    RawBot nobody(referee().NewChannel());
    nobody.Say(HelloAs("nobody"));
    nobody.SayLast();
    return nobody.End();
  };
  for (int i = 0; i < 4; ++i) EXPECT_EQ(guess().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  const grpc::Status refused = guess();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("tokens that are not known"));
  ExpectPlays();
  EXPECT_EQ(guess().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

// More bytes, in calls with long headers, than an address may send that come to nothing.
TEST(BadTokens, AreNoWasteForWhichTheirAddressWouldBeRefused) {
  RefereeUnderTest::Options options;
  options.listen = "127.0.0.1:0";
  RefereeUnderTest referee(options);
  const auto stub = v1::BotService::NewStub(referee.NewChannel());
  v1::PlayRequest hello;
  *hello.add_items() = HelloAs("nobody");
  for (int i = 0; i < 1'500; ++i) {
    const auto context = NewContext();
    context->AddMetadata("x-pad", absl::StrCat(i, std::string(500, 'x')));
    const auto stream = stub->Play(context.get());
    stream->Write(hello);
    stream->WritesDone();
    v1::PlayResponse heard;
    while (stream->Read(&heard)) continue;
    const grpc::Status end = stream->Finish();
    ASSERT_TRUE(end.error_code() == grpc::StatusCode::UNAUTHENTICATED ||
                end.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED)
        << end.error_message();
  }
  const RawBot alice(&referee, "alice");  // on a connection of its own
}

TEST_F(Limits, OnSilentStreamsCutTheOldestAndLetBotsIn) {
  stream().silent_streams = 4;
  std::vector<std::unique_ptr<RawBot>> silent;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(std::make_unique<RawBot>(referee().NewChannel()));
    silent.back()->Say(std::vector<v1::BotItem>());
  }
  int cut = 0;
  for (int i = 0; i < 16; ++i) {
    const grpc::Status status = silent[i]->End();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << i;
    EXPECT_THAT(status.error_message(), HasSubstr("have not said hello"));
    ++cut;
  }
  EXPECT_EQ(cut, 16);
  ExpectPlays();
}

TEST_F(Limits, OnStreamsRefuseThoseBeyond) {
  stream().streams = 3;
  RawBot alice(&referee(), "alice");
  RawBot bob(&referee(), "bob");
  RawBot carol(&referee(), "carol");
  RawBot dave(referee().NewChannel());
  const grpc::Status status = dave.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("3 streams are open"));
  referee().Create({"alice", "bob"});
  EXPECT_EQ(PlayAll({&alice, &bob}, 1)[0].size(), 1u);
}

// --- What waits for bots that do not read. ---

// dave: provokes answers and reads none of them, until he is cut. Then reads, and hears why. If
// there is an opponent, a match with her has begun before.
std::string EndWithoutReading(RefereeUnderTest* referee, RawBot* carol = nullptr) {
  const auto context = NewContext();
  const auto stub = v1::BotService::NewStub(referee->NewChannel());
  const auto dave = stub->Play(context.get());
  v1::PlayRequest hello;
  *hello.add_items() = HelloAs("dave");
  EXPECT_TRUE(dave->Write(hello));
  v1::PlayResponse welcome;
  EXPECT_TRUE(dave->Read(&welcome));
  if (carol != nullptr) {
    v1::CreateMatchRequest request = referee->Request({"carol", "dave"});
    request.mutable_time_control()->mutable_per_move()->set_seconds(2);
    const std::string match_id = referee->Create(request);
    carol->Hear(v1::RefereeItem::kMatchStart);
    carol->Say(ReadyFor(match_id));
    v1::PlayRequest ready;
    *ready.add_items() = ReadyFor(match_id);
    EXPECT_TRUE(dave->Write(ready));
  }
  v1::PlayRequest provoking;
  for (int i = 0; i < 1'000; ++i) *provoking.add_items() = ResignFrom("no such match");
  // What is not heard any more would keep a write waiting: reading goes on beside it.
  std::thread provokes([&] {
    while (dave->Write(provoking)) continue;
  });
  const absl::Time until = absl::Now() + kPatience;
  while (referee->host().connected("dave") && absl::Now() < until) std::this_thread::yield();
  EXPECT_FALSE(referee->host().connected("dave"));
  v1::PlayResponse told;
  while (dave->Read(&told)) continue;
  provokes.join();
  const grpc::Status status = dave->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  return status.error_message();
}

TEST_F(Limits, OnItemsThatWaitCutBotsThatDoNotRead) {
  stream().faults = stream().unasked = kPlenty;
  EXPECT_THAT(EndWithoutReading(&referee()), HasSubstr("16384 items wait to be read"));
  ExpectPlays();
}

TEST_F(Limits, OnBytesThatWaitCutBotsThatDoNotRead) {
  stream().faults = stream().unasked = kPlenty;
  stream().queued_bytes = 100'000;
  stream().queued_bytes_per_match = 5'000;
  EXPECT_THAT(EndWithoutReading(&referee()), HasSubstr("105000 bytes wait to be read"));
  ExpectPlays();
}

TEST_F(Limits, OnBytesThatWaitForAllBotsCutTheOneThatDoesNotRead) {
  stream().faults = stream().unasked = kPlenty;
  stream().queued_bytes_of_all = 100'000;
  EXPECT_THAT(EndWithoutReading(&referee()), HasSubstr("100000 bytes wait for all bots"));
  ExpectPlays();
}

// They lose what they play, and nobody else does.
TEST_F(Limits, CostBotsThatAreCutTheirOwnMatches) {
  stream().faults = stream().unasked = kPlenty;
  RawBot carol(&referee(), "carol");
  EndWithoutReading(&referee(), &carol);
  const v1::MatchEnd end = carol.Play(1, FirstLegalMove)[0];
  ASSERT_EQ(end.verdict().forfeits_size(), 1);
  EXPECT_EQ(end.verdict().forfeits(0).seat(), 1u);
}

}  // namespace
}  // namespace referee::testing
