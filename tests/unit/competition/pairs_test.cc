// Tests of results by pair of bots, read page by page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/competition/standings.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::PairPage;
using competition::PairResult;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(PairResult, IsSeenFromTheSideOfEitherBot) {
  // Blocks in which the lower made 1/2, 1, 1 and 2 points; three matches were drawn.
  const store::PairTotal total{3, 5, {0, 1, 2, 0, 1}, 3};
  const PairResult low = competition::ResultOf(total, 3);
  EXPECT_EQ(low.bot, 3);
  EXPECT_EQ(low.opponent, 5);
  EXPECT_THAT(low.blocks, ElementsAre(0, 1, 2, 0, 1));
  EXPECT_EQ(low.wins, 3);
  EXPECT_EQ(low.draws, 3);
  EXPECT_EQ(low.losses, 2);
  const PairResult high = competition::ResultOf(total, 5);
  EXPECT_EQ(high.bot, 5);
  EXPECT_EQ(high.opponent, 3);
  EXPECT_THAT(high.blocks, ElementsAre(1, 0, 2, 1, 0));
  EXPECT_EQ(high.wins, 2);
  EXPECT_EQ(high.draws, 3);
  EXPECT_EQ(high.losses, 3);
}

std::vector<Player> Field() { return {{"ada"}, {"bea", 8, true}, {"cleo"}, {"dora", 8, true}}; }

// "ada-bea" and so on.
std::vector<std::string> NamesOf(const PairPage& page) {
  std::vector<std::string> names;
  for (const PairResult& pair : page.pairs) {
    names.push_back(absl::StrCat(page.entrants[pair.bot], "-", page.entrants[pair.opponent]));
  }
  return names;
}

class CompetitionPairs : public ::testing::Test {
 protected:
  void Play(schedule::Format format, int seats = 2) {
    contest_.Boot();
    contest_.Start(CompetitionFixture::SpecOf(format, {"ada", "bea", "cleo", "dora"}, seats));
    ASSERT_TRUE(contest_.RunToEnd());
  }
  PairPage Page(const std::string& bot, std::pair<int, int> from = {0, 0}, int limit = 100) {
    return contest_.competitions().Pairs("cup", bot, from, limit).value();
  }

  CompetitionFixture contest_{Field()};
};

TEST_F(CompetitionPairs, AddUpToWhatTheTableSaysOfEachBot) {
  Play(schedule::Format::kRoundRobin);
  const competition::StandingsView table = contest_.competitions().Standings("cup").value();
  ASSERT_THAT(table.standings, SizeIs(4));
  for (const competition::Standing& line : table.standings) {
    const PairPage page = Page(line.entrant.name);
    ASSERT_THAT(page.pairs, SizeIs(3));
    int64_t wins = 0;
    int64_t draws = 0;
    int64_t losses = 0;
    for (const PairResult& pair : page.pairs) {
      EXPECT_EQ(page.entrants[pair.bot], line.entrant.name);
      wins += pair.wins;
      draws += pair.draws;
      losses += pair.losses;
    }
    EXPECT_EQ(wins, line.entrant.tally.wins);
    EXPECT_EQ(draws, line.entrant.tally.draws);
    EXPECT_EQ(losses, line.entrant.tally.losses);
  }
}

TEST_F(CompetitionPairs, AreReadPageByPageEachOnce) {
  Play(schedule::Format::kRoundRobin);
  const PairPage first = Page("", {0, 0}, 4);
  EXPECT_THAT(NamesOf(first), ElementsAre("ada-bea", "ada-cleo", "ada-dora", "bea-cleo"));
  ASSERT_TRUE(first.next.has_value());
  const PairPage last = Page("", *first.next, 4);
  EXPECT_THAT(NamesOf(last), ElementsAre("bea-dora", "cleo-dora"));
  EXPECT_FALSE(last.next.has_value());
  const PairPage two = Page("cleo", {0, 0}, 2);
  EXPECT_THAT(NamesOf(two), ElementsAre("cleo-ada", "cleo-bea"));
  EXPECT_THAT(NamesOf(Page("cleo", two.next.value(), 2)), ElementsAre("cleo-dora"));
}

TEST_F(CompetitionPairs, AreThoseThatHaveMet) {
  Play(schedule::Format::kGauntlet);
  EXPECT_THAT(NamesOf(Page("")), ElementsAre("ada-bea", "ada-cleo", "ada-dora"));
  EXPECT_THAT(NamesOf(Page("dora")), ElementsAre("dora-ada"));
}

TEST_F(CompetitionPairs, ThereAreNoneBeforeABlockCounts) {
  contest_.Boot();
  contest_.Start(
      CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bea", "cleo", "dora"}));
  EXPECT_THAT(Page("").pairs, IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(contest_.competitions().Pairs("cup", "eva", {0, 0}, 9).status()));
  EXPECT_TRUE(absl::IsNotFound(contest_.competitions().Pairs("cap", "", {0, 0}, 9).status()));
}

TEST_F(CompetitionPairs, OfMoreSeatsAreNotKeptAndTheErrorSaysSo) {
  Play(schedule::Format::kRoundRobin, 3);
  const absl::Status refused = contest_.competitions().Pairs("cup", "", {0, 0}, 9).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(refused.message(), HasSubstr("'cup': its matches have 3 seats"));
}

}  // namespace
}  // namespace referee::testing
