// Claims about what a gate shows watchers: matches, replays, lists, pages and standings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "nlohmann/json.hpp"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/gate/running_gate.h"
#include "tests/contract/gate_under_test.h"
#include "tests/contract/moved_time.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/http_client.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(Gate, TellsAMatchFromWaitingToItsVerdict) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_options()->mutable_hypnosia()->set_turn_limit(30);
  const std::string match_id = referee_.Create(request);
  EventStream stream(gate_->address(), EventsOf(match_id));
  EXPECT_THAT(stream.head(), HasSubstr("text/event-stream"));
  const absl::optional<Event> waiting = stream.Hear();
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->name, "view");
  EXPECT_EQ(waiting->id, "0");
  const Json view = Json::parse(waiting->data);
  EXPECT_EQ(view["matchId"], match_id);
  EXPECT_THAT(view["frames"], IsEmpty());

  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  std::thread players([&] { PlayAll({&alice, &bob}, 1); });
  const Json frames = HearToTheEnd(&stream);
  players.join();
  EXPECT_TRUE(stream.ended());
  EXPECT_EQ(frames.size(), 31u);
  EXPECT_EQ(frames, FramesOfReplay(match_id));
  // Who comes back is told that there is nothing more.
  EventStream again(gate_->address(), EventsOf(match_id), "end");
  EXPECT_THAT(again.head(), HasSubstr("204"));
}

// A gate with an organiser's token, in front of a competition with a watch delay.
class LateGate : public ::testing::Test {
 protected:
  static constexpr absl::Duration kDelay = absl::Hours(1);

  RefereeUnderTest::Options Options() {
    RefereeUnderTest::Options options;
    options.store = true;
    options.clock = &time_.clock();
    options.timers = &time_.timers();
    return options;
  }
  // Makes and starts a round robin of alice and bob.
  void StartCup() {
    v1::CreateCompetitionRequest request = RoundRobin("cup");
    request.mutable_spec()->mutable_watch_delay()->set_seconds(absl::ToInt64Seconds(kDelay));
    StartCompetition(v1::CompetitionService::NewStub(referee_.NewChannel()).get(), request);
  }
  HttpAnswer Ask(const std::string& target) { return Get(gate_->address(), target, {}); }

  MovedTime time_;
  RefereeUnderTest referee_{Options()};
  std::unique_ptr<gate::RunningGate> gate_ = NewGate(referee_, {}, RefereeUnderTest::Token("olga"));
};

TEST_F(LateGate, ShowsWhatAnObserverMaySeeThoughItsTokenIsAnOrganisers) {
  StartCup();
  std::string match_id;
  absl::optional<EventStream> stream;
  {
    RawBot alice(&referee_, "alice", 2);
    RawBot bob(&referee_, "bob", 2);
    v1::ListMatchesResponse matches;
    while (matches.matches_size() == 0) {
      ASSERT_TRUE(referee_.matches()
                      .ListMatches(NewContext("olga").get(), v1::ListMatchesRequest(), &matches)
                      .ok());
    }
    match_id = matches.matches(0).match_id();
    stream.emplace(gate_->address(), EventsOf(match_id));
    const absl::optional<Event> waiting = stream->Hear();
    ASSERT_TRUE(waiting);
    EXPECT_THAT(Json::parse(waiting->data)["frames"], IsEmpty());
    PlayAll({&alice, &bob}, 2);
    (void)referee_.WaitForVerdict(match_id);
  }
  const HttpAnswer replay = Ask(absl::StrCat("/api/v1/replays/", match_id));
  EXPECT_EQ(replay.code, 409);
  EXPECT_THAT(replay.body, HasSubstr("has a watch delay of 1h"));
  EXPECT_THAT(Ask("/api/v1/competitions/cup/standings").body, Not(HasSubstr("\"wins\"")));
  time_.Pass(kDelay);
  Json frames = Json::array();
  std::string last;
  while (const absl::optional<Event> event = stream->Hear()) {
    last = event->name;
    if (last == "view") frames = Json::parse(event->data).value("frames", Json::array());
    if (last == "frame") {
      for (const Json& frame : Json::parse(event->data)) frames.push_back(frame);
    }
  }
  EXPECT_EQ(last, "verdict");
  EXPECT_EQ(frames.size(), 21u) << "every turn";
  EXPECT_EQ(Ask(absl::StrCat("/api/v1/replays/", match_id)).code, 200);
}

TEST_F(Gate, TellsWhoComesInTheMiddleAllThatWasPlayedBefore) {
  Table table(&referee_);
  for (int i = 0; i < 5; ++i) {
    table.WaitForTurn();
    table.PlayTurn();
  }
  const uint32_t due = table.WaitForTurn().turn();
  EventStream stream(gate_->address(), EventsOf(table.match_id));
  const absl::optional<Event> first = stream.Hear();
  ASSERT_TRUE(first);
  const Json view = Json::parse(first->data);
  // The start, and a frame for each turn.
  EXPECT_EQ(view["frames"].size(), due);
  EXPECT_EQ(first->id, absl::StrCat(due));
  EXPECT_EQ(view["frames"].back()["position"], table.asked.position_text());

  table.PlayTurn();
  const absl::optional<Event> next = stream.Hear();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->name, "frame");
  EXPECT_EQ(Json::parse(next->data)[0]["turn"], due);
  table.alice.Say(ResignFrom(table.match_id));
  referee_.WaitForVerdict(table.match_id);
  Json known = view["frames"];
  for (const Json& frame : Json::parse(next->data)) known.push_back(frame);
  EXPECT_EQ(HearToTheEnd(&stream, known), FramesOfReplay(table.match_id));
}

TEST_F(Gate, MissesNothingForWhoComesBackToAnother) {
  Table table(&referee_);
  table.WaitForTurn();
  table.PlayTurn();
  table.WaitForTurn();
  auto stream = std::make_unique<EventStream>(gate_->address(), EventsOf(table.match_id));
  const absl::optional<Event> view = stream->Hear();
  ASSERT_TRUE(view);
  gate_ = nullptr;
  EXPECT_FALSE(stream->Hear());
  EXPECT_TRUE(stream->ended());
  for (int i = 0; i < 3; ++i) {
    table.PlayTurn();
    table.WaitForTurn();
  }
  gate_ = NewGate(referee_);
  EventStream again(gate_->address(), EventsOf(table.match_id), view->id);
  const absl::optional<Event> missed = again.Hear();
  ASSERT_TRUE(missed);
  EXPECT_EQ(missed->name, "frame");
  table.alice.Say(ResignFrom(table.match_id));
  Json frames = Json::parse(view->data)["frames"];
  for (const Json& frame : Json::parse(missed->data)) frames.push_back(frame);
  referee_.WaitForVerdict(table.match_id);
  EXPECT_EQ(HearToTheEnd(&again, frames), FramesOfReplay(table.match_id));
}

TEST_F(Gate, WatchesAMatchOnceForAllWhoLookOn) {
  RefereeUnderTest::Options options;
  options.call_limits.watches = 2;  // of which one is for who has no token
  RefereeUnderTest referee(options);
  const auto gate = NewGate(referee);
  Table table(&referee);
  table.WaitForTurn();
  std::vector<std::unique_ptr<EventStream>> all;
  for (int i = 0; i < 5; ++i) {
    all.push_back(std::make_unique<EventStream>(gate->address(), EventsOf(table.match_id)));
    EXPECT_TRUE(all.back()->Hear());
  }
  table.PlayTurn();
  for (const auto& stream : all) {
    const absl::optional<Event> event = stream->Hear();
    ASSERT_TRUE(event);
    EXPECT_EQ(event->name, "frame");
  }
}

TEST_F(Gate, ShowsAMatchThatIsOverFromItsReplay) {
  Table table(&referee_);
  table.WaitForTurn();
  table.alice.Say(ResignFrom(table.match_id));
  referee_.WaitForVerdict(table.match_id);
  const HttpAnswer view = Ask(absl::StrCat("/api/v1/matches/", table.match_id));
  ASSERT_EQ(view.code, 200) << view.body;
  EXPECT_EQ(Json::parse(view.body)["verdict"]["ending"], "FINISHED");
  EXPECT_THAT(Json::parse(view.body)["ledger"], Not(IsEmpty()));
  EventStream stream(gate_->address(), EventsOf(table.match_id));
  EXPECT_EQ(HearToTheEnd(&stream), FramesOfReplay(table.match_id));
}

TEST_F(Gate, ServesReplaysAndWhatIsMadeOfThemToBeKept) {
  Table table(&referee_);
  table.WaitForTurn();
  table.alice.Say(ResignFrom(table.match_id));
  referee_.WaitForVerdict(table.match_id);
  std::string bytes;
  ASSERT_TRUE(referee_.Fetch(table.match_id, &bytes).ok());
  const std::string target = absl::StrCat("/api/v1/replays/", table.match_id);
  const HttpAnswer file = Ask(target);
  EXPECT_EQ(file.body, bytes);
  EXPECT_THAT(file.headers.at("cache-control"), HasSubstr("immutable"));
  const HttpAnswer known = Ask(target, {"If-None-Match: " + file.headers.at("etag")});
  EXPECT_EQ(known.code, 304);
  EXPECT_EQ(known.body, "");
  const HttpAnswer page = Ask(absl::StrCat("/replays/", table.match_id));
  EXPECT_EQ(page.code, 200);
  EXPECT_THAT(page.body, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page.headers.at("content-type"), HasSubstr("text/html"));
  const HttpAnswer zipped = Ask(target + "/view", {"Accept-Encoding: gzip"});
  EXPECT_EQ(zipped.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(zipped.body.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(Ask("/api/v1/replays").code, 200);
}

TEST_F(Gate, ListsMatches) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  const HttpAnswer waiting = Ask("/api/v1/matches?state=waiting");
  ASSERT_EQ(waiting.code, 200) << waiting.body;
  EXPECT_EQ(Json::parse(waiting.body)["matches"][0]["matchId"], match_id);
  EXPECT_EQ(Json::parse(Ask("/api/v1/matches?state=running").body), Json::object());
  EXPECT_EQ(Ask("/api/v1/matches?state=lost").code, 400);
  EXPECT_EQ(Ask("/api/v1/competitions/spring/blocks?order=best").code, 400);
}

TEST_F(Gate, ServesPagesThatAskForWhatTheyShow) {
  const std::pair<std::string, std::string> kinds[] = {
      {"/", "index"},
      {"/matches/" + std::string(26, '0'), "match"},
      {"/competitions/a%20b", "competition"},
      {"/bots/alice", "bot"},
      {"/replays", "archive"}};
  for (const auto& [path, kind] : kinds) {
    const HttpAnswer page = Ask(path);
    EXPECT_EQ(page.code, 200) << path;
    EXPECT_EQ(page.headers.at("content-type"), "text/html; charset=utf-8") << path;
    EXPECT_NE(page.headers.at("etag"), "") << path;
    EXPECT_THAT(page.body, ::testing::HasSubstr("data-kind=\"" + kind + "\"")) << path;
    EXPECT_THAT(page.body, ::testing::HasSubstr("connect-src 'self'")) << path;
  }
}

TEST_F(Gate, TellsTheStandingsOfACompetitionWhenTheyChange) {
  RefereeUnderTest::Options options;
  options.store = true;
  RefereeUnderTest referee(options);
  const auto gate = NewGate(referee);
  const auto channel = referee.NewChannel();
  const auto competitions = v1::CompetitionService::NewStub(channel);
  v1::CreateCompetitionRequest request;
  request.mutable_spec()->set_name("spring");
  request.mutable_spec()->set_format(v1::COMPETITION_FORMAT_LADDER);
  request.mutable_spec()->mutable_options()->mutable_hypnosia();
  request.mutable_spec()->add_entrants("alice");
  request.mutable_spec()->add_entrants("bob");
  v1::CreateCompetitionResponse created;
  const grpc::Status status =
      competitions->CreateCompetition(NewContext("olga").get(), request, &created);
  ASSERT_TRUE(status.ok()) << status.error_message();

  const std::string target = "/api/v1/competitions/spring/events";
  EventStream stream(gate->address(), target);
  const absl::optional<Event> first = stream.Hear();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->name, "standings");
  EXPECT_EQ(Json::parse(first->data)["competition"]["state"], "COMPETITION_STATE_NEW");
  v1::FinishCompetitionRequest finish;
  finish.set_name("spring");
  v1::FinishCompetitionResponse finished;
  ASSERT_TRUE(competitions->FinishCompetition(NewContext("olga").get(), finish, &finished).ok());
  std::string last_id;
  while (const absl::optional<Event> event = stream.Hear()) last_id = event->id;
  EXPECT_TRUE(stream.ended());
  EXPECT_THAT(EventStream(gate->address(), target, last_id).head(), HasSubstr("204"));
  for (const char* what : {"", "/standings", "/blocks", "/pairs", "/ratings"}) {
    EXPECT_EQ(Get(gate->address(), absl::StrCat("/api/v1/competitions/spring", what)).code, 200)
        << what;
  }
  const HttpAnswer rounds = Get(gate->address(), "/api/v1/competitions/spring/rounds");
  EXPECT_EQ(rounds.code, 409);
  EXPECT_THAT(rounds.body, AllOf(HasSubstr("who met whom\""), Not(HasSubstr("refctl"))));
  const HttpAnswer season = Get(gate->address(), "/api/v1/competitions/spring/standings?season=9");
  EXPECT_EQ(season.code, 404);
  EXPECT_THAT(season.body, HasSubstr("there is no season '9' here"));
  EXPECT_EQ(Get(gate->address(), "/api/v1/competitions/autumn").code, 404);
}

TEST_F(Gate, IsLiveAndReadyAndAsksRobotsToGo) {
  EXPECT_EQ(Ask("/livez").code, 200);
  const absl::Time until = absl::Now() + kPatience;
  while (Ask("/readyz").code != 200 && absl::Now() < until) {
  }
  EXPECT_EQ(Ask("/readyz").code, 200);
  EXPECT_THAT(Ask("/robots.txt").body, HasSubstr("Disallow: /api/"));
  referee_.Stop();
  while (Ask("/readyz").code == 200 && absl::Now() < until) {
  }
  EXPECT_EQ(Ask("/readyz").code, 503);
  EXPECT_EQ(Ask("/livez").code, 200);
  const HttpAnswer list = Ask("/api/v1/matches");
  EXPECT_EQ(list.code, 503);
  EXPECT_EQ(list.headers.count("retry-after"), 1u);
  EXPECT_THAT(list.body, Not(HasSubstr(referee_.address()))) << "that is nobody's business";
}

}  // namespace
}  // namespace referee::testing
