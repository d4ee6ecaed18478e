// Claims about what a gate bears: those who send half a request, too much, or nothing, who read
// nothing, or come in numbers. Others are served meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/gate/running_gate.h"
#include "tests/contract/gate_under_test.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/end_to_end/hostile/socket.h"
#include "tests/support/http_client.h"

namespace referee::testing {
namespace {

using end_to_end::Socket;
using ::testing::HasSubstr;

class HostileWatcher : public ::testing::Test {
 protected:
  // One with bounds that a test comes up to at once.
  HostileWatcher() {
    gate::Gate::Options options;
    options.bounds.connections = 40;
    options.bounds.connections_per_address = 10;
    options.bounds.header_time = absl::Milliseconds(200);
    options.bounds.idle_time = absl::Milliseconds(200);
    options.bounds.write_time = absl::Seconds(1);
    options.bounds.socket_bytes = 1;  // the system's least
    options.bounds.heartbeat = absl::Milliseconds(500);
    gate_ = NewGate(referee_, options);
  }
  ~HostileWatcher() override {
    EXPECT_EQ(Get(address(), "/livez").code, 200) << "the gate is there for others";
  }

  const std::string& address() const { return gate_->address(); }
  // Waits until a connection is there for others again.
  bool ServesAgain() const {
    const absl::Time until = absl::Now() + kPatience;
    while (absl::Now() < until) {
      if (Get(address(), "/livez").code == 200) return true;
    }
    return false;
  }

  RefereeUnderTest referee_;
  std::unique_ptr<gate::RunningGate> gate_;
};

TEST_F(HostileWatcher, WhoSaysNothingIsCutOff) {
  Socket silent(address());
  EXPECT_TRUE(silent.IsClosedWithin(kPatience));
}

TEST_F(HostileWatcher, WhoSendsHalfARequestHearsThatItIsLate) {
  Socket half(address());
  half.Send("GET /livez HTTP/1.1\r\nHost: ga");
  std::string heard;
  while (half.Read(kPatience, &heard)) {
  }
  EXPECT_EQ(ParseAnswer(heard).code, 408);
}

TEST_F(HostileWatcher, WhoStaysAfterAnAnswerIsCutOff) {
  Socket idle(address());
  idle.Send("GET /livez HTTP/1.1\r\nHost: gate\r\n\r\n");
  std::string heard;
  while (idle.Read(kPatience, &heard)) {
  }
  EXPECT_EQ(ParseAnswer(heard).code, 200);
}

TEST_F(HostileWatcher, AHeaderWithoutEndIsRefused) {
  EXPECT_EQ(Get(address(), "/livez", {"X: " + std::string(20'000, 'x')}).code, 431);
  EXPECT_EQ(Get(address(), "/" + std::string(20'000, 'x')).code, 431);
  EXPECT_EQ(Get(address(), "/livez", std::vector<std::string>(2'000, "X: y")).code, 431);
}

TEST_F(HostileWatcher, WhatIsNoRequestIsRefused) {
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
        std::string("GET\r\n\r\n"), std::string("GET /livez\r\n\r\n"),
        std::string("GET  HTTP/1.1\r\n\r\n"), std::string("GET /livez HTTP/9.9\r\n\r\n"),
        std::string("\r\n\r\n\r\n\r\n"), std::string("GET /livez HTTP/1.1\r\nno colon\r\n\r\n"),
        std::string("GET /livez HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        std::string("GET /li\0vez HTTP/1.1\r\n\r\n", 25)}) {
    const int code = Exchange(address(), bytes).code;
    EXPECT_TRUE(code == 400 || code == 0 || code == 408) << code << " for " << bytes;
  }
}

TEST_F(HostileWatcher, PathsLeadNowhereButToTheRoutes) {
  for (const char* target :
       {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/matches/..%2f..%2fetc%2fpasswd",
        "/competitions/%00", "/bots/%0d%0aSet-Cookie:%20x=y", "/competitions/%ff%fe",
        "http://127.0.0.1/livez", "*", "/livez%00", "//livez"}) {
    const HttpAnswer answer = Get(address(), target);
    EXPECT_TRUE(answer.code == 400 || answer.code == 404) << answer.code << " for " << target;
    EXPECT_EQ(answer.headers.count("set-cookie"), 0u);
  }
}

TEST_F(HostileWatcher, ABodyIsNotRead) {
  const HttpAnswer answer =
      Exchange(address(),
               absl::StrCat("GET /livez HTTP/1.1\r\nHost: gate\r\nContent-Length: 1000000\r\n\r\n",
                            std::string(1'000, 'x')));
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(answer.headers.at("connection"), "close");
  const HttpAnswer chunked =
      Exchange(address(),
               "GET /livez HTTP/1.1\r\nHost: gate\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n");
  EXPECT_EQ(chunked.code, 200);
  EXPECT_EQ(chunked.headers.at("connection"), "close");
}

TEST_F(HostileWatcher, RequestsMayFollowOneAnotherAtOnce) {
  Socket socket(address());
  const std::string request = "GET /livez HTTP/1.1\r\nHost: gate\r\n\r\n";
  socket.Send(request + request + request);
  std::string heard;
  while (socket.Read(kPatience, &heard)) {
  }
  size_t answers = 0;
  for (size_t at = heard.find("200 OK"); at != std::string::npos;
       at = heard.find("200 OK", at + 1)) {
    ++answers;
  }
  EXPECT_EQ(answers, 3u);
}

TEST_F(HostileWatcher, AnAddressHasSoManyConnectionsAndNoMore) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  const std::string target = absl::StrCat("/api/v1/matches/", match_id, "/events");
  {
    std::vector<std::unique_ptr<EventStream>> all;
    for (int i = 0; i < 10; ++i) all.push_back(std::make_unique<EventStream>(address(), target));
    EXPECT_TRUE(all.back()->Hear());
    const HttpAnswer refused = Get(address(), "/livez");
    EXPECT_EQ(refused.code, 503);
    EXPECT_EQ(refused.headers.count("retry-after"), 1u);
    // From elsewhere there is room.
    Socket other(address(), "127.0.0.2");
    other.Send("GET /livez HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n");
    std::string heard;
    while (other.Read(kPatience, &heard)) {
    }
    EXPECT_EQ(ParseAnswer(heard).code, 200);
  }
  EXPECT_TRUE(ServesAgain());
}

TEST_F(HostileWatcher, AQuietStreamIsKeptAliveWithComments) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  Socket socket(address());
  socket.Send(
      absl::StrCat("GET /api/v1/matches/", match_id, "/events HTTP/1.1\r\nHost: gate\r\n\r\n"));
  std::string heard;
  const absl::Time until = absl::Now() + kPatience;
  while (!absl::StrContains(heard, "\n\n:\n\n") && absl::Now() < until) {
    ASSERT_TRUE(socket.Read(kPatience, &heard)) << heard;
  }
  EXPECT_THAT(heard, HasSubstr("\n\n:\n\n"));
}

TEST_F(HostileWatcher, WhoTalksOnAStreamIsCutOff) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  Socket socket(address());
  socket.Send(
      absl::StrCat("GET /api/v1/matches/", match_id, "/events HTTP/1.1\r\nHost: gate\r\n\r\n"));
  const absl::Time until = absl::Now() + kPatience;
  while (socket.Send(std::string(16 * 1024, 'x')) && absl::Now() < until) {
  }
  EXPECT_TRUE(socket.IsClosedWithin(kPatience));
}

TEST_F(HostileWatcher, WhoReadsNothingIsCutOffAndOthersHearOn) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_options()->mutable_hypnosia()->set_turn_limit(300);
  const std::string match_id = referee_.Create(request);
  const std::string target = absl::StrCat("/api/v1/matches/", match_id, "/events");
  EventStream good(address(), target);
  ASSERT_TRUE(good.Hear());
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  PlayAll({&alice, &bob}, 1);
  // What these ask for is more than the system keeps for who does not read. They are all that their
  // address may have.
  std::vector<std::unique_ptr<Socket>> deaf;
  for (int i = 0; i < 9; ++i) {
    deaf.push_back(std::make_unique<Socket>(address()));
    const std::string ask =
        absl::StrCat("GET /api/v1/matches/", match_id, " HTTP/1.1\r\nHost: gate\r\n\r\n");
    std::string all;
    for (int j = 0; j < 50; ++j) all += ask;
    deaf.back()->Send(all);
  }
  EXPECT_EQ(Get(address(), "/livez").code, 503);
  std::string last;
  while (const absl::optional<Event> event = good.Hear()) last = event->name;
  EXPECT_EQ(last, "verdict");
  EXPECT_TRUE(ServesAgain());
  // More than one place is free: that of the stream that has ended, and those of the deaf.
  EventStream one(address(), target);
  EXPECT_TRUE(one.Hear());
  EXPECT_TRUE(ServesAgain());
}

}  // namespace
}  // namespace referee::testing
