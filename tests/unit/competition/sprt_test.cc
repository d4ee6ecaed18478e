// Tests of SPRT competitions: decisions, blocks still running at a decision, and priority for
// slots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/competition/rating_history.h"
#include "referee/rating/sprt.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::TestCursor;
using competition::TestPoint;
using competition::TestPointPage;
using rating::Hypothesis;
using store::BlockState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kReason[] = "the test was decided by blocks before it";

std::vector<Player> Pair(const std::string& prefix = "") {
  std::vector<Player> players(2);
  players[0].name = prefix + "new";
  players[1].name = prefix + "old";
  players[1].last_move = true;
  return players;
}

schedule::Spec TestOf(const std::string& prefix = "") {
  schedule::Spec spec =
      CompetitionFixture::SpecOf(schedule::Format::kTest, {prefix + "new", prefix + "old"});
  spec.sprt = rating::SprtTerms{-200, 200};
  return spec;
}

// The test, reckoned from the results of its PLAYED blocks alone, in order.
rating::Sprt Reckoned(const std::vector<store::Block>& blocks, const rating::SprtTerms& terms) {
  rating::Sprt sprt(terms);
  for (const store::Block& block : blocks) {
    if (block.state != BlockState::kPlayed) continue;
    EXPECT_EQ(sprt.accepted(), Hypothesis::kNone) << "block " << block.number << " counts";
    sprt.Add(rating::HalfPoints(store::OutcomeOf(block), 0));
  }
  return sprt;
}

bool HasResults(const store::Block& block) {
  return !block.matches.empty() && !block.matches.front().verdict.ranks.empty();
}

// What must be so of every test that is decided and finished.
void ExpectDecidedInOrder(CompetitionFixture* contest, absl::string_view name = "cup") {
  const store::Competition row = contest->Row(name);
  const std::vector<store::Block> blocks = contest->blocks(name);
  const rating::Sprt sprt = Reckoned(blocks, *row.spec.sprt);
  EXPECT_NE(sprt.accepted(), Hypothesis::kNone);
  EXPECT_EQ(row.counted, row.next_block);
  bool decided = false;
  rating::Sprt so_far(*row.spec.sprt);
  for (const store::Block& block : blocks) {
    if (decided) {
      EXPECT_EQ(block.state, BlockState::kDropped) << block.number;
      EXPECT_EQ(block.reason, kReason);
      continue;
    }
    ASSERT_EQ(block.state, BlockState::kPlayed) << block.number;
    so_far.Add(rating::HalfPoints(store::OutcomeOf(block), 0));
    decided = so_far.accepted() != Hypothesis::kNone;
  }
  const auto view = contest->competitions().Get(name);
  ASSERT_TRUE(view.ok() && view->test.has_value());
  EXPECT_EQ(view->test->sprt.accepted(), sprt.accepted());
  EXPECT_EQ(view->test->sprt.counts().counts(), sprt.counts().counts());
  EXPECT_EQ(view->blocks_left, 0);
}

TEST(CompetitionTest, EndsByTheBlocksThatCountAndStopsTheOthers) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  // Two blocks at a time, of which one is always ahead of the other.
  contest.host().SetMaxRunning(2);
  contest.player("new").thinks = absl::Milliseconds(50);
  contest.Start(TestOf());
  ASSERT_TRUE(contest.RunUntil([&] { return contest.host().running() == 2; }));
  contest.RunFor(absl::Milliseconds(100));
  contest.host().SetMaxRunning(4);
  contest.competitions().Wake();
  ASSERT_TRUE(contest.RunToEnd());
  ExpectDecidedInOrder(&contest);
  EXPECT_EQ(contest.host().running(), 0);
  EXPECT_THAT(contest.log(), ::testing::Contains(HasSubstr("it is decided by block ")));
  const store::Block last = contest.blocks().back();
  ASSERT_EQ(last.state, BlockState::kDropped) << "it was played when the test was decided";
  EXPECT_FALSE(HasResults(last));
  ASSERT_THAT(last.attempts, SizeIs(1));
  EXPECT_EQ(last.attempts[0].ending, match::Ending::kCancelled);
}

TEST(CompetitionTest, WhatWasPlayedAheadOfASlowBlockKeepsItsResultsAndDoesNotCount) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  // The first block thinks once while all the others are played.
  contest.host().SetMaxRunning(2);
  contest.player("new").thinks = absl::Milliseconds(450);
  schedule::Spec spec = TestOf();
  spec.rounds = 60;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunUntil([&] { return contest.host().running() == 2; }));
  contest.RunFor(absl::Milliseconds(50));
  contest.player("new").thinks = absl::ZeroDuration();
  contest.host().SetMaxRunning(100);
  contest.competitions().Wake();
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().next_block == 60; }));
  EXPECT_EQ(contest.Row().counted, 0);
  ASSERT_TRUE(contest.RunToEnd());
  ExpectDecidedInOrder(&contest);
  const std::vector<store::Block> blocks = contest.blocks();
  ASSERT_THAT(blocks, SizeIs(60));
  EXPECT_TRUE(HasResults(blocks.back()));
  EXPECT_LT(contest.EntrantOf("new").tally.blocks, 30);
}

TEST(CompetitionTest, TalliesAndStandingsHaveOnlyWhatCounts) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(TestOf());
  ASSERT_TRUE(contest.RunToEnd());
  const auto test = contest.competitions().Get("cup")->test;
  EXPECT_EQ(test->bot, "new");
  EXPECT_EQ(test->against, "old");
  EXPECT_EQ(contest.EntrantOf("new").tally.blocks, test->sprt.counts().blocks());
  const auto table = contest.competitions().Standings("cup");
  ASSERT_TRUE(table.ok());
  ASSERT_THAT(table->standings, SizeIs(2));
  EXPECT_EQ(table->standings[0].points + table->standings[1].points,
            2.0 * static_cast<double>(test->sprt.counts().blocks()));
}

TEST(CompetitionTest, ThatMayPlaySoManyBlocksEndsUndecided) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  schedule::Spec spec = TestOf();
  spec.rounds = 2;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_THAT(contest.blocks(), SizeIs(2));
  EXPECT_EQ(contest.competitions().Get("cup")->test->sprt.accepted(), Hypothesis::kNone);
}

TEST(CompetitionTest, ThatIsStoppedPlaysToTheEndWhatHasBegun) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  schedule::Spec spec = TestOf();
  spec.sprt = rating::SprtTerms{-1, 1};
  contest.Start(spec);
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted > 3; }));
  ASSERT_TRUE(contest.competitions().Finish("cup", "local").ok());
  ASSERT_TRUE(contest.RunToEnd());
  for (const store::Block& block : contest.blocks()) EXPECT_EQ(block.state, BlockState::kPlayed);
}

TEST(CompetitionTest, ThatABotLeavesEndsWithWhatWasCounted) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  schedule::Spec spec = TestOf();
  spec.sprt = rating::SprtTerms{-1, 1};
  contest.Start(spec);
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted > 3; }));
  ASSERT_TRUE(contest.competitions().Leave("cup", "old", "local").ok());
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_GT(contest.competitions().Get("cup")->test->sprt.counts().blocks(), 3);
}

TEST(CompetitionTest, ThatIsPausedIsDecidedByWhatIsStillPlayed) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(TestOf());
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().next_block >= 4; }));
  while (contest.state() != store::CompetitionState::kFinished) {
    ASSERT_TRUE(contest.RunUntil([&] {
      return contest.state() == store::CompetitionState::kFinished ||
             contest.Row().counted == contest.Row().next_block;
    }));
    if (contest.state() == store::CompetitionState::kPaused) {
      ASSERT_TRUE(contest.competitions().Resume("cup", "local").ok());
    }
    const int64_t begun = contest.Row().next_block;
    contest.RunUntil([&] {
      return contest.state() == store::CompetitionState::kFinished ||
             contest.Row().next_block > begun;
    });
    static_cast<void>(contest.competitions().Pause("cup", "local"));
  }
  ExpectDecidedInOrder(&contest);
}

TEST(CompetitionTest, KilledBeforeAnyWriteIsDecidedAllTheSame) {
  for (int64_t kill = 1;; kill += 7) {
    CompetitionFixture contest(Pair());
    contest.frost().freezes_before = kill;
    contest.Boot();
    if (!contest.frost().frozen()) contest.Start(TestOf());
    if (contest.RunToEnd()) {
      EXPECT_GT(kill, 20) << "the test is too short for this";
      break;
    }
    contest.Kill();
    contest.frost().freezes_before = -1;
    contest.Boot();
    if (!contest.store().FindCompetition("cup").ok() ||
        contest.state() == store::CompetitionState::kNew) {
      contest.Start(TestOf());
    }
    ASSERT_TRUE(contest.RunToEnd()) << "killed before write " << kill;
    const store::Competition row = contest.Row();
    const rating::Sprt sprt = Reckoned(contest.blocks(), *row.spec.sprt);
    EXPECT_NE(sprt.accepted(), Hypothesis::kNone) << kill;
    EXPECT_EQ(contest.competitions().Get("cup")->test->sprt.counts().counts(),
              sprt.counts().counts())
        << kill;
    EXPECT_EQ(row.counted, row.next_block);
  }
}

// --- Its points ---

std::vector<TestPoint> PointsOf(CompetitionFixture* contest, int64_t every, int limit) {
  std::vector<TestPoint> points;
  TestCursor from;
  for (;;) {
    absl::StatusOr<TestPointPage> page =
        contest->competitions().TestPoints("cup", from, every, limit);
    EXPECT_TRUE(page.ok()) << page.status();
    if (!page.ok()) return points;
    EXPECT_LE(page->points.size(), static_cast<size_t>(limit) + 1);
    points.insert(points.end(), page->points.begin(), page->points.end());
    if (!page->next.has_value()) return points;
    from = *page->next;
  }
}

TEST(CompetitionTestPoints, AreTheRatiosAfterEachBlockWhateverThePages) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  schedule::Spec spec = TestOf();
  spec.sprt = rating::SprtTerms{-1, 1};
  spec.rounds = 20;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  rating::Sprt sprt(*contest.Row().spec.sprt);
  std::vector<double> ratios;
  for (const store::Block& block : contest.blocks()) {
    sprt.Add(rating::HalfPoints(store::OutcomeOf(block), 0));
    ratios.push_back(sprt.log_likelihood_ratio());
  }
  for (const int limit : {1, 3, 1000}) {
    const std::vector<TestPoint> points = PointsOf(&contest, 1, limit);
    ASSERT_EQ(points.size(), ratios.size()) << limit;
    for (size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].block, static_cast<int64_t>(i));
      EXPECT_DOUBLE_EQ(points[i].log_likelihood_ratio, ratios[i]);
    }
    const std::vector<TestPoint> some = PointsOf(&contest, 7, limit);
    ASSERT_EQ(some.size(), 3u) << limit;
    EXPECT_THAT((std::vector<int64_t>{some[0].block, some[1].block, some[2].block}),
                ElementsAre(6, 13, 19));
    EXPECT_DOUBLE_EQ(some[2].log_likelihood_ratio, ratios[19]);
  }
}

TEST(CompetitionTestPoints, OfAnotherFormatAreRefused) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"new", "old"}));
  EXPECT_TRUE(absl::IsFailedPrecondition(
      contest.competitions().TestPoints("cup", TestCursor(), 1, 10).status()));
}

// --- Who goes first ---

// Two tests between four bots, on a referee with room for one block.
struct Queue {
  Queue() : contest(Bots()) {
    contest.Boot();
    contest.host().SetMaxRunning(2);
  }

  static std::vector<Player> Bots() {
    std::vector<Player> players = Pair("a-");
    for (const Player& player : Pair("b-")) players.push_back(player);
    return players;
  }

  void Add(const std::string& prefix, int priority) {
    schedule::Spec spec = TestOf(prefix);
    spec.name = prefix;
    spec.sprt = rating::SprtTerms{-1, 1};
    spec.priority = priority;
    ASSERT_TRUE(contest.competitions().Create(spec, "", "local").ok());
    ASSERT_TRUE(contest.competitions().Start(prefix, "local").ok());
  }

  int64_t begun(const std::string& prefix) { return contest.Row(prefix).next_block; }
  bool RunUntilBegun(const std::string& prefix, int64_t blocks) {
    return contest.RunUntil([&] { return begun(prefix) >= blocks; });
  }

  CompetitionFixture contest;
};

TEST(CompetitionPriority, TheOlderTestGoesFirstAmongThoseThatAreLevel) {
  Queue queue;
  queue.Add("a-", 0);
  queue.Add("b-", 0);
  ASSERT_TRUE(queue.RunUntilBegun("a-", 10));
  EXPECT_EQ(queue.begun("b-"), 0);
}

TEST(CompetitionPriority, TheYoungerTestGoesFirstIfItsPriorityIsHigher) {
  Queue queue;
  queue.Add("a-", 0);
  queue.Add("b-", 5);
  ASSERT_TRUE(queue.RunUntilBegun("b-", 10));
  EXPECT_LE(queue.begun("a-"), 1);
}

TEST(CompetitionPriority, MayBeChangedWhileTheyGoOn) {
  Queue queue;
  queue.Add("a-", 0);
  queue.Add("b-", 0);
  ASSERT_TRUE(queue.RunUntilBegun("a-", 5));
  const auto set = [&](int priority) {
    const auto change = [priority](schedule::Spec* spec) {
      spec->priority = priority;
      return absl::OkStatus();
    };
    return queue.contest.competitions().Update("b-", change, "local").ok();
  };
  ASSERT_TRUE(set(1));
  const int64_t begun = queue.begun("a-");
  ASSERT_TRUE(queue.RunUntilBegun("b-", 10));
  EXPECT_LE(queue.begun("a-"), begun + 1);
  EXPECT_EQ(queue.contest.Row("b-").spec.priority, 1);
  EXPECT_FALSE(set(1001));
}

TEST(CompetitionPriority, WhatTheFirstCannotUseIsForTheNext) {
  Queue queue;
  queue.Add("a-", 5);
  queue.Add("b-", 0);
  queue.contest.Disconnect("a-new");
  EXPECT_TRUE(queue.RunUntilBegun("b-", 10));
}

}  // namespace
}  // namespace referee::testing
