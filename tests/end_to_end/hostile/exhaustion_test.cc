// Claims about those who want the daemon's memory and its time, and have no token.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/match_service.pb.h"
#include "proto/referee/v1/replay_service.pb.h"
#include "tests/contract/referee_under_test.h"
#include "tests/end_to_end/hostile/flood.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/http2_client.h"

namespace referee::end_to_end {
namespace {

constexpr char kWatchMatch[] = "/referee.v1.MatchService/WatchMatch";
constexpr char kListReplays[] = "/referee.v1.ReplayService/ListReplays";
constexpr char kGetReplay[] = "/referee.v1.ReplayService/GetReplay";
constexpr char kReflection[] = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
constexpr char kWatchHealth[] = "/grpc.health.v1.Health/Watch";
constexpr int kResourceExhausted = 8;
constexpr size_t kMebibyte = 1 << 20;

class Exhaustion : public ::testing::Test {
 protected:
  // Matches that wait for bots which do not come: something to list.
  void MakeMatches(int count) {
    for (int i = 0; i < count; ++i)
      match_id_ = venue_.Create({kMallory, kMallet}, absl::Seconds(5));
  }
  // A connection on which nothing that the daemon says may be sent.
  std::unique_ptr<Http2Client> Deaf() const {
    Http2Options options;
    options.window = 0;
    options.grants = false;
    return std::make_unique<Http2Client>(venue_.address(), options);
  }
  // Makes so many calls and reads no answer: the daemon ends them all, or closes their connections,
  // and takes not much more memory than before until then. Others are answered afterwards, from the
  // same address too.
  void ExpectKeepsNothing(const std::string& path, const std::string& request, int calls) {
    constexpr int kConnections = 8;
    const size_t before = venue_.ResidentBytes();
    std::vector<std::unique_ptr<Http2Client>> deaf;
    std::vector<int32_t> made;
    for (int i = 0; i < kConnections; ++i) deaf.push_back(Deaf());
    for (int i = 0; i < calls; ++i) {
      made.push_back(Call(deaf[i % kConnections].get(), path, request));
    }
    for (const auto& client : deaf) EXPECT_TRUE(client->Flush());
    size_t most = 0;
    for (int i = 0; i < calls; ++i) {
      Http2Client* const client = deaf[i % kConnections].get();
      const bool ended = client->Await([&] {
        most = std::max(most, venue_.ResidentBytes());
        return client->answer(made[i]).ended;
      });
      // A connection that the daemon closes keeps no call either.
      ASSERT_TRUE(ended || !client->open()) << "call " << i << " of " << path << " is kept";
    }
    std::cout << calls << " calls of " << path << ": " << before / kMebibyte
              << " MiB before, at most " << most / kMebibyte << " MiB" << std::endl;
    EXPECT_LT(most, before + 64 * kMebibyte);
    EXPECT_TRUE(Eventually([&] {
      Http2Client honest(venue_.address());
      const int32_t call = Call(&honest, kListMatches, "");
      return honest.Await([&] { return honest.answer(call).ended; }) &&
             honest.answer(call).status == 0;
    }));
  }

  HostileFixture venue_{{"--call-patience=2s"}};
  std::string match_id_;
};

TEST_F(Exhaustion, ListsOfMatchesThatNobodyReadsKeepNoMemory) {
  MakeMatches(300);
  ExpectKeepsNothing(kListMatches, LargestPage(), 1'500);
}

TEST_F(Exhaustion, ListsOfReplaysThatNobodyReadsKeepNoMemory) {
  venue_.PlayHonest(2);
  ExpectKeepsNothing(kListReplays, LargestPage(), 1'500);
}

TEST_F(Exhaustion, ReplaysThatNobodyReadsKeepNoMemory) {
  venue_.PlayHonest(2);
  v1::GetReplayRequest request;
  request.set_match_id(venue_.last_match());
  ExpectKeepsNothing(kGetReplay, request.SerializeAsString(), 1'500);
}

TEST_F(Exhaustion, WatchedMatchesThatNobodyReadsKeepNoMemory) {
  MakeMatches(1);
  v1::WatchMatchRequest request;
  request.set_match_id(match_id_);
  ExpectKeepsNothing(kWatchMatch, request.SerializeAsString(), 1'500);
}

TEST_F(Exhaustion, WatchersFromOneAddressLeavePlacesToOthers) {
  MakeMatches(1);
  v1::WatchMatchRequest request;
  request.set_match_id(match_id_);
  std::vector<std::unique_ptr<Http2Client>> crowd;
  int32_t last = 0;
  for (int i = 0; i < 1'200; ++i) {
    if (i % 200 == 0) crowd.push_back(std::make_unique<Http2Client>(venue_.address()));
    last = Call(crowd.back().get(), kWatchMatch, request.SerializeAsString());
  }
  for (const auto& client : crowd) EXPECT_TRUE(client->Flush());
  // The referee refuses the last call, or has closed its connection, where it reads this flood
  // slowly.
  Http2Client& latest = *crowd.back();
  EXPECT_TRUE(latest.Await([&] { return latest.answer(last).ended; }) || !latest.open());
  Http2Options options;
  options.from = "127.0.0.2";
  Http2Client other(venue_.address(), options);
  const int32_t call = Call(&other, kWatchMatch, request.SerializeAsString());
  std::string event;
  EXPECT_TRUE(other.Read(call, &event)) << other.answer(call).error;
}

TEST_F(Exhaustion, WatchersFromManyAddressesLeavePlacesToWhoeverHasAToken) {
  MakeMatches(1);
  v1::WatchMatchRequest request;
  request.set_match_id(match_id_);
  std::vector<std::unique_ptr<Http2Client>> crowd;
  for (int i = 2; i < 22; ++i) {
    Http2Options options;
    options.from = absl::StrCat("127.0.0.", i);
    crowd.push_back(std::make_unique<Http2Client>(venue_.address(), options));
    std::vector<int32_t> calls;
    for (int j = 0; j < 65; ++j) {
      calls.push_back(Call(crowd.back().get(), kWatchMatch, request.SerializeAsString()));
    }
    // It has all the places that it gets when one is refused.
    EXPECT_TRUE(crowd.back()->Await([&] {
      return std::any_of(calls.begin(), calls.end(),
                         [&](int32_t call) { return crowd.back()->answer(call).ended; });
    }));
  }
  Http2Client sincere(venue_.address());
  const int32_t call =
      sincere.Call(kWatchMatch, testing::RefereeUnderTest::Token(kMallory));  // no harm this time
  sincere.Send(call, request.SerializeAsString());
  sincere.SendLast(call);
  std::string event;
  EXPECT_TRUE(sincere.Read(call, &event)) << sincere.answer(call).error;
}

// gRPC answers each call of reflection on a thread, for as long as the caller likes.
TEST_F(Exhaustion, ReflectionThatNobodyEndsTakesFewThreads) {
  const size_t before = venue_.Threads();
  std::vector<std::unique_ptr<Http2Client>> crowd;
  for (int i = 0; i < 8; ++i) {
    crowd.push_back(std::make_unique<Http2Client>(venue_.address()));
    for (int j = 0; j < 100; ++j) crowd.back()->Call(kReflection);
    // Answered when the daemon has come to it.
    const int32_t last = Call(crowd.back().get(), kListMatches, LargestPage());
    EXPECT_TRUE(crowd.back()->Await([&] { return crowd.back()->answer(last).ended; }));
  }
  EXPECT_LT(venue_.Threads(), before + 100);
  venue_.PlayHonest(1);
  EXPECT_LT(venue_.Threads(), before + 100);
}

TEST_F(Exhaustion, WatchesOfHealthBeyondTheShareOfAnAddressAreEnded) {
  Http2Client crowd(venue_.address());
  std::vector<int32_t> calls;
  for (int i = 0; i < 200; ++i) calls.push_back(Call(&crowd, kWatchHealth, ""));
  const auto ended = [&] {
    return std::count_if(calls.begin(), calls.end(),
                         [&](int32_t call) { return crowd.answer(call).ended; });
  };
  EXPECT_TRUE(crowd.Await([&] { return ended() >= 200 - 64; })) << ended() << " were ended";
}

// Whoever lists without a pause is refused before long.
bool IsRefusedInTheEnd(const std::string& address) {
  Http2Client client(address);
  return Eventually([&] {
    const int32_t call = Call(&client, kListMatches, LargestPage());
    client.Await([&] { return client.answer(call).ended; });
    return client.answer(call).status == kResourceExhausted;
  });
}

TEST_F(Exhaustion, FloodsOfListMatchesFromOneConnectionAreRefused) {
  MakeMatches(300);
  venue_.PlayBeside([&](const auto& over) { Flood(venue_.address(), 1, over); });
  EXPECT_TRUE(IsRefusedInTheEnd(venue_.address()));
}

TEST_F(Exhaustion, FloodsOfListMatchesFromManyConnectionsAreRefused) {
  MakeMatches(300);
  // What the flood of another daemon does to the delay of this one it does by the processors that
  // it takes: so much of what is printed first is not the daemon's.
  HostileFixture other({"--call-patience=2s"});
  for (const HostileFixture* flooded : {&venue_, &other}) {
    venue_.PlayBeside([&](const auto& over) { Flood(flooded->address(), 16, over); });
    EXPECT_TRUE(IsRefusedInTheEnd(flooded->address()));
  }
}

}  // namespace
}  // namespace referee::end_to_end
