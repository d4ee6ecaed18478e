// Claims about those who open connections, and do nothing good with them. They come from addresses
// of their own (127.0.0.2 and on); who is honest comes from 127.0.0.1.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/match_service.pb.h"
#include "tests/contract/referee_under_test.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/http2_client.h"
#include "tests/end_to_end/hostile/socket.h"

namespace referee::end_to_end {
namespace {

constexpr char kListing[] = "/referee.v1.MatchService/ListMatches";
// What those who reset their calls may make the daemon take.
constexpr size_t kBound = size_t{256} << 20;
using Sockets = std::vector<std::unique_ptr<Socket>>;

// Opens so many connections on which nothing is said.
void OpenIdle(const HostileFixture& venue, const std::string& from, int count, Sockets* sockets) {
  for (int i = 0; i < count; ++i) {
    sockets->push_back(std::make_unique<Socket>(venue.address(), from));
  }
}

size_t CountOpen(const Sockets& sockets) {
  size_t open = 0;
  for (const auto& socket : sockets) open += socket->Read(absl::ZeroDuration()) ? 1 : 0;
  return open;
}

// Whether a new client has its call answered, within ten seconds.
bool IsServed(const HostileFixture& venue, const Http2Options& options) {
  Http2Client client(venue.address(), options);
  const int32_t call = client.Call(kListing);
  client.Send(call, v1::ListMatchesRequest().SerializeAsString());
  client.SendLast(call);
  return client.Await([&] { return client.answer(call).ended; }, absl::Seconds(10)) &&
         client.answer(call).status == 0;
}

bool IsServedFrom(const HostileFixture& venue, const std::string& from) {
  Http2Options options;
  options.from = from;
  return IsServed(venue, options);
}

// What a proxy says of a client at this address.
std::string HeaderFor(const std::string& client) {
  return absl::StrCat("PROXY TCP4 ", client, " 127.0.0.1 40122 7450\r\n");
}

TEST(HostileConnection, IdleOnesBeyondTheDescriptorsDoNotMakeItDeaf) {
  HostileFixture venue({}, 200);
  Sockets idle;
  OpenIdle(venue, "127.0.0.2", 250, &idle);
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
  idle.clear();
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
  venue.PlayHonest(1);
}

TEST(HostileConnection, OneAddressCannotTakeAllConnections) {
  HostileFixture venue({"--max-connections=40"});
  Sockets idle;
  OpenIdle(venue, "127.0.0.2", 100, &idle);
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.3"));
  EXPECT_TRUE(Eventually([&] { return CountOpen(idle) <= 10; }));
  EXPECT_GT(CountOpen(idle), 0u);
  venue.PlayHonest(1);
}

TEST(HostileConnection, ThatSaysNothingMakesRoomForThoseThatDo) {
  HostileFixture venue({}, 150);
  Sockets idle;
  // So many addresses that none has more than its share, and all together have all.
  for (int i = 2; i < 12; ++i) {
    OpenIdle(venue, absl::StrCat("127.0.0.", i), 20, &idle);
    EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
  }
  // Those who play are left in peace, and who comes to play is let in.
  venue.StartBot(kMallory);
  venue.StartBot(kMallet);
  venue.AwaitBots({kMallory, kMallet});
  venue.PlayHonest(1);
}

TEST(HostileConnection, ThatForgesAProxysHeaderIsNotBelieved) {
  HostileFixture venue({"--trusted-proxy=127.0.0.8", "--max-connections-per-address=8"});
  Http2Options forger;
  forger.from = "127.0.0.2";
  forger.first = HeaderFor("198.51.100.7");
  EXPECT_FALSE(IsServed(venue, forger));
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.2"));
}

TEST(HostileConnection, ThroughAProxyCountsAsItsClients) {
  HostileFixture venue({"--trusted-proxy=127.0.0.8", "--max-connections-per-address=8"});
  Http2Options proxied;
  proxied.from = "127.0.0.8";
  proxied.first = HeaderFor("198.51.100.7");
  EXPECT_TRUE(IsServed(venue, proxied));
  Sockets of_one, of_many;
  for (int i = 0; i < 20; ++i) {
    OpenIdle(venue, "127.0.0.8", 1, &of_one);
    of_one.back()->Send(HeaderFor("198.51.100.7"));
    OpenIdle(venue, "127.0.0.8", 1, &of_many);
    of_many.back()->Send(HeaderFor(absl::StrCat("203.0.113.", i)));
  }
  EXPECT_TRUE(Eventually([&] { return CountOpen(of_one) == 8; }));
  EXPECT_EQ(CountOpen(of_many), 20u);
}

TEST(HostileConnection, OfAProxyThatDoesNotSayForWhomItSpeaksIsClosed) {
  HostileFixture venue({"--trusted-proxy=127.0.0.8"});
  EXPECT_FALSE(IsServedFrom(venue, "127.0.0.8"));
  EXPECT_TRUE(Socket(venue.address(), "127.0.0.8").IsClosedWithin(absl::Seconds(30)));
}

TEST(HostileConnection, FromABannedAddressHoldsNoPlaceUntilTheBanEnds) {
  HostileFixture venue({"--max-connections=40", "--max-connections-per-address=40"});
  Http2Options options;
  options.from = "127.0.0.2";
  std::vector<std::unique_ptr<Http2Client>> in;
  // On one of them mallory is known, which no limit would close.
  for (const std::string& token : {std::string(), testing::RefereeUnderTest::Token(kMallory)}) {
    in.push_back(std::make_unique<Http2Client>(venue.address(), options));
    const int32_t call = in.back()->Call(kListing, token);
    in.back()->Send(call, v1::ListMatchesRequest().SerializeAsString());
    in.back()->SendLast(call);
    ASSERT_TRUE(in.back()->Await([&] { return in.back()->answer(call).ended; }));
    ASSERT_EQ(in.back()->answer(call).status, 0);
  }
  venue.Ban(options.from, absl::InfiniteDuration());
  for (const auto& client : in) {
    client->Await([] { return false; });
    EXPECT_FALSE(client->open());
  }
  // Sooner than any silence is.
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Socket(venue.address(), options.from).IsClosedWithin(absl::Seconds(5)));
  }
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.3"));
  venue.PlayHonest(1);
  venue.Ban(options.from, absl::Seconds(1));
  EXPECT_TRUE(Eventually([&] { return IsServedFrom(venue, options.from); }));
}

// Resets calls until it is cut off; returns whether that came within some hundred thousand.
bool ResetsUntilCut(const HostileFixture& venue, const std::string& from) {
  Http2Options options;
  options.from = from;
  Http2Client client(venue.address(), options);
  for (int i = 0; i < 300 && client.open(); ++i) client.ResetAtOnce(kListing, 1'000);
  return !client.open();
}

TEST(HostileConnection, ThatResetsItsCallsAtOnceIsCutOffAndItsAddressRefused) {
  HostileFixture venue;
  venue.PlayBeside([&](const std::function<bool()>& over) {
    for (const char* from : {"127.0.0.2", "127.0.0.3", "127.0.0.4"}) {
      EXPECT_TRUE(ResetsUntilCut(venue, from));
      EXPECT_FALSE(IsServedFrom(venue, from));
    }
    Eventually(over);
  });
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
}

// Whether a connection that has brought a token is recognised by its answer.
bool IsKnown(Http2Client* client, const std::string& account) {
  const int32_t call = client->Call(kListing, testing::RefereeUnderTest::Token(account));
  client->Send(call, v1::ListMatchesRequest().SerializeAsString());
  client->SendLast(call);
  return client->Await([&] { return client->answer(call).ended; }) &&
         client->answer(call).status == 0;
}

TEST(HostileConnection, OfAnAccountThatResetsItsCallsAtOnceGetsNoMemoryAndIsCutOff) {
  HostileFixture venue;
  for (const char* path : {kListing, "/referee.v1.BotService/Play"}) {
    const size_t before = venue.ResidentBytes();
    Http2Client offender(venue.address());
    Http2Client neighbour(venue.address());
    ASSERT_TRUE(IsKnown(&offender, path == kListing ? kMallory : kMallet));
    ASSERT_TRUE(IsKnown(&neighbour, "sincere"));
    size_t most = before;
    int resets = 0;
    venue.PlayBeside([&](const std::function<bool()>& over) {
      // Ends by itself before the machine is harmed.
      while (offender.open() && resets < 300'000 && most < before + kBound * 3) {
        resets += offender.ResetAtOnce(path, 1'000);
        most = std::max(most, venue.ResidentBytes());
      }
      Eventually([&] {
        most = std::max(most, venue.ResidentBytes());
        return over();
      });
    });
    std::cout << resets << " resets of " << path << ": " << (before >> 20)
              << " MiB before, at most " << (most >> 20) << " MiB" << std::endl;
    EXPECT_FALSE(offender.open());
    EXPECT_LT(most, before + kBound);
    EXPECT_TRUE(IsKnown(&neighbour, "sincere"));
    EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
  }
}

TEST(HostileConnection, OfAnAccountThatComesBackToResetMoreGetsNoMoreMemory) {
  HostileFixture venue;
  const size_t before = venue.ResidentBytes();
  size_t most = before;
  int comings = 0;
  venue.PlayBeside([&](const std::function<bool()>& over) {
    while (!over() && most < before + kBound * 3) {
      Http2Options options;
      options.from = "127.0.0.2";
      Http2Client offender(venue.address(), options);
      if (!IsKnown(&offender, kMallory)) continue;
      ++comings;
      for (int i = 0; i < 300 && offender.open(); ++i) offender.ResetAtOnce(kListing, 1'000);
      most = std::max(most, venue.ResidentBytes());
    }
  });
  std::cout << comings << " comings: " << (before >> 20) << " MiB before, at most " << (most >> 20)
            << " MiB" << std::endl;
  EXPECT_LT(most, before + kBound);
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
}

}  // namespace
}  // namespace referee::end_to_end
