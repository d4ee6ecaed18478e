// Claims about those who want the daemon's memory and its time, and have no token.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "proto/referee/v1/match_service.pb.h"
#include "proto/referee/v1/replay_service.pb.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/http2_client.h"

namespace referee::end_to_end {
namespace {

constexpr char kListMatches[] = "/referee.v1.MatchService/ListMatches";
constexpr char kWatchMatch[] = "/referee.v1.MatchService/WatchMatch";
constexpr char kListReplays[] = "/referee.v1.ReplayService/ListReplays";
constexpr char kGetReplay[] = "/referee.v1.ReplayService/GetReplay";
constexpr int kResourceExhausted = 8;
constexpr size_t kMebibyte = 1 << 20;

std::string LargestPage() {
  v1::ListMatchesRequest request;
  request.set_page_size(1'000);
  return request.SerializeAsString();
}

int32_t Call(Http2Client* client, const std::string& path, const std::string& request) {
  const int32_t call = client->Call(path);
  client->Send(call, request);
  client->SendLast(call);
  return call;
}

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
  // Makes so many calls and reads no answer, and then none of what the daemon has is much more than
  // before; when it has given the callers up, others are answered, from the same address too.
  void ExpectKeepsNothing(const std::string& path, const std::string& request, int calls) {
    constexpr int kConnections = 8;
    const size_t before = venue_.ResidentBytes();
    std::vector<std::unique_ptr<Http2Client>> deaf;
    for (int i = 0; i < kConnections; ++i) deaf.push_back(Deaf());
    int32_t last = 0;
    for (int i = 0; i < calls; ++i) last = Call(deaf[i % kConnections].get(), path, request);
    for (const auto& client : deaf) EXPECT_TRUE(client->Flush());
    const size_t most = Watch([&] { return deaf[(calls - 1) % kConnections]->answer(last).ended; },
                              deaf[(calls - 1) % kConnections].get());
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

 private:
  // The most memory that the daemon has until `done`.
  size_t Watch(const std::function<bool()>& done, Http2Client* client) {
    size_t most = 0;
    client->Await([&] {
      most = std::max(most, venue_.ResidentBytes());
      return done();
    });
    return most;
  }
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
  EXPECT_TRUE(crowd.back()->Await([&] { return crowd.back()->answer(last).ended; }));
  Http2Options options;
  options.from = "127.0.0.2";
  Http2Client other(venue_.address(), options);
  const int32_t call = Call(&other, kWatchMatch, request.SerializeAsString());
  std::string event;
  EXPECT_TRUE(other.Read(call, &event)) << other.answer(call).error;
}

// Lists as often as the answers come, on so many connections.
void Flood(const std::string& address, int connections, const std::function<bool()>& over) {
  std::vector<std::thread> threads;
  for (int i = 0; i < connections; ++i) {
    threads.emplace_back([&] {
      Http2Client client(address);
      while (!over() && client.open()) {
        const int32_t call = Call(&client, kListMatches, LargestPage());
        client.Await([&] { return client.answer(call).ended; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Exhaustion, FloodsOfListMatchesFromOneConnectionAreRefused) {
  MakeMatches(300);
  venue_.PlayBeside([&](const auto& over) { Flood(venue_.address(), 1, over); });
}

TEST_F(Exhaustion, FloodsOfListMatchesFromManyConnectionsAreRefused) {
  MakeMatches(300);
  venue_.PlayBeside([&](const auto& over) { Flood(venue_.address(), 16, over); });
  Http2Client late(venue_.address());
  int32_t call = 0;
  EXPECT_TRUE(Eventually([&] {
    call = Call(&late, kListMatches, LargestPage());
    late.Await([&] { return late.answer(call).ended; });
    return late.answer(call).status == kResourceExhausted;
  })) << "as in any flood";
}

}  // namespace
}  // namespace referee::end_to_end
