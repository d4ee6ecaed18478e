// Tests that rating histories end with the rating in the table, through versions and seasons.
#include "referee/competition/rating_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "referee/rating/fit.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::RatingHistory;
using competition::RatingPage;
using competition::RatingPoint;
using ::testing::IsEmpty;
using ::testing::Le;

rating::BlockOutcome WonBy(int winner, int loser) { return {{{winner, loser}}, {{1, 2}, {1, 2}}}; }

TEST(RatingHistory, HasFewPointsAndTheLastIsThatOfTheTable) {
  RatingHistory history;
  for (int64_t i = 0; i < 10'000; ++i) history.Add(i % 3 == 0 ? WonBy(1, 0) : WonBy(0, 1));
  const std::vector<rating::Strength> now = {{0, 70, 3}, {1, -70, 3}};
  const std::vector<RatingPoint> points = history.Of(0, now);
  EXPECT_THAT(points.size(), Le(100u));
  EXPECT_EQ(points.back().blocks, 10'000);
  EXPECT_EQ(points.back().elo, 70);
  EXPECT_EQ(points.back().error, 3);
  for (size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i - 1].blocks, points[i].blocks);
  EXPECT_THAT(history.Of(2, now), IsEmpty());
  EXPECT_THAT(history.Of(7, now), IsEmpty());
}

TEST(RatingHistory, IsTheFitOfWhatCountedByThen) {
  RatingHistory history;
  rating::Evidence evidence;
  for (int i = 0; i < 4; ++i) {
    history.Add(WonBy(i % 2, 2));
    if (i < 3) evidence.Add(WonBy(i % 2, 2));
  }
  const std::vector<rating::Strength> then = rating::Fit(evidence);
  for (const rating::Strength& strength : then) {
    const std::vector<RatingPoint> points = history.Of(strength.bot, {});
    const auto third = std::find_if(points.begin(), points.end(),
                                    [](const RatingPoint& point) { return point.blocks == 3; });
    ASSERT_NE(third, points.end());
    EXPECT_EQ(third->elo, strength.elo);
    EXPECT_EQ(third->error, strength.error);
  }
}

// A ladder of three.
class RatingsShown : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"ada", "bea", "cleo"}) {
      store::Account account;
      account.name = name;
      account.token_hash[0] = static_cast<uint8_t>(name[0]);
      ASSERT_TRUE(contest_.store().AddAccount(account, {}).ok());
    }
    contest_.Boot();
    schedule::Spec spec =
        CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bea", "cleo"});
    spec.max_running = 2;
    contest_.Start(spec);
    Go(12);
  }
  void Go(int64_t blocks) {
    const int64_t to = contest_.Row().counted + blocks;
    ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted >= to; }));
  }
  RatingPage Page(const std::string& bot = "", int from = 0, int limit = 100, int season = 0) {
    return contest_.competitions().Ratings("cup", bot, from, limit, season).value();
  }
  // The chart ends with what the table says.
  void ExpectAsInTheTable(int season) {
    std::map<std::pair<std::string, std::string>, competition::Standing> table;
    const auto view = contest_.competitions().Standings("cup", season);
    for (const competition::Standing& line : view->standings) {
      if (line.entrant.tally.blocks > 0) table[{line.entrant.name, line.entrant.version}] = line;
    }
    size_t drawn = 0;
    for (const RatingPage::History& history : Page("", 0, 100, season).histories) {
      if (history.points.empty()) continue;
      ++drawn;
      const competition::Standing& expected = table.at({history.bot, history.version});
      EXPECT_EQ(history.points.back().elo, expected.elo) << history.bot;
      EXPECT_EQ(history.points.back().error, expected.elo_error) << history.bot;
      EXPECT_GT(history.points.size(), 1u) << history.bot;
    }
    EXPECT_EQ(drawn, table.size());
  }

  CompetitionFixture contest_{{{"ada", 8, true}, {"bea"}, {"cleo"}}};
};

TEST_F(RatingsShown, GoOnForACallerWhoseRowAnotherHasOvertaken) {
  competition::RatingHistories histories(&contest_.store());
  const store::Competition older = contest_.Row();
  Go(12);
  const store::Competition newer = contest_.Row();
  competition::SeasonStrengths now;
  now.of_season = {true, true, true};
  now.strengths = {{0, 70, 3}, {1, 0, 3}, {2, -70, 3}};
  const int64_t blocks = (*histories.Of(newer, {0}, now))[0].back().blocks;
  EXPECT_EQ((*histories.Of(older, {0}, now))[0].back().blocks, blocks);
}

TEST_F(RatingsShown, EndWithTheTableThroughVersionsAndSeasons) {
  ExpectAsInTheTable(1);
  ASSERT_TRUE(contest_.store()
                  .SetVersion("ada", "2.0", contest_.clock().WallNow(),
                              store::VersionSource::kOrganiser, {})
                  .ok());
  contest_.competitions().VersionChanged("ada");
  Go(12);
  ExpectAsInTheTable(1);
  ASSERT_TRUE(contest_.competitions().BeginSeason("cup", "", "olga").ok());
  Go(12);
  ExpectAsInTheTable(2);
  ExpectAsInTheTable(1);
  contest_.Kill();
  contest_.Boot();
  ExpectAsInTheTable(2);
}

TEST_F(RatingsShown, AreToldInPagesOfEntrantsAndOfOneBot) {
  const RatingPage first = Page("", 0, 2);
  ASSERT_EQ(first.histories.size(), 2u);
  ASSERT_TRUE(first.next.has_value());
  const RatingPage second = Page("", *first.next, 2);
  ASSERT_EQ(second.histories.size(), 1u);
  EXPECT_EQ(second.histories[0].bot, "cleo");
  EXPECT_FALSE(second.next.has_value());
  ASSERT_EQ(Page("bea").histories.size(), 1u);
  EXPECT_EQ(Page("bea").histories[0].bot, "bea");
  const auto& competitions = contest_.competitions();
  EXPECT_EQ(competitions.Ratings("cup", "dora", 0, 10).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(competitions.Ratings("cup", "", 0, 10, 2).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(competitions.Ratings("mug", "", 0, 10).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace referee::testing
