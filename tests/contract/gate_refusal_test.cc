// Claims about what a gate answers to requests for things that do not exist or may not be seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "nlohmann/json.hpp"
#include "referee/gate/running_gate.h"
#include "referee/gate/ticket.h"
#include "tests/contract/gate_under_test.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/http_client.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kKey[] = "a key of thirty-two bytes, or so.";
constexpr char kNoMatch[] = "01arz3ndektsv4rrffq69g5fav";

TEST_F(Gate, SaysWhatThereIsNot) {
  EXPECT_EQ(Ask(absl::StrCat("/api/v1/matches/", kNoMatch)).code, 404);
  EXPECT_EQ(Ask(absl::StrCat("/api/v1/replays/", kNoMatch)).code, 404);
  const HttpAnswer events = Ask(EventsOf(kNoMatch));
  EXPECT_EQ(events.code, 404);
  EXPECT_THAT(Json::parse(events.body)["error"], HasSubstr("no"));
  EXPECT_EQ(Ask("/api/nothing").code, 404);
  EXPECT_THAT(Ask("/api/nothing").headers.at("content-type"), HasSubstr("json"));
}

TEST_F(Gate, SaysSoOnAPageToWhoReadsPages) {
  for (const std::string& target :
       {std::string("/nothing"), std::string("/nothing/<b>/at/all"), std::string("/competitions/"),
        absl::StrCat("/replays/", kNoMatch)}) {
    const HttpAnswer answer = Ask(target);
    EXPECT_EQ(answer.code, 404) << target;
    EXPECT_EQ(answer.headers.at("content-type"), "text/html; charset=utf-8") << target;
    EXPECT_THAT(answer.body, HasSubstr("There is nothing here")) << target;
    EXPECT_THAT(answer.body, Not(HasSubstr("refctl"))) << target;
    EXPECT_THAT(answer.body, Not(HasSubstr("<b>"))) << target;
  }
  EXPECT_THAT(Ask("/nothing/at/all").body, HasSubstr("href=\"./../../\""));
  EXPECT_EQ(Ask("/nothing").headers.count("refresh"), 0u);
}

TEST_F(Gate, SpeaksOfNoProgramToWhoAsksForWhatIsNotThere) {
  RefereeUnderTest::Options options;
  options.store = true;
  RefereeUnderTest referee(options);
  const auto gate = NewGate(referee);
  for (const std::string& target :
       {std::string("competitions/none"), std::string("competitions/none/standings"),
        std::string("competitions/none/blocks?bot=hal"), std::string("competitions/none/events"),
        absl::StrCat("matches/", kNoMatch), absl::StrCat("matches/", kNoMatch, "/events"),
        absl::StrCat("replays/", kNoMatch), absl::StrCat("replays/", kNoMatch, "/view")}) {
    const HttpAnswer answer = Get(gate->address(), "/api/v1/" + target);
    EXPECT_EQ(answer.code, 404) << target;
    EXPECT_THAT(answer.body, HasSubstr("here")) << target;
    EXPECT_THAT(answer.body, Not(HasSubstr("refctl"))) << target;
  }
}

TEST_F(Gate, NamesThePartOfACompetitionThatIsNotThere) {
  RefereeUnderTest::Options options;
  options.store = true;
  RefereeUnderTest referee(options);
  const auto gate = NewGate(referee);
  for (const auto& [target, said] : std::map<std::string, std::string>{
           {"rounds?round=9", "there is no round '9' here"},
           {"standings?season=9", "there is no season '9' here"},
           {"pairs?bot=hal&season=9", "there is no season '9' here in which bot 'hal' plays"},
           {"pairs?bot=hal", "there is no competition 'none' here in which bot 'hal' plays"},
           {"pairs", "there is no competition 'none' here"}}) {
    EXPECT_THAT(Get(gate->address(), "/api/v1/competitions/none/" + target).body,
                HasSubstr(said + "\""))
        << target;
  }
}

std::string MadeUpId(int i) { return absl::StrCat("01arz3ndektsv4rrffq69", 10'000 + i); }

TEST_F(Gate, MakesWhoMakesUpIdsWaitAndNobodyElse) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  gate::Gate::Options options;
  options.trusted_proxies = {"192.0.2.250", "127.0.0.0/8"};
  options.bounds.visitor_burst = 5;
  options.bounds.visitor_calls_per_second = 0.001;
  const auto gate = NewGate(referee_, options);
  const auto ask = [&](const std::string& visitor, const std::string& target) {
    return Get(gate->address(), target, {"X-Forwarded-For: 203.0.113.1, " + visitor});
  };
  std::map<int, int> codes;
  HttpAnswer refused;
  for (int i = 0; i < 40; ++i) {
    const std::string kinds[] = {"/api/v1/matches/", "/api/v1/replays/"};
    const HttpAnswer answer = ask("192.0.2.1", kinds[i % 2] + MadeUpId(i));
    if (++codes[answer.code]; answer.code == 429) refused = answer;
  }
  EXPECT_EQ(codes, (std::map<int, int>{{404, 5}, {429, 35}}));
  EXPECT_NE(refused.headers.at("retry-after"), "");
  EXPECT_EQ(ask("192.0.2.1", EventsOf(MadeUpId(77))).code, 429);
  const HttpAnswer page = ask("192.0.2.1", "/replays/" + MadeUpId(78));
  EXPECT_EQ(page.headers.at("refresh"), "2") << "it asks again by itself";
  EXPECT_THAT(page.body, HasSubstr("One moment"));
  // A first look at a match, by others.
  EXPECT_EQ(ask("192.0.2.2", "/api/v1/matches/" + match_id).code, 200);
  EXPECT_EQ(ask("192.0.2.1", "/api/v1/matches/" + match_id).code, 200) << "it is known by now";
  // The trusted proxy is no visitor, in one header and in two.
  const std::string another = "/api/v1/matches/" + MadeUpId(79);
  EXPECT_EQ(Get(gate->address(), another, {"X-Forwarded-For: 192.0.2.1, 127.0.0.1"}).code, 429);
  EXPECT_EQ(
      Get(gate->address(), another, {"X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 127.0.0.1"})
          .code,
      429);
  EXPECT_EQ(Get(gate->address(), another, {"X-Forwarded-For: 192.0.2.3, 127.0.0.1"}).code, 404);
}

TEST_F(Gate, AnswersRequestsThatItCannotReadWithAPageWhereAPageIsAsked) {
  const auto gate = NewGate(referee_, {});
  const std::string long_header = absl::StrCat("X-Pad: ", std::string(16'384, 'p'));
  const HttpAnswer page = Get(gate->address(), "/bots/alice", {long_header});
  EXPECT_EQ(page.code, 431);
  EXPECT_THAT(page.headers.at("content-type"), HasSubstr("text/html"));
  EXPECT_THAT(page.body, HasSubstr("longer than 8192 bytes"));
  const HttpAnswer json = Get(gate->address(), "/api/v1/matches", {long_header});
  EXPECT_EQ(json.code, 431);
  EXPECT_EQ(json.headers.at("content-type"), "application/json");
  const HttpAnswer line = Get(gate->address(), "/bots/" + std::string(16'384, 'p'));
  EXPECT_EQ(line.code, 431);
  EXPECT_THAT(line.headers.at("content-type"), HasSubstr("text/html"));
}

TEST_F(Gate, CountsEmptyListsOfMadeUpBotsAsMadeUp) {
  gate::Gate::Options options;
  options.bounds.visitor_burst = 5;
  options.bounds.visitor_calls_per_second = 0.001;
  const auto gate = NewGate(referee_, options);
  std::map<int, int> codes;
  for (int i = 0; i < 20; ++i) {
    ++codes[Get(gate->address(), absl::StrCat("/api/v1/replays?bot=madeup", i)).code];
  }
  EXPECT_EQ(codes, (std::map<int, int>{{200, 5}, {429, 15}}));
}

TEST_F(Gate, AnswersGetAndHeadOnly) {
  const HttpAnswer post = Get(gate_->address(), "/api/v1/matches", {"Content-Length: 0"}, "POST");
  EXPECT_EQ(post.code, 405);
  EXPECT_EQ(post.headers.at("allow"), "GET, HEAD");
  const HttpAnswer head = Get(gate_->address(), "/livez", {}, "HEAD");
  EXPECT_EQ(head.code, 200);
  EXPECT_EQ(head.headers.at("content-length"), "3");
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(Get(gate_->address(), EventsOf(referee_.Create({"alice", "bob"})), {}, "HEAD").body,
            "");
}

TEST_F(Gate, WantsTicketsWhereItHasAKeyForThem) {
  gate::Gate::Options options;
  options.ticket_key = kKey;
  const auto gate = NewGate(referee_, options);
  const std::string& address = gate->address();
  EXPECT_EQ(Get(address, "/api/v1/matches").code, 403);
  EXPECT_EQ(Get(address, "/api/v1/matches?ticket=no").code, 403);
  EXPECT_EQ(Get(address, "/livez").code, 200);
  const std::string ticket = gate::MakeTicket(kKey, absl::Now() + absl::Hours(1));
  const HttpAnswer let_in = Get(address, "/api/v1/matches?ticket=" + ticket);
  EXPECT_EQ(let_in.code, 200);
  EXPECT_THAT(let_in.headers.at("set-cookie"), HasSubstr("HttpOnly"));
  EXPECT_EQ(let_in.headers.count("access-control-allow-origin"), 0u);
  EXPECT_EQ(Get(address, "/api/v1/matches", {"Cookie: ticket=" + ticket}).code, 200);
  const std::string old = gate::MakeTicket(kKey, absl::Now() - absl::Seconds(1));
  EXPECT_EQ(Get(address, "/api/v1/matches?ticket=" + old).code, 403);
  EXPECT_EQ(Ask("/api/v1/matches").headers.at("access-control-allow-origin"), "*");
}

TEST_F(Gate, NeedsATokenWhereTheRefereeWantsOne) {
  RefereeUnderTest::Options options;
  options.readers = service::Readers::kObservers;
  RefereeUnderTest referee(options);
  const std::string match_id = referee.Create({"alice", "bob"});
  const auto blind = NewGate(referee);
  EXPECT_EQ(Get(blind->address(), "/api/v1/matches").code, 403);
  EXPECT_EQ(Get(blind->address(), EventsOf(match_id)).code, 403);
  const auto seeing = NewGate(referee, {}, RefereeUnderTest::Token("oscar"));
  EXPECT_EQ(Get(seeing->address(), "/api/v1/matches").code, 200);
  EventStream stream(seeing->address(), EventsOf(match_id));
  EXPECT_TRUE(stream.Hear());
}

}  // namespace
}  // namespace referee::testing
