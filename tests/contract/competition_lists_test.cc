// Claims about CompetitionService: what it tells of competitions, page by page, and to watchers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "tests/contract/competition_calls.h"
#include "tests/contract/raw_bot.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Competitions, TellTheirRounds) {
  Create(RoundRobin("spring"));
  v1::ListRoundsRequest request;
  request.set_name("spring");
  v1::ListRoundsResponse rounds;
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListRounds, request, &rounds).ok());
  ASSERT_EQ(rounds.pairings_size(), 1);
  EXPECT_EQ(rounds.pairings(0).round(), 1u);
  EXPECT_EQ(rounds.pairings(0).bots_size(), 2);
  EXPECT_EQ(rounds.pairings(0).state(), v1::ROUND_PAIRING_STATE_WAITING);
  EXPECT_EQ(rounds.next_page_token(), "");
  request.set_page_token("x");
  EXPECT_EQ(CallAs("", &CompetitionStub::ListRounds, request, &rounds).error_code(),
            grpc::INVALID_ARGUMENT);
}

TEST_F(Competitions, HavePositionsWhichAreShownWhenTheyAreAskedForByName) {
  const std::string first = "36/24/12 1111,1111 - 1,-1 - a -";
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  request.mutable_spec()->add_positions(first);
  request.mutable_spec()->add_positions("36/24/12 1111,1111 - 0,0 - b 54");
  EXPECT_EQ(Create(request).position_count(), 2u);
  const v1::Competition shown = Get();
  EXPECT_EQ(shown.position_count(), 2u);
  ASSERT_EQ(shown.spec().positions_size(), 2);
  EXPECT_EQ(shown.spec().positions(0), first);
  EXPECT_EQ(shown.spec().positions(1), "36/24/12 1111,1111 - 0,0 - b -") << "as the game has it";
  v1::ListCompetitionsResponse list;
  ASSERT_TRUE(List(9, "", &list).ok());
  EXPECT_EQ(list.competitions(0).position_count(), 2u);
  EXPECT_EQ(list.competitions(0).spec().positions_size(), 0);
  v1::GetStandingsResponse table;
  ASSERT_TRUE(About<v1::GetStandingsRequest>("", &CompetitionStub::GetStandings, &table).ok());
  EXPECT_EQ(table.competition().position_count(), 2u);
  EXPECT_EQ(table.competition().spec().positions_size(), 0);
  request.mutable_spec()->set_name("winter");
  request.mutable_spec()->set_positions(1, "nonsense");
  const grpc::Status refused = Refusal(request);
  EXPECT_EQ(refused.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("positions[1]: position: rings"));
}

TEST_F(Competitions, AreWatchedUnderWhateverNameTheyHaveByThen) {
  Create(RoundRobin("spring"));
  Watcher watcher(stub_.get());
  watcher.HearOf(v1::COMPETITION_STATE_NEW);
  v1::UpdateCompetitionRequest rename;
  rename.set_name("spring");
  rename.mutable_spec()->set_name("autumn");
  rename.mutable_update_mask()->add_paths("name");
  v1::UpdateCompetitionResponse renamed;
  ASSERT_TRUE(CallAs("olga", &CompetitionStub::UpdateCompetition, rename, &renamed).ok());
  Create(RoundRobin("spring"));  // another one has the name now
  v1::StartCompetitionResponse started;
  ASSERT_TRUE(About<v1::StartCompetitionRequest>("olga", &CompetitionStub::StartCompetition,
                                                 &started, "autumn")
                  .ok());
  EXPECT_EQ(watcher.HearOf(v1::COMPETITION_STATE_RUNNING).competition().spec().name(), "autumn");
}

TEST_F(Competitions, TellWhatBotsMadeAgainstEachOtherPageByPage) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  request.mutable_spec()->add_entrants("carol");
  Create(request);
  ASSERT_TRUE(Start().ok());
  Watcher watcher(stub_.get());
  {
    RawBot alice(&referee_, "alice", 2);
    RawBot bob(&referee_, "bob", 2);
    RawBot carol(&referee_, "carol", 2);
    PlayAll({&alice, &bob, &carol}, 4);
    watcher.HearOf(v1::COMPETITION_STATE_FINISHED);
  }
  v1::ListPairsResponse first;
  ASSERT_TRUE(Pairs("", "", 2, &first).ok()) << "no token is needed";
  ASSERT_EQ(first.pairs_size(), 2);
  EXPECT_EQ(first.pairs(0).bot(), "alice");
  EXPECT_EQ(first.pairs(0).opponent(), "bob");
  EXPECT_EQ(first.pairs(1).opponent(), "carol");
  v1::ListPairsResponse last;
  ASSERT_TRUE(Pairs("", first.next_page_token(), 2, &last).ok());
  ASSERT_EQ(last.pairs_size(), 1);
  EXPECT_EQ(last.pairs(0).bot(), "bob");
  EXPECT_EQ(last.next_page_token(), "");
  v1::ListPairsResponse bobs;
  ASSERT_TRUE(Pairs("bob", "", 0, &bobs).ok());
  ASSERT_EQ(bobs.pairs_size(), 2);
  const v1::PairTotal& there = first.pairs(0);
  const v1::PairTotal& back = bobs.pairs(0);
  EXPECT_EQ(back.bot(), "bob");
  EXPECT_EQ(back.opponent(), "alice");
  EXPECT_EQ(back.wins(), there.losses());
  EXPECT_EQ(back.draws(), there.draws());
  EXPECT_EQ(back.losses(), there.wins());
  EXPECT_EQ(back.wins() + back.draws() + back.losses(), 2u);
  EXPECT_EQ(back.points() + there.points(), 2);
  EXPECT_EQ(back.blocks(), 1u);
  ASSERT_EQ(back.blocks_by_points_size(), 5);
  EXPECT_EQ(back.blocks_by_points(static_cast<int>(2 * back.points())), 1u);
  for (const char* token : {"x", "1", "1-", "1-2-3", "99999999999-0"}) {
    EXPECT_EQ(Pairs("", token, 2, &last).error_code(), grpc::INVALID_ARGUMENT) << token;
  }
  v1::ListPairsResponse beyond;
  ASSERT_TRUE(Pairs("bob", "2147483647-2147483647", 2, &beyond).ok());
  EXPECT_EQ(beyond.pairs_size(), 0);
  EXPECT_EQ(Pairs("dave", "", 2, &last).error_code(), grpc::NOT_FOUND);
}

TEST_F(Competitions, OfMoreSeatsHaveNoPairs) {
  v1::CreateCompetitionRequest request = Ladder();
  request.mutable_spec()->set_seats(3);
  Create(request);
  v1::ListPairsResponse page;
  const grpc::Status refused = Pairs("", "", 0, &page);
  EXPECT_EQ(refused.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("3 seats"));
}

TEST_F(Competitions, AreListedNewestFirstPageByPage) {
  for (const char* name : {"one", "two", "three"}) Create(Ladder(name));
  v1::ListCompetitionsResponse page;
  ASSERT_TRUE(List(2, "", &page).ok());
  ASSERT_EQ(page.competitions_size(), 2);
  EXPECT_EQ(page.competitions(0).spec().name(), "three");
  EXPECT_EQ(page.competitions(1).spec().name(), "two");
  v1::ListCompetitionsResponse last;
  ASSERT_TRUE(List(2, page.next_page_token(), &last).ok());
  ASSERT_EQ(last.competitions_size(), 1);
  EXPECT_EQ(last.competitions(0).spec().name(), "one");
  EXPECT_EQ(last.next_page_token(), "");
  EXPECT_EQ(List(2, "nonsense", &last).error_code(), grpc::INVALID_ARGUMENT);
}

TEST_F(Competitions, TestIsMadeShownAndListedApart) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  v1::CompetitionSpec& spec = *request.mutable_spec();
  spec.set_format(v1::COMPETITION_FORMAT_TEST);
  EXPECT_THAT(Refusal(request).error_message(), HasSubstr("sprt: a test needs"));
  spec.mutable_sprt()->set_elo1(10);
  spec.set_priority(7);
  const v1::Competition test = Create(request);
  EXPECT_EQ(test.spec().sprt().alpha(), 0.05);
  EXPECT_EQ(test.spec().sprt().scale(), v1::ELO_SCALE_LOGISTIC);
  EXPECT_EQ(test.test().bot(), "alice");
  EXPECT_EQ(test.test().against(), "bob");
  EXPECT_EQ(test.test().decision(), v1::TEST_DECISION_NONE);
  EXPECT_NEAR(test.test().upper_bound(), 2.944, 0.001);
  EXPECT_THAT(test.test().blocks_by_half_points(), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_FALSE(test.test().has_estimate());
  for (const char* name : {"one", "two"}) Create(Ladder(name));
  v1::ListCompetitionsRequest list;
  list.set_page_size(1);
  list.set_format(v1::COMPETITION_FORMAT_TEST);
  v1::ListCompetitionsResponse listed;
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListCompetitions, list, &listed).ok());
  ASSERT_EQ(listed.competitions_size(), 1);
  EXPECT_EQ(listed.competitions(0).spec().name(), "spring");
  EXPECT_EQ(listed.competitions(0).spec().priority(), 7);
  EXPECT_EQ(listed.competitions(0).test().bot(), "alice");
}

TEST_F(Competitions, AreListedOfABotThoughManyAreNewer) {
  const auto create = [&](const std::string& name, const std::string& bot) {
    v1::CreateCompetitionRequest request = Ladder(name);
    request.mutable_spec()->add_entrants(bot);
    Create(request);
  };
  create("old", "alice");
  for (int i = 0; i < 25; ++i) create(absl::StrCat("newer ", i), "bob");
  v1::ListCompetitionsRequest list;
  list.set_page_size(20);
  list.set_bot("alice");
  v1::ListCompetitionsResponse listed;
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListCompetitions, list, &listed).ok());
  ASSERT_EQ(listed.competitions_size(), 1);
  EXPECT_EQ(listed.competitions(0).spec().name(), "old");
  EXPECT_EQ(listed.next_page_token(), "");
  list.set_bot("nobody");
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListCompetitions, list, &listed).ok());
  EXPECT_EQ(listed.competitions_size(), 0);
}

TEST_F(Competitions, PointsAreOfTestsAndTheirTokensAreRead) {
  Create(Ladder());
  v1::ListTestPointsRequest request;
  request.set_name("spring");
  v1::ListTestPointsResponse points;
  EXPECT_EQ(CallAs("", &CompetitionStub::ListTestPoints, request, &points).error_code(),
            grpc::FAILED_PRECONDITION);
  v1::CreateCompetitionRequest test = RoundRobin("spring");
  test.mutable_spec()->set_name("test");
  test.mutable_spec()->set_format(v1::COMPETITION_FORMAT_TEST);
  test.mutable_spec()->mutable_sprt()->set_elo1(10);
  Create(test);
  request.set_name("test");
  for (const char* token : {"1", "x", "1.0.0.0.0.0", "1.0.0.0.0.0.0.0", "-1.0.0.0.0.0.0",
                            "1.0.0.0.0.0.-1", "1.0.0.0.0.0.99999999"}) {
    request.set_page_token(token);
    EXPECT_EQ(CallAs("", &CompetitionStub::ListTestPoints, request, &points).error_code(),
              grpc::INVALID_ARGUMENT)
        << token;
  }
  request.set_page_token("1.0.0.0.1.0.0");
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListTestPoints, request, &points).ok());
  EXPECT_EQ(points.points_size(), 0);
  EXPECT_EQ(points.next_page_token(), "");
}

TEST_F(Competitions, RatingHistoriesAreOfEachEntrantAndTheirTokensAreRead) {
  Create(RoundRobin("spring"));
  v1::ListRatingHistoriesRequest request;
  request.set_name("spring");
  request.set_page_size(1);
  v1::ListRatingHistoriesResponse first;
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListRatingHistories, request, &first).ok());
  ASSERT_EQ(first.histories_size(), 1);
  EXPECT_EQ(first.histories(0).points_size(), 0) << "nothing was played";
  EXPECT_EQ(first.season(), 1u);
  request.set_page_token(first.next_page_token());
  v1::ListRatingHistoriesResponse second;
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListRatingHistories, request, &second).ok());
  ASSERT_EQ(second.histories_size(), 1);
  EXPECT_NE(second.histories(0).bot(), first.histories(0).bot());
  for (const char* token : {"x", "-1", "99999999999"}) {
    request.set_page_token(token);
    EXPECT_EQ(CallAs("", &CompetitionStub::ListRatingHistories, request, &second).error_code(),
              grpc::INVALID_ARGUMENT)
        << token;
  }
}

TEST_F(Competitions, AreFoundByTheIdThatTheirMatchesName) {
  Create(Ladder());
  const auto id = referee_.store().FindCompetition("spring").value().id;
  const auto get = [&](const std::string& name, const std::string& competition_id) {
    v1::GetCompetitionRequest request;
    request.set_name(name);
    request.set_competition_id(competition_id);
    v1::GetCompetitionResponse response;
    const grpc::Status status =
        CallAs("olga", &CompetitionStub::GetCompetition, request, &response);
    return status.ok() ? response.competition().spec().name() : status.error_message();
  };
  EXPECT_EQ(Get().competition_id(), id.text());
  EXPECT_EQ(get("", id.text()), "spring");
  EXPECT_EQ(get("autumn", id.text()), "spring") << "the name is not looked at";
  EXPECT_THAT(get("spring", "01m7xzk53v1c00000000000000"), HasSubstr("there is none"));
}

TEST_F(Competitions, MayBeWatchedByManyOfWhomSomeVanish) {
  Create(Ladder());
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 8; ++i) watchers.push_back(std::make_unique<Watcher>(stub_.get()));
  for (const auto& watcher : watchers) watcher->HearOf(v1::COMPETITION_STATE_NEW);
  watchers.resize(2);
  ASSERT_TRUE(Start().ok());
  for (const auto& watcher : watchers) watcher->HearOf(v1::COMPETITION_STATE_RUNNING);
}

}  // namespace
}  // namespace referee::testing
