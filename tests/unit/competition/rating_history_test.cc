// How ratings went: what it ends with is what was counted, through versions and seasons.
#include "referee/competition/rating_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::RatingHistory;
using competition::RatingPage;
using competition::RatingPoint;
using ::testing::IsEmpty;
using ::testing::Le;

rating::BlockOutcome WonBy(int winner, int loser) { return {{{winner, loser}}, {{1, 2}, {1, 2}}}; }

TEST(RatingHistory, HasBoundedPointsAndTheLastAlways) {
  const std::vector<store::Entrant> entrants(3);
  RatingHistory history;
  for (int64_t i = 0; i < 1001; ++i) history.Add(i, WonBy(0, 1), entrants);
  const std::vector<RatingPoint> points = history.Of(0);
  EXPECT_THAT(points.size(), Le(RatingHistory::kMostPoints));
  EXPECT_EQ(points.back().blocks, 1001);
  for (size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i - 1].blocks, points[i].blocks);
  EXPECT_THAT(history.Of(2), IsEmpty());
  EXPECT_THAT(history.Of(7), IsEmpty());
}

TEST(RatingHistory, OfASuccessorBeginsFromItsPredecessorAsItWasThen) {
  std::vector<store::Entrant> entrants(3);
  entrants[2].predecessor = 0;
  entrants[2].rated_from = 5;
  RatingHistory history;
  for (int64_t i = 0; i < 5; ++i) history.Add(i, WonBy(0, 1), entrants);
  const rating::Rating first = history.Of(0).back().rating;
  const rating::Rating other = history.Of(1).back().rating;
  history.Add(5, WonBy(0, 1), entrants);  // a block that had begun before
  history.Add(6, WonBy(2, 1), entrants);
  const std::vector<rating::Rating> expected = rating::Update(
      {rating::Succeed(first), rating::Update({first, other}, WonBy(0, 1))[1]}, WonBy(2, 1));
  ASSERT_EQ(history.Of(2).size(), 1u);
  EXPECT_DOUBLE_EQ(history.Of(2)[0].rating.mu, expected[0].mu);
  EXPECT_DOUBLE_EQ(history.Of(2)[0].rating.sigma, expected[0].sigma);
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
  // Each history of the season ends with what the store has counted.
  void ExpectAsCounted(int season) {
    std::map<std::pair<std::string, std::string>, rating::Rating> counted;
    const std::vector<store::Entrant> entrants =
        contest_.store().ReadEntrants(contest_.Row().id).value();
    for (const store::Entrant& entrant : entrants) {
      if (entrant.season != season || entrant.tally.blocks == 0) continue;
      counted[{entrant.name, entrant.version}] = entrant.tally.rating;
    }
    size_t played = 0;
    const RatingPage page = Page("", 0, 100, season);
    for (const RatingPage::History& history : page.histories) {
      if (history.points.empty()) continue;
      ++played;
      const rating::Rating& expected = counted.at({history.bot, history.version});
      EXPECT_NEAR(history.points.back().rating.mu, expected.mu, 1e-9) << history.bot;
      EXPECT_NEAR(history.points.back().rating.sigma, expected.sigma, 1e-9) << history.bot;
    }
    EXPECT_EQ(played, counted.size());
  }

  CompetitionFixture contest_{{{"ada", 8, true}, {"bea"}, {"cleo"}}};
};

TEST_F(RatingsShown, EndWithWhatWasCountedThroughVersionsAndSeasons) {
  ExpectAsCounted(1);
  ASSERT_TRUE(contest_.store()
                  .SetVersion("ada", "2.0", contest_.clock().WallNow(),
                              store::VersionSource::kOrganiser, {})
                  .ok());
  contest_.competitions().VersionChanged("ada");
  Go(12);
  ExpectAsCounted(1);
  ASSERT_TRUE(contest_.competitions().BeginSeason("cup", "", "olga").ok());
  Go(12);
  ExpectAsCounted(2);
  ExpectAsCounted(1);
  contest_.Kill();
  contest_.Boot();
  ExpectAsCounted(2);
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
