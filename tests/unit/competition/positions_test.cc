// Tests of blocks with start positions: all matches and attempts of a block share one position.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "referee/competition/terms.h"
#include "referee/games/options.h"
#include "referee/replay/archive.h"
#include "referee/schedule/positions.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const kPositions[] = {"36/24/12 1111,1111 - 0,0 - b -",
                                  "36/24/12 1111,1111 - 1,-1 - a -",
                                  "3a28B3/2b21/12 0110,0000 b -1,1 - a -"};

schedule::Spec CupFromPositions() {
  schedule::Spec spec =
      CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob", "cyd"});
  spec.rounds = 3;
  spec.positions.assign(std::begin(kPositions), std::end(kPositions));
  return spec;
}

CompetitionFixture Contest() {
  std::vector<Player> players(3);
  players[0].name = "ada";
  players[1].name = "bob";
  players[2].name = "cyd";
  return CompetitionFixture(players);
}

// Where a match started.
std::string StartOf(const std::string& data_dir, const MatchId& match) {
  const replay::Replay replay =
      replay::Parse(replay::Archive(data_dir).Read(match).value()).value();
  return games::StartOf(*replay.setup.game);
}

// All matches of all attempts at a block started from its position. Returns how many attempts there
// were that came to nothing.
int ExpectPositions(CompetitionFixture* contest) {
  int failed = 0;
  for (const store::Block& block : contest->blocks()) {
    const std::string position = kPositions[schedule::PositionOf(block.number, 3)];
    for (const store::BlockMatch& match : block.matches) {
      EXPECT_EQ(StartOf(contest->data_dir(), match.id), position) << "block " << block.number;
    }
    for (const store::Attempt& attempt : block.attempts) {
      ++failed;
      for (const store::BlockMatch& match : attempt.matches) {
        if (!match.recorded) continue;
        EXPECT_EQ(StartOf(contest->data_dir(), match.id), position) << "block " << block.number;
      }
    }
  }
  return failed;
}

TEST(CompetitionPositions, AllMatchesOfABlockStartFromItsOwn) {
  CompetitionFixture contest = Contest();
  contest.Boot();
  contest.Start(CupFromPositions());
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.blocks().size(), 9u);
  ExpectPositions(&contest);
  std::map<std::string, int> starts;
  for (const store::Block& block : contest.blocks()) {
    ++starts[StartOf(contest.data_dir(), block.matches[0].id)];
  }
  for (const auto& [position, blocks] : starts) EXPECT_EQ(blocks, 3) << position;
}

TEST(CompetitionPositions, StayWithTheirBlocksWhenTheRefereeStartsAgain) {
  int failed = 0;
  for (const int64_t kill : {20, 35, 50}) {
    CompetitionFixture contest = Contest();
    contest.Boot();
    contest.frost().writes = 0;
    contest.frost().freezes_before = kill;
    schedule::Spec spec = CupFromPositions();
    spec.max_running = 1;
    contest.Start(spec);
    contest.RunToEnd();
    ASSERT_TRUE(contest.frost().frozen()) << "before write " << kill;
    contest.Kill();
    contest.frost().writes = 0;
    contest.frost().freezes_before = -1;
    contest.Boot();
    ASSERT_TRUE(contest.RunToEnd());
    failed += ExpectPositions(&contest);
  }
  EXPECT_GT(failed, 0) << "no block was played again";
}

TEST(CompetitionPositions, AreThoseOfTheBlockInEachAttempt) {
  schedule::Spec spec = CupFromPositions();
  ASSERT_EQ(competition::Settle(&spec), absl::OkStatus());
  const competition::CompetitionTerms terms = competition::ReadTerms(spec).value();
  store::Competition cup;
  cup.spec = spec;
  for (int64_t number = 0; number < 9; ++number) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      store::Block block;
      block.number = number;
      block.attempt = attempt;
      block.pairing.bots = {0, 1};
      const auto request = competition::BlockRequestFor(cup, terms, block);
      ASSERT_TRUE(request.ok()) << request.status();
      EXPECT_EQ(games::StartOf(*request->match.game), kPositions[schedule::PositionOf(number, 3)]);
      EXPECT_THAT(request->match.game->source(),
                  ::testing::Contains(games::Option{"turn_limit", "6"}));
    }
  }
}

TEST(CompetitionPositions, AreShownWhenACompetitionIsAskedForAndCountedElsewhere) {
  CompetitionFixture contest = Contest();
  contest.Boot();
  contest.Start(CupFromPositions());
  const auto got = contest.competitions().Get("cup");
  EXPECT_THAT(got->competition.spec.positions,
              ElementsAre(kPositions[0], kPositions[1], kPositions[2]));
  const auto table = contest.competitions().Standings("cup");
  EXPECT_THAT(table->view.competition.spec.positions, IsEmpty());
  EXPECT_EQ(table->view.competition.position_count, 3);
}

std::string WhyNot(schedule::Spec spec) {
  return std::string(competition::Settle(&spec).message());
}

TEST(CompetitionPositions, AreTriedWhenTheCompetitionIsMade) {
  schedule::Spec spec = CupFromPositions();
  spec.positions[1] = "36/24/12 1111,1111 - 0,0 - a 54";
  ASSERT_EQ(competition::Settle(&spec), absl::OkStatus());
  EXPECT_EQ(spec.positions[1], "36/24/12 1111,1111 - 0,0 - a -") << "its dice are rolled";
  spec.positions[1] = "36/24/12 1111,1111 - 0,0 - c -";
  EXPECT_THAT(WhyNot(spec), HasSubstr("positions[1]: position: turn (byte 27): expected the seat"));
  spec = CupFromPositions();
  spec.options.emplace_back("position", kPositions[0]);
  EXPECT_EQ(WhyNot(spec),
            "positions: all matches start from the one that the option 'position' says; leave that "
            "option out, or the positions");
}

}  // namespace
}  // namespace referee::testing
