// Claims about CompetitionService: making, joining and playing competitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/dice/dice.h"
#include "tests/contract/competition_calls.h"
#include "tests/contract/raw_bot.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Competitions, AreMadeAsAskedForWithDefaultsFilledIn) {
  const v1::Competition made = Create(RoundRobin("spring"));
  EXPECT_EQ(made.state(), v1::COMPETITION_STATE_NEW);
  EXPECT_EQ(made.spec().seats(), 2u);
  EXPECT_EQ(made.spec().options().hypnosia().turn_limit(), 20u);
  EXPECT_TRUE(made.spec().options().hypnosia().has_stack_bridges()) << "all options are said";
  EXPECT_EQ(made.spec().time_control().per_move().seconds(), 30);
  EXPECT_EQ(made.spec().absence_limit().seconds(), 3600);
  EXPECT_THAT(made.spec().entrants(), ElementsAre("alice", "bob"));
  EXPECT_FALSE(made.has_start_time());
  EXPECT_EQ(Get().spec().SerializeAsString(), made.spec().SerializeAsString());
}

TEST_F(Competitions, SayTheirTieBreaks) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  EXPECT_THAT(Create(request).spec().tie_breaks(),
              ElementsAre(v1::TIE_BREAK_DIRECT_ENCOUNTER, v1::TIE_BREAK_SONNEBORN_BERGER,
                          v1::TIE_BREAK_WINS));
  request.mutable_spec()->set_name("none");
  request.mutable_spec()->add_tie_breaks(v1::TIE_BREAK_NONE);
  EXPECT_THAT(Create(request).spec().tie_breaks(), ElementsAre(v1::TIE_BREAK_NONE));
  request.mutable_spec()->set_name("wins");
  request.mutable_spec()->set_tie_breaks(0, v1::TIE_BREAK_WINS);
  EXPECT_THAT(Create(request).spec().tie_breaks(), ElementsAre(v1::TIE_BREAK_WINS));
}

TEST_F(Competitions, AreMadeOnceForOneRequestId) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  request.set_request_id("monday");
  Create(request);
  EXPECT_EQ(Create(request).spec().name(), "spring");
  request.mutable_spec()->set_rounds(2);
  EXPECT_EQ(Refusal(request).error_code(), grpc::ALREADY_EXISTS);
  request.set_request_id("");
  EXPECT_EQ(Refusal(request).error_code(), grpc::ALREADY_EXISTS) << "the name is taken";
  request.set_request_id(std::string(65, 'x'));
  EXPECT_EQ(Refusal(request).error_code(), grpc::INVALID_ARGUMENT);
}

TEST_F(Competitions, AreRefusedWhereTheyCannotBePlayedAndNothingIsMade) {
  struct Case {
    std::function<void(v1::CompetitionSpec*)> spoil;
    const char* says;
  };
  const Case cases[] = {
      {[](auto* spec) { spec->set_format(v1::COMPETITION_FORMAT_UNSPECIFIED); }, "format"},
      {[](auto* spec) { spec->clear_options(); }, "options.game"},
      {[](auto* spec) { spec->set_seats(3); }, "entrants: 2 given"},
      {[](auto* spec) { spec->set_seats(9); }, "seats"},
      {[](auto* spec) { spec->set_seats(4'000'000'000); }, "seats"},
      {[](auto* spec) { spec->set_rounds(4'000'000'000); }, "rounds"},
      {[](auto* spec) { spec->set_name("a\nb"); }, "name"},
      {[](auto* spec) { spec->add_entrants("alice"); }, "entrants[2]"},
      {[](auto* spec) { spec->mutable_absence_limit()->set_seconds(-1); }, "absence_limit"},
      {[](auto* spec) { spec->mutable_time_control()->clear_per_move(); }, "time_control"},
      {[](auto* spec) { spec->mutable_options()->mutable_hypnosia()->set_turn_limit(0); },
       "turn_limit"},
      {[](auto* spec) { spec->set_best_of(3); }, "best_of"},
      {[](auto* spec) { spec->set_extra_blocks(0); }, "extra_blocks"},
      {[](auto* spec) { spec->add_tie_breaks(v1::TIE_BREAK_UNSPECIFIED); }, "tie_breaks"},
      {[](auto* spec) { spec->add_tie_breaks(v1::TIE_BREAK_BUCHHOLZ); }, "tie_breaks"},
  };
  for (const Case& one : cases) {
    v1::CreateCompetitionRequest request = RoundRobin("spring");
    one.spoil(request.mutable_spec());
    const grpc::Status status = Refusal(request);
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT) << one.says;
    EXPECT_THAT(status.error_message(), HasSubstr(one.says));
  }
  v1::CreateCompetitionRequest stranger = RoundRobin("spring");
  stranger.mutable_spec()->add_entrants("nobody");
  EXPECT_THAT(Refusal(stranger).error_message(), HasSubstr("'nobody'"));
  stranger.mutable_spec()->set_entrants(2, "olga");
  EXPECT_THAT(Refusal(stranger).error_message(),
              HasSubstr("the account of this name is an organiser, not a bot"));
  v1::ListCompetitionsResponse listed;
  ASSERT_TRUE(List(0, "", &listed).ok());
  EXPECT_EQ(listed.competitions_size(), 0);
}

TEST_F(Competitions, ThatAreNotThereAreNotFound) {
  v1::GetStandingsResponse standings;
  const grpc::Status status =
      About<v1::GetStandingsRequest>("", &CompetitionStub::GetStandings, &standings, "winter");
  EXPECT_EQ(status.error_code(), grpc::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("'winter'"));
  Watcher watcher(stub_.get(), "winter");
  v1::WatchCompetitionResponse news;
  EXPECT_FALSE(watcher.reader->Read(&news));
  EXPECT_EQ(watcher.reader->Finish().error_code(), grpc::NOT_FOUND);
}

TEST_F(Competitions, ArePlayedToTheirEndAndWatched) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  request.mutable_spec()->set_rounds(2);
  Create(request);
  Watcher watcher(stub_.get());
  EXPECT_EQ(watcher.HearOf(v1::COMPETITION_STATE_NEW).standings_size(), 2);
  ASSERT_TRUE(Start().ok());
  {
    RawBot alice(&referee_, "alice", 2);
    RawBot bob(&referee_, "bob", 2);
    PlayAll({&alice, &bob}, 4);
    const v1::WatchCompetitionResponse over = watcher.HearOf(v1::COMPETITION_STATE_FINISHED);
    EXPECT_EQ(over.competition().blocks_counted(), 2u);
    EXPECT_TRUE(over.competition().has_finish_time());
    ASSERT_EQ(over.standings_size(), 2);
    EXPECT_EQ(over.standings(0).rank(), 1u);
    EXPECT_TRUE(over.standings(0).has_elo_at_least() || over.standings(0).has_elo_at_most());
    EXPECT_EQ(over.standings(0).blocks(), 2u);
    EXPECT_EQ(over.standings(0).wins() + over.standings(0).draws() + over.standings(0).losses(),
              4u);
    EXPECT_FALSE(over.standings(1).has_superiority());
    v1::WatchCompetitionResponse more;
    EXPECT_FALSE(watcher.reader->Read(&more)) << "nothing changes any more";
    EXPECT_TRUE(watcher.reader->Finish().ok());
  }
  // Page by page.
  v1::ListBlocksResponse first;
  ASSERT_TRUE(Blocks("", "", &first).ok());
  ASSERT_EQ(first.blocks_size(), 1);
  const v1::Block& block = first.blocks(0);
  EXPECT_EQ(block.number(), 0u);
  EXPECT_EQ(block.state(), v1::BLOCK_STATE_PLAYED);
  ASSERT_EQ(block.matches_size(), 2);
  EXPECT_EQ(block.matches(1).rotation(), 1u);
  EXPECT_EQ(block.matches(1).ranks_size(), 2);
  EXPECT_TRUE(block.has_end_time());
  std::string replay;
  EXPECT_TRUE(referee_.Fetch(block.matches(0).match_id(), &replay).ok());
  v1::ListBlocksResponse second;
  ASSERT_TRUE(Blocks("alice", first.next_page_token(), &second).ok());
  ASSERT_EQ(second.blocks_size(), 1);
  EXPECT_EQ(second.blocks(0).number(), 1u);
  EXPECT_EQ(second.next_page_token(), "");
  v1::ListBlocksRequest newest;
  newest.set_name("spring");
  newest.set_newest_first(true);
  newest.set_page_size(1);
  for (const uint64_t number : {1, 0}) {
    ASSERT_TRUE(CallAs("", &CompetitionStub::ListBlocks, newest, &second).ok());
    ASSERT_EQ(second.blocks_size(), 1);
    EXPECT_EQ(second.blocks(0).number(), number);
    newest.set_page_token(second.next_page_token());
  }
  EXPECT_EQ(second.next_page_token(), "");
  EXPECT_EQ(Blocks("", "x", &second).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Blocks("", "-1", &second).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Blocks("carol", "", &second).error_code(), grpc::NOT_FOUND);
}

TEST_F(Competitions, KeepPinnedDiceToThemselvesUntilTheyAreFinished) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  request.mutable_spec()->set_pinned(true);
  const v1::Competition made = Create(request);
  EXPECT_TRUE(made.spec().pinned());
  EXPECT_EQ(made.dice_commitment().size(), 32u);
  EXPECT_EQ(made.dice_seed(), "");
  ASSERT_TRUE(Start().ok());
  Watcher watcher(stub_.get());
  RawBot alice(&referee_, "alice", 2);
  RawBot bob(&referee_, "bob", 2);
  EXPECT_EQ(Get().dice_seed(), "");
  const std::string block_seed = PlayAll({&alice, &bob}, 2)[0][0].verdict().seed();
  watcher.HearOf(v1::COMPETITION_STATE_FINISHED);
  const v1::Competition finished = Get();
  EXPECT_EQ(finished.dice_commitment(), made.dice_commitment());
  const dice::Seed seed{dice::FromRaw(finished.dice_seed()).value()};
  EXPECT_EQ(dice::Raw(dice::Commit(seed)), made.dice_commitment());
  EXPECT_EQ(dice::Raw(dice::DerivedSeed(seed, "competition/0/0").bytes), block_seed);
}

TEST_F(Competitions, OfTiesCommitToTheirLotsAndTellThemWhenTheyAreFinished) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  EXPECT_EQ(Create(request).lot_commitment(), "") << "a round robin has no lots";
  request.mutable_spec()->set_name("cup");
  request.mutable_spec()->set_format(v1::COMPETITION_FORMAT_KNOCKOUT);
  const v1::Competition made = Create(request);
  EXPECT_EQ(made.spec().extra_blocks(), 4u) << "the default";
  EXPECT_EQ(made.lot_commitment().size(), 32u);
  EXPECT_EQ(made.lot_seed(), "");
  EXPECT_EQ(made.dice_commitment(), "") << "its dice are not pinned";
  v1::FinishCompetitionResponse finishing;
  ASSERT_TRUE(About<v1::FinishCompetitionRequest>("olga", &CompetitionStub::FinishCompetition,
                                                  &finishing, "cup")
                  .ok());
  const v1::Competition finished =
      Watcher(stub_.get(), "cup").HearOf(v1::COMPETITION_STATE_FINISHED).competition();
  EXPECT_EQ(finished.lot_commitment(), made.lot_commitment());
  const dice::Seed seed{dice::FromRaw(finished.lot_seed()).value()};
  EXPECT_EQ(dice::Raw(dice::Commit(seed)), made.lot_commitment());
  request.mutable_spec()->set_name("other cup");
  request.mutable_spec()->set_extra_blocks(0);
  const v1::Competition other = Create(request);
  EXPECT_NE(other.lot_commitment(), made.lot_commitment());
  EXPECT_TRUE(other.spec().has_extra_blocks());
  EXPECT_EQ(other.spec().extra_blocks(), 0u);
}

TEST_F(Competitions, WithPinnedDiceHaveNoTwoSeedsAlike) {
  v1::CreateCompetitionRequest request = RoundRobin("spring");
  request.mutable_spec()->set_pinned(true);
  const std::string first = Create(request).dice_commitment();
  request.mutable_spec()->set_name("summer");
  EXPECT_NE(Create(request).dice_commitment(), first);
}

TEST_F(Competitions, AreJoinedByBotsForThemselvesAndByOrganisersForAny) {
  Create(Ladder());
  EXPECT_TRUE(Join("alice", "").ok());
  EXPECT_TRUE(Join("bob", "bob").ok());
  EXPECT_EQ(Join("bob", "carol").error_code(), grpc::PERMISSION_DENIED);
  EXPECT_TRUE(Join("olga", "carol").ok());
  EXPECT_EQ(Join("olga", "").error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_FALSE(Join("olga", "nobody").ok());
  EXPECT_FALSE(Join("oscar", "alice").ok()) << "an observer observes";
  EXPECT_THAT(Get().spec().entrants(), ElementsAre("alice", "bob", "carol"));
  v1::LeaveCompetitionRequest leave;
  leave.set_name("spring");
  v1::LeaveCompetitionResponse left;
  EXPECT_TRUE(CallAs("alice", &CompetitionStub::LeaveCompetition, leave, &left).ok());
  leave.set_bot("carol");
  EXPECT_EQ(CallAs("bob", &CompetitionStub::LeaveCompetition, leave, &left).error_code(),
            grpc::PERMISSION_DENIED);
  v1::GetStandingsResponse table;
  ASSERT_TRUE(About<v1::GetStandingsRequest>("", &CompetitionStub::GetStandings, &table).ok());
  for (const v1::Standing& line : table.standings()) {
    EXPECT_EQ(!line.remark().empty(), line.bot() == "alice") << line.ShortDebugString();
  }
}

TEST_F(Competitions, SayInTheirStandingsWhoIsShutOutAndWhy) {
  Create(Ladder());
  EXPECT_TRUE(Join("alice", "").ok());
  EXPECT_TRUE(Join("bob", "").ok());
  v1::AddBanRequest ban;
  ban.set_account("alice");
  ban.set_reason("floods");
  v1::AddBanResponse banned;
  const auto admin = v1::AdminService::NewStub(referee_.NewChannel());
  ASSERT_TRUE(admin->AddBan(NewContext("olga").get(), ban, &banned).ok());
  v1::GetStandingsResponse table;
  ASSERT_TRUE(About<v1::GetStandingsRequest>("", &CompetitionStub::GetStandings, &table).ok());
  for (const v1::Standing& line : table.standings()) {
    EXPECT_EQ(line.remark(), line.bot() == "alice" ? "banned: floods" : "");
  }
}

TEST_F(Competitions, ThatAreLaddersHaveSeasonsAndVersionsOfTheirBots) {
  Create(Ladder());
  EXPECT_TRUE(Join("alice", "").ok());
  EXPECT_TRUE(Join("bob", "").ok());
  v1::BeginSeasonRequest season;
  season.set_name("spring");
  season.set_request_id("second");
  v1::BeginSeasonResponse begun;
  EXPECT_EQ(CallAs("olga", &CompetitionStub::BeginSeason, season, &begun).error_code(),
            grpc::FAILED_PRECONDITION)
      << "it is NEW";
  ASSERT_TRUE(Start().ok());
  EXPECT_EQ(CallAs("alice", &CompetitionStub::BeginSeason, season, &begun).error_code(),
            grpc::PERMISSION_DENIED);
  for (int i = 0; i < 2; ++i) {
    const grpc::Status status = CallAs("olga", &CompetitionStub::BeginSeason, season, &begun);
    ASSERT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(begun.competition().season(), 2u) << "the request was the same";
  }
  EXPECT_TRUE(begun.competition().has_season_start_time());
  EXPECT_THAT(begun.competition().spec().entrants(), ElementsAre("alice", "bob"));
  EXPECT_THAT(begun.competition().entrant_versions(), ElementsAre("", ""));
  v1::GetStandingsRequest request;
  request.set_name("spring");
  v1::GetStandingsResponse table;
  ASSERT_TRUE(CallAs("", &CompetitionStub::GetStandings, request, &table).ok());
  EXPECT_EQ(table.season(), 2u);
  EXPECT_EQ(table.standings_size(), 2);
  request.set_season(1);
  ASSERT_TRUE(CallAs("", &CompetitionStub::GetStandings, request, &table).ok());
  EXPECT_EQ(table.season(), 1u);
  EXPECT_EQ(table.standings(0).season(), 1u);
  request.set_season(4'000'000'000);
  const grpc::Status none = CallAs("", &CompetitionStub::GetStandings, request, &table);
  EXPECT_EQ(none.error_code(), grpc::NOT_FOUND);
  EXPECT_THAT(none.error_message(), HasSubstr("from 1 to 2"));
  v1::ListPairsRequest pairs;
  pairs.set_name("spring");
  pairs.set_season(1);
  v1::ListPairsResponse page;
  ASSERT_TRUE(CallAs("", &CompetitionStub::ListPairs, pairs, &page).ok());
  EXPECT_EQ(page.season(), 1u);
}

TEST_F(Competitions, OfOtherFormatsHaveNoSeasons) {
  Create(RoundRobin("spring"));
  ASSERT_TRUE(Start().ok());
  v1::BeginSeasonRequest season;
  season.set_name("spring");
  v1::BeginSeasonResponse begun;
  const grpc::Status refused = CallAs("olga", &CompetitionStub::BeginSeason, season, &begun);
  EXPECT_EQ(refused.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(),
              HasSubstr("competition 'spring': is a round-robin; only a ladder has seasons"));
  EXPECT_EQ(Get().season(), 0u);
  v1::GetStandingsRequest standings;
  standings.set_name("spring");
  standings.set_season(2);
  v1::GetStandingsResponse table;
  EXPECT_THAT(CallAs("", &CompetitionStub::GetStandings, standings, &table).error_message(),
              HasSubstr("only a ladder has seasons"));
  EXPECT_THAT(Join("olga", "alice").error_message(),
              HasSubstr("competition 'spring': is a round-robin"));
}

}  // namespace
}  // namespace referee::testing
