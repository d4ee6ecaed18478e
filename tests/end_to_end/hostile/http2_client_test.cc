// Claims about the client that other tests do harm with.
#include "tests/end_to_end/hostile/http2_client.h"

#include <gtest/gtest.h>

#include <string>

#include "proto/referee/v1/bot_service.pb.h"
#include "proto/referee/v1/match_service.pb.h"
#include "tests/contract/raw_bot.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"

namespace referee::end_to_end {
namespace {

constexpr char kMethod[] = "/referee.v1.MatchService/ListMatches";
constexpr char kPlay[] = "/referee.v1.BotService/Play";

class Http2ClientToDaemon : public ::testing::Test {
 protected:
  // A whole call of ListMatches, but for Flush.
  static int32_t List(Http2Client* client) {
    const int32_t call = client->Call(kMethod);
    client->Send(call, v1::ListMatchesRequest().SerializeAsString());
    client->SendLast(call);
    return call;
  }

  HostileFixture venue_;
};

TEST_F(Http2ClientToDaemon, HearsTheAnswerOfACall) {
  Http2Client client(venue_.address());
  const int32_t call = List(&client);
  std::string message;
  ASSERT_TRUE(client.Read(call, &message));
  v1::ListMatchesResponse response;
  ASSERT_TRUE(response.ParseFromString(message));
  EXPECT_EQ(response.matches_size(), 1);
  ASSERT_TRUE(client.Await([&] { return client.answer(call).ended; }));
  EXPECT_EQ(client.answer(call).status, 0);
}

TEST_F(Http2ClientToDaemon, HearsNothingBeforeItGrantsAWindow) {
  Http2Options options;
  options.window = 0;
  options.grants = false;
  Http2Client client(venue_.address(), options);
  const int32_t withheld = List(&client);
  // An answer without a message needs no window, and comes after the one that does.
  const int32_t refused = client.Call("/nowhere");
  ASSERT_TRUE(client.Await([&] { return client.answer(refused).ended; }));
  EXPECT_TRUE(client.answer(withheld).messages.empty());
  client.Grant(1 << 20);
  std::string message;
  EXPECT_TRUE(client.Read(withheld, &message));
}

TEST_F(Http2ClientToDaemon, HoldsAConversation) {
  Http2Client client(venue_.address());
  const int32_t call = client.Call(kPlay);
  v1::PlayRequest hello;
  *hello.add_items() = testing::HelloAs(kMallory);
  client.Send(call, hello.SerializeAsString());
  std::string message;
  ASSERT_TRUE(client.Read(call, &message));
  v1::PlayResponse heard;
  ASSERT_TRUE(heard.ParseFromString(message));
  ASSERT_EQ(heard.items_size(), 1);
  EXPECT_EQ(heard.items(0).welcome().bot(), kMallory);
}

TEST_F(Http2ClientToDaemon, ComesFromAnotherAddressAndResetsCalls) {
  Http2Options options;
  options.from = "127.0.0.2";
  Http2Client client(venue_.address(), options);
  client.ResetAtOnce(kMethod, 10);
  const int32_t call = List(&client);
  std::string message;
  EXPECT_TRUE(client.Read(call, &message));
}

}  // namespace
}  // namespace referee::end_to_end
