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
constexpr char kPlaying[] = "/referee.v1.BotService/Play";
// What one who resets calls may make the daemon take.
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

Http2Options From(const std::string& address) {
  Http2Options options;
  options.from = address;
  return options;
}

// What a proxy says of a client at this address.
std::string HeaderFor(const std::string& client) {
  return absl::StrCat("PROXY TCP4 ", client, " 127.0.0.1 40122 7450\r\n");
}

Http2Options Through(const std::string& proxy, const std::string& client) {
  Http2Options options = From(proxy);
  options.first = HeaderFor(client);
  return options;
}

// Whether a call on the connection is answered, within ten seconds. An account whose token it
// brings is recognised then.
bool IsAnswered(Http2Client* client, const std::string& account = "") {
  const std::string token = account.empty() ? "" : testing::RefereeUnderTest::Token(account);
  const int32_t call = client->Call(kListing, token);
  client->Send(call, v1::ListMatchesRequest().SerializeAsString());
  client->SendLast(call);
  return client->Await([&] { return client->answer(call).ended; }, absl::Seconds(10)) &&
         client->answer(call).status == 0;
}

// Whether a new client is served.
bool IsServed(const HostileFixture& venue, const Http2Options& options) {
  Http2Client client(venue.address(), options);
  return IsAnswered(&client);
}

bool IsServedFrom(const HostileFixture& venue, const std::string& address) {
  return IsServed(venue, From(address));
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
  EXPECT_FALSE(IsServed(venue, Through("127.0.0.2", "198.51.100.7")));
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.2"));
}

TEST(HostileConnection, ThroughAProxyCountsAsItsClients) {
  HostileFixture venue({"--trusted-proxy=127.0.0.8", "--max-connections-per-address=8"});
  EXPECT_TRUE(IsServed(venue, Through("127.0.0.8", "198.51.100.7")));
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
  const Http2Options options = From("127.0.0.2");
  std::vector<std::unique_ptr<Http2Client>> in;
  // On one of them mallory is known, which no limit would close.
  for (const char* account : {"", kMallory}) {
    in.push_back(std::make_unique<Http2Client>(venue.address(), options));
    ASSERT_TRUE(IsAnswered(in.back().get(), account));
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

// How much more memory than at first the daemon has been seen to have.
class Growth {
 public:
  explicit Growth(const HostileFixture& venue) : venue_(venue), first_(venue.ResidentBytes()) {}
  // Looks; returns the most so far, in bytes.
  size_t Look() {
    most_ = std::max(most_, venue_.ResidentBytes());
    return most_ - first_;
  }

 private:
  const HostileFixture& venue_;
  const size_t first_;
  size_t most_ = first_;
};

// Resets calls at once until the connection is cut off, as it must be. Ends by itself before the
// machine is harmed.
void ResetUntilCut(const char* path, Http2Client* client, Growth* growth) {
  int resets = 0;
  while (client->open() && resets < 300'000 && growth->Look() < kBound * 3) {
    resets += client->ResetAtOnce(path, 1'000);
  }
  EXPECT_FALSE(client->open());
  std::cout << resets << " resets of " << path << "; the daemon has grown by "
            << (growth->Look() >> 20) << " MiB at most" << std::endl;
}

TEST(HostileConnection, ThatResetsItsCallsAtOnceIsCutOffAndItsAddressRefused) {
  HostileFixture venue;
  Growth growth(venue);
  venue.PlayBeside([&](const std::function<bool()>& over) {
    for (const char* from : {"127.0.0.2", "127.0.0.3", "127.0.0.4"}) {
      Http2Client offender(venue.address(), From(from));
      ResetUntilCut(kListing, &offender, &growth);
      EXPECT_FALSE(IsServedFrom(venue, from));
    }
    Eventually(over);
  });
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
}

TEST(HostileConnection, OfAnAccountThatResetsItsCallsAtOnceGetsNoMemoryAndIsCutOffAlone) {
  HostileFixture venue;
  venue.PlayBeside([&](const std::function<bool()>& over) {
    for (const char* path : {kListing, kPlaying}) {
      Growth growth(venue);
      Http2Client offender(venue.address());
      Http2Client neighbour(venue.address());
      // An account each, as the first is distrusted from then on.
      ASSERT_TRUE(IsAnswered(&offender, path == kListing ? kMallory : kMallet));
      ASSERT_TRUE(IsAnswered(&neighbour, "sincere"));
      ResetUntilCut(path, &offender, &growth);
      EXPECT_TRUE(IsAnswered(&neighbour, "sincere"));
      EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
      EXPECT_LT(growth.Look(), kBound);
    }
    Eventually(over);
  });
}

TEST(HostileConnection, OfAnAccountThatComesBackToResetMoreCountsAsUnknownAndGetsNoMoreMemory) {
  HostileFixture venue;
  Growth growth(venue);
  venue.PlayBeside([&](const std::function<bool()>& over) {
    for (int coming = 0; coming < 10; ++coming) {
      // From an address that is not refused yet.
      const Http2Options options = From(absl::StrCat("127.0.0.", 2 + coming));
      Http2Client offender(venue.address(), options);
      ASSERT_TRUE(IsAnswered(&offender, kMallory));
      ResetUntilCut(kListing, &offender, &growth);
      // Of known accounts that is the account's doing; of unknown ones the address'.
      EXPECT_EQ(IsServed(venue, options), coming == 0) << coming;
    }
    Eventually([&] { return growth.Look() >= kBound || over(); });
  });
  EXPECT_LT(growth.Look(), kBound);
  EXPECT_TRUE(IsServedFrom(venue, "127.0.0.1"));
}

TEST(HostileConnection, ThroughAProxyThatResetsItsCallsAtOnceIsCutOffWithoutItsNeighbours) {
  HostileFixture venue({"--trusted-proxy=127.0.0.8"});
  Growth growth(venue);
  const Http2Options shared = Through("127.0.0.8", "198.51.100.7");
  Http2Client neighbour(venue.address(), shared);
  ASSERT_TRUE(IsAnswered(&neighbour, kMallet));
  // Of a known account, from one address with the neighbour.
  Http2Client known(venue.address(), shared);
  ASSERT_TRUE(IsAnswered(&known, kMallory));
  ResetUntilCut(kListing, &known, &growth);
  EXPECT_TRUE(IsServed(venue, shared));
  // Of nobody that is known, from another address behind the proxy.
  const Http2Options elsewhere = Through("127.0.0.8", "198.51.100.8");
  Http2Client unknown(venue.address(), elsewhere);
  ResetUntilCut(kListing, &unknown, &growth);
  EXPECT_FALSE(IsServed(venue, elsewhere));
  EXPECT_TRUE(IsServed(venue, shared));
  EXPECT_TRUE(IsAnswered(&neighbour, kMallet));
}

}  // namespace
}  // namespace referee::end_to_end
