// Claims about MatchService: making, showing, listing and ending matches, and who may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Matches : public ::testing::Test {
 protected:
  static std::string Olgas() { return "Bearer " + RefereeUnderTest::Token("olga"); }
  grpc::Status Create(const v1::CreateMatchRequest& request, v1::CreateMatchResponse* response,
                      const std::string& authorization = Olgas()) {
    const auto context = NewContext();
    if (!authorization.empty()) context->AddMetadata("authorization", authorization);
    return referee_.matches().CreateMatch(context.get(), request, response);
  }
  grpc::Status Create(const v1::CreateMatchRequest& request,
                      const std::string& authorization = Olgas()) {
    v1::CreateMatchResponse response;
    return Create(request, &response, authorization);
  }
  grpc::Status Cancel(const std::string& match_id, const std::string& reason,
                      v1::CancelMatchResponse* response,
                      const std::string& authorization = Olgas()) {
    const auto context = NewContext();
    if (!authorization.empty()) context->AddMetadata("authorization", authorization);
    v1::CancelMatchRequest request;
    request.set_match_id(match_id);
    request.set_reason(reason);
    return referee_.matches().CancelMatch(context.get(), request, response);
  }
  grpc::Status List(uint32_t page_size, const std::string& page_token, v1::MatchState state,
                    v1::ListMatchesResponse* response) {
    const auto context = NewContext();
    v1::ListMatchesRequest request;
    request.set_page_size(page_size);
    request.set_page_token(page_token);
    request.set_state(state);
    return referee_.matches().ListMatches(context.get(), request, response);
  }
  grpc::Status Get(const std::string& match_id) {
    const auto context = NewContext();
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    v1::GetMatchResponse response;
    return referee_.matches().GetMatch(context.get(), request, &response);
  }

  RefereeUnderTest referee_;
};

TEST_F(Matches, OfAGameThatAnOrganiserHasPausedAreNotMade) {
  v1::PauseGameRequest pause;
  pause.set_game("hypnosia");
  pause.set_reason("a rule is wrong");
  v1::PauseGameResponse paused;
  for (const char* who : {"", "alice", "oscar"}) {
    EXPECT_FALSE(referee_.matches().PauseGame(NewContext(who).get(), pause, &paused).ok()) << who;
  }
  ASSERT_TRUE(referee_.matches().PauseGame(NewContext("olga").get(), pause, &paused).ok());
  const grpc::Status refused = Create(RefereeUnderTest::Request({"alice", "bob"}));
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("a rule is wrong"));
  v1::ListPausedGamesResponse listed;
  ASSERT_TRUE(referee_.matches().ListPausedGames(NewContext().get(), {}, &listed).ok());
  ASSERT_EQ(listed.games_size(), 1);
  EXPECT_EQ(listed.games(0).game(), "hypnosia");
  v1::ResumeGameRequest resume;
  resume.set_game("hypnosia");
  v1::ResumeGameResponse resumed;
  EXPECT_FALSE(referee_.matches().ResumeGame(NewContext("alice").get(), resume, &resumed).ok());
  ASSERT_TRUE(referee_.matches().ResumeGame(NewContext("olga").get(), resume, &resumed).ok());
  EXPECT_EQ(referee_.matches().ResumeGame(NewContext("olga").get(), resume, &resumed).error_code(),
            grpc::StatusCode::NOT_FOUND);
  EXPECT_TRUE(Create(RefereeUnderTest::Request({"alice", "bob"})).ok());
}

TEST_F(Matches, OfGamesThatAreNotKnownAreNotPaused) {
  v1::PauseGameRequest pause;
  v1::PauseGameResponse paused;
  pause.set_game("chess");
  pause.set_reason("nobody plays it");
  const auto call = [&] {
    return referee_.matches().PauseGame(NewContext("olga").get(), pause, &paused);
  };
  EXPECT_THAT(call().error_message(), HasSubstr("chess"));
  pause.set_game("isaac");
  pause.set_reason("two\nlines");
  EXPECT_EQ(call().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Matches, AreReturnedAsMade) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob", "carol"});
  request.mutable_options()->mutable_hypnosia()->set_stack_bridges(false);
  v1::CreateMatchResponse response;
  ASSERT_TRUE(Create(request, &response).ok());
  const v1::Match& match = response.match();
  EXPECT_EQ(match.match_id().size(), 26u);
  EXPECT_EQ(match.state(), v1::MATCH_STATE_WAITING);
  EXPECT_EQ(match.game(), "hypnosia");
  EXPECT_FALSE(match.options().hypnosia().stack_bridges());
  EXPECT_EQ(match.options().hypnosia().turn_limit(), 500u);
  EXPECT_THAT(match.bots(), ElementsAre("alice", "bob", "carol"));
  EXPECT_EQ(match.time_control().per_move().seconds(), 30);
  EXPECT_FALSE(match.has_verdict());
  EXPECT_EQ(referee_.Get(match.match_id()).match().SerializeAsString(), match.SerializeAsString());
}

TEST_F(Matches, HaveHalfASecondAMoveByDefault) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.clear_time_control();
  v1::CreateMatchResponse response;
  ASSERT_TRUE(Create(request, &response).ok());
  EXPECT_EQ(response.match().time_control().per_move().nanos(), 500'000'000);
  EXPECT_FALSE(response.match().time_control().has_bank());
}

TEST_F(Matches, AreMadeOnceForARequestId) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.set_request_id("round 1, table 1");
  const std::string first = referee_.Create(request);
  EXPECT_EQ(referee_.Create(request), first);

  v1::CreateMatchRequest other = request;
  other.mutable_options()->mutable_hypnosia()->set_turn_limit(499);
  const grpc::Status status = Create(other);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ALREADY_EXISTS);
  EXPECT_THAT(status.error_message(), HasSubstr("'round 1, table 1'"));
  other = request;
  other.mutable_dice()->set_pinned_number(8);
  EXPECT_EQ(Create(other).error_code(), grpc::StatusCode::ALREADY_EXISTS);
  other = request;
  other.clear_time_control();
  EXPECT_EQ(Create(other).error_code(), grpc::StatusCode::ALREADY_EXISTS);
  other = request;
  other.set_bots(0, "bob");
  other.set_bots(1, "alice");
  EXPECT_EQ(Create(other).error_code(), grpc::StatusCode::ALREADY_EXISTS);

  v1::CreateMatchRequest spelled_out = request;
  spelled_out.mutable_options()->mutable_hypnosia()->set_turn_limit(500);
  EXPECT_EQ(referee_.Create(spelled_out), first) << "the defaults are the same content";
  request.set_request_id("round 1, table 2");
  EXPECT_NE(referee_.Create(request), first);
  request.clear_request_id();
  EXPECT_NE(referee_.Create(request), referee_.Create(request));
}

TEST_F(Matches, AreReturnedForTheirRequestIdAlsoWhenTheyAreOver) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.set_request_id("x");
  const std::string match_id = referee_.Create(request);
  v1::CancelMatchResponse cancelled;
  ASSERT_TRUE(Cancel(match_id, "", &cancelled).ok());
  EXPECT_EQ(referee_.Create(request), match_id);
}

TEST_F(Matches, OfUnknownBotsAreNotMade) {
  const grpc::Status status = Create(referee_.Request({"alice", "zoe"}));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("'zoe'"));
}

TEST_F(Matches, ThatMakeNoSenseAreNotMadeAndTheFieldIsNamed) {
  using Change = std::function<void(v1::CreateMatchRequest*)>;
  const std::pair<std::string, Change> changes[] = {
      {"options", [](auto* r) { r->clear_options(); }},
      {"options", [](auto* r) { r->mutable_options()->mutable_hypnosia()->set_board("x"); }},
      {"bots", [](auto* r) { r->set_bots(1, "alice"); }},
      {"bots", [](auto* r) { r->clear_bots(); }},
      {"time_control.per_move",
       [](auto* r) { r->mutable_time_control()->mutable_per_move()->set_seconds(-1); }},
      {"time_control", [](auto* r) { r->mutable_time_control()->clear_per_move(); }},
      {"dice.pinned_seed", [](auto* r) { r->mutable_dice()->set_pinned_seed("short"); }},
      {"request_id", [](auto* r) { r->set_request_id(std::string(65, 'x')); }},
      {"request_id", [](auto* r) { r->set_request_id("c/01k9/3/0"); }}};
  for (const auto& [field, change] : changes) {
    v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
    change(&request);
    const grpc::Status status = Create(request);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << field;
    EXPECT_THAT(status.error_message(), StartsWith(field));
  }
  v1::ListMatchesResponse listed;
  ASSERT_TRUE(List(0, "", v1::MATCH_STATE_UNSPECIFIED, &listed).ok());
  EXPECT_EQ(listed.matches_size(), 0) << "nothing is half made";
}

TEST_F(Matches, ThatThereAreNotAreNotFound) {
  const grpc::Status missing = Get("01arz3ndektsv4rrffq69g5fav");
  EXPECT_EQ(missing.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(missing.error_message(), HasSubstr("archive"));
  for (const std::string& bad : {std::string(), std::string("nonsense"), std::string(9'999, '0')}) {
    EXPECT_EQ(Get(bad).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
}

TEST_F(Matches, AreListedPageByPageNewestFirst) {
  std::vector<std::string> created;
  for (int i = 0; i < 7; ++i) {
    created.push_back(referee_.Create({"alice", "bob"}));
  }
  std::vector<std::string> listed;
  std::string token;
  int pages = 0;
  do {
    v1::ListMatchesResponse page;
    ASSERT_TRUE(List(3, token, v1::MATCH_STATE_UNSPECIFIED, &page).ok());
    EXPECT_LE(page.matches_size(), 3);
    for (const v1::Match& match : page.matches()) listed.push_back(match.match_id());
    token = page.next_page_token();
    ++pages;
  } while (!token.empty() && pages < 10);
  EXPECT_EQ(pages, 3);
  EXPECT_TRUE(std::is_sorted(listed.rbegin(), listed.rend()));
  EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()),
            std::set<std::string>(created.begin(), created.end()));
  EXPECT_EQ(listed.size(), created.size());
}

TEST_F(Matches, AreListedWithoutALastEmptyPage) {
  for (int i = 0; i < 2; ++i) referee_.Create({"alice", "bob"});
  v1::ListMatchesResponse page;
  ASSERT_TRUE(List(2, "", v1::MATCH_STATE_UNSPECIFIED, &page).ok());
  EXPECT_EQ(page.next_page_token(), "");
  ASSERT_TRUE(List(4'000'000'000u, "", v1::MATCH_STATE_UNSPECIFIED, &page).ok());
  EXPECT_EQ(page.matches_size(), 2);
}

TEST_F(Matches, AreListedByState) {
  const std::string cancelled = referee_.Create({"alice", "bob"});
  const std::string waiting = referee_.Create({"alice", "bob"});
  v1::CancelMatchResponse response;
  ASSERT_TRUE(Cancel(cancelled, "", &response).ok());
  v1::ListMatchesResponse page;
  ASSERT_TRUE(List(0, "", v1::MATCH_STATE_WAITING, &page).ok());
  ASSERT_EQ(page.matches_size(), 1);
  EXPECT_EQ(page.matches(0).match_id(), waiting);
  ASSERT_TRUE(List(0, "", v1::MATCH_STATE_CANCELLED, &page).ok());
  ASSERT_EQ(page.matches_size(), 1);
  EXPECT_EQ(page.matches(0).match_id(), cancelled);
  ASSERT_TRUE(List(0, "", v1::MATCH_STATE_RUNNING, &page).ok());
  EXPECT_EQ(page.matches_size(), 0);
}

TEST_F(Matches, AreNotListedFromAForeignPageToken) {
  v1::ListMatchesResponse page;
  const grpc::Status status = List(0, "nonsense", v1::MATCH_STATE_UNSPECIFIED, &page);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), StartsWith("page_token: "));
}

TEST_F(Matches, ThatWaitCanBeCancelledOnce) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  v1::CancelMatchResponse response;
  ASSERT_TRUE(Cancel(match_id, "rain", &response).ok());
  EXPECT_EQ(response.match().state(), v1::MATCH_STATE_CANCELLED);
  EXPECT_THAT(response.match().verdict().reason(), HasSubstr("rain"));
  EXPECT_EQ(response.match().verdict().seed(), "") << "none was drawn";
  const grpc::Status again = Cancel(match_id, "", &response);
  EXPECT_EQ(again.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(Matches, ThatRunCanBeCancelledAndTheBotsAreTold) {
  Table table(&referee_);
  table.WaitForTurn();
  v1::CancelMatchResponse response;
  ASSERT_TRUE(Cancel(table.match_id, "rain", &response).ok());
  EXPECT_EQ(response.match().state(), v1::MATCH_STATE_CANCELLED);
  for (RawBot* bot : {&table.alice, &table.bob}) {
    const v1::Verdict verdict = bot->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
    EXPECT_EQ(verdict.state(), v1::MATCH_STATE_CANCELLED);
    EXPECT_EQ(verdict.scores_size(), 0);
    EXPECT_EQ(verdict.seed().size(), 32u);
  }
}

TEST_F(Matches, AreNotCancelledForAReasonThatIsTooLongOrWhenThereAreNone) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  v1::CancelMatchResponse response;
  EXPECT_EQ(Cancel(match_id, std::string(257, 'x'), &response).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Cancel("01arz3ndektsv4rrffq69g5fav", "", &response).error_code(),
            grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(referee_.Get(match_id).match().state(), v1::MATCH_STATE_WAITING);
}

TEST_F(Matches, AreMadeAndCancelledByTheOrganiserAlone) {
  const v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  for (const std::string& authorization :
       {std::string(), std::string("Bearer "), std::string("Bearer nonsense"),
        RefereeUnderTest::Token("olga"), "Basic " + RefereeUnderTest::Token("olga"),
        "Bearer " + std::string(300, 'x')}) {
    const grpc::Status status = Create(request, authorization);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << authorization;
    EXPECT_THAT(status.error_message(), HasSubstr("organiser"));
  }
  for (const char* name : {"alice", "oscar"}) {
    const grpc::Status status = Create(request, "Bearer " + RefereeUnderTest::Token(name));
    EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << name;
    EXPECT_THAT(status.error_message(), AllOf(HasSubstr("organiser"), HasSubstr(name)));
  }
  v1::CreateMatchResponse created;
  ASSERT_TRUE(Create(request, &created).ok());
  const std::string& match_id = created.match().match_id();
  v1::CancelMatchResponse cancelled;
  EXPECT_EQ(Cancel(match_id, "", &cancelled, "").error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(Get(match_id).ok()) << "looking is for everybody";
  EXPECT_TRUE(Cancel(match_id, "", &cancelled).ok());
}

TEST_F(Matches, AreNotPlayedByTheOrganiser) {
  const grpc::Status status = Create(referee_.Request({"alice", "olga"}));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(MatchesOverLoopback, TakeAToken) {
  RefereeUnderTest::Options options;
  options.listen = "127.0.0.1:0";
  RefereeUnderTest referee(options);
  EXPECT_NE(referee.Create({"alice", "bob"}), "");
  v1::CreateMatchResponse response;
  EXPECT_EQ(referee.matches()
                .CreateMatch(NewContext().get(), referee.Request({"alice", "bob"}), &response)
                .error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

}  // namespace
}  // namespace referee::testing
