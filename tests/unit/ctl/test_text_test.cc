#include "referee/ctl/test/text.h"

#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Competition TestOf(const std::string& name, int priority = 0,
                       v1::CompetitionState state = v1::COMPETITION_STATE_RUNNING) {
  v1::Competition test;
  test.mutable_spec()->set_name(name);
  test.mutable_spec()->set_format(v1::COMPETITION_FORMAT_TEST);
  test.mutable_spec()->set_priority(priority);
  v1::SprtTerms& terms = *test.mutable_spec()->mutable_sprt();
  terms.set_elo1(10);
  terms.set_alpha(0.05);
  terms.set_beta(0.05);
  terms.set_scale(v1::ELO_SCALE_LOGISTIC);
  test.set_state(state);
  v1::TestProgress& progress = *test.mutable_test();
  progress.set_bot("new");
  progress.set_against("old");
  progress.set_log_likelihood_ratio(1.234);
  progress.set_lower_bound(-2.944);
  progress.set_upper_bound(2.944);
  for (const int blocks : {10, 20, 40, 30, 12}) progress.add_blocks_by_half_points(blocks);
  progress.set_draws(38);
  progress.set_decision(v1::TEST_DECISION_NONE);
  progress.mutable_estimate()->set_elo(12.34);
  progress.mutable_estimate()->set_elo_low(-3);
  progress.mutable_estimate()->set_elo_high(27.06);
  progress.mutable_estimate()->set_superiority(0.937);
  test.set_blocks_counted(112);
  test.set_blocks_running(8);
  return test;
}

std::vector<v1::TestPoint> Points(const std::vector<double>& ratios) {
  std::vector<v1::TestPoint> points;
  for (size_t i = 0; i < ratios.size(); ++i) {
    v1::TestPoint& point = points.emplace_back();
    point.set_block(i);
    for (int k = 0; k < 5; ++k) point.add_blocks_by_half_points(k == 2 ? i + 1 : 0);
    point.set_log_likelihood_ratio(ratios[i]);
  }
  return points;
}

TEST(TestText, SaysHowFarATestIs) {
  EXPECT_EQ(TestText(TestOf("new-vs-old", 5)),
            "test new-vs-old: new against old, priority 5\n"
            "state running, 112 blocks counted, 8 running\n"
            "SPRT elo0=0,elo1=10,alpha=0.05,beta=0.05: LLR 1.23 (-2.94 to 2.94), not decided\n"
            "Elo +12.3, 95 % from -3.0 to +27.1, corrected for the stopping of the test; "
            "likelihood of superiority 93.7 %\n"
            "matches 224: won 100, drawn 38, lost 86\n"
            "blocks of two matches with 0, 1/2, 1, 1 1/2, 2 points for new: 10, 20, 40, 30, 12\n");
}

TEST(TestText, SaysFromHowManyPositionsBlocksStart) {
  v1::Competition test;
  test.set_position_count(12);
  EXPECT_THAT(TestText(test), ::testing::HasSubstr("\nblocks start from 12 positions"));
}

TEST(TestText, SaysWhatWasDecidedAndWhatIsNotInIt) {
  v1::Competition test = TestOf("new-vs-old", 0, v1::COMPETITION_STATE_FINISHED);
  test.mutable_test()->set_decision(v1::TEST_DECISION_H1);
  test.set_blocks_counted(120);
  EXPECT_THAT(TestText(test), HasSubstr("H1 accepted: new is 10 Elo above old rather than 0\n"));
  EXPECT_THAT(TestText(test),
              HasSubstr("8 of the blocks are not in it: they were void, or dropped, "
                        "or came after its decision\n"));
  test.mutable_test()->set_decision(v1::TEST_DECISION_NONE);
  EXPECT_THAT(TestText(test), HasSubstr(", ended before it was decided\n"));
}

TEST(TestText, SaysWhoIsOutAndWhy) {
  v1::Competition test = TestOf("new-vs-old", 0, v1::COMPETITION_STATE_FINISHED);
  test.mutable_test()->add_out("'new' was set aside: did not answer in 3 matches in a row");
  EXPECT_THAT(TestText(test),
              HasSubstr("\n'new' was set aside: did not answer in 3 matches in a row\n"));
}

TEST(TestText, ClaimsNoStrengthBeforeABlockCounts) {
  v1::Competition test = TestOf("new-vs-old");
  test.mutable_test()->clear_estimate();
  EXPECT_THAT(TestText(test), Not(HasSubstr("Elo")));
}

TEST(TestText, ShowsOneBoundOfAnIntervalThatIsTooWideAndNoNumber) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  v1::Competition test = TestOf("new-vs-old");
  v1::TestEstimate& estimate = *test.mutable_test()->mutable_estimate();
  estimate.set_elo(-kInfinity);
  estimate.set_elo_low(-kInfinity);
  estimate.set_elo_high(290.5);
  EXPECT_THAT(TestText(test), HasSubstr("\nElo at most +290.5 (95 %), corrected"));
  EXPECT_THAT(Printed(TestsTable(), std::vector<v1::Competition>{test}, Form::kTable),
              HasSubstr("    -  at most +290.5  8 running"));
  estimate.set_elo(10);
  estimate.set_elo_low(-300);
  EXPECT_THAT(TestText(test), HasSubstr("\nElo +10.0, 95 % from -300.0 to +290.5, corrected"));
  estimate.set_elo_low(-310);
  EXPECT_THAT(TestText(test), HasSubstr("\nElo at least -310.0 (95 %), corrected"));
  estimate.set_elo_low(-kInfinity);
  estimate.set_elo_high(kInfinity);
  EXPECT_THAT(TestText(test), HasSubstr("\nElo not known yet, corrected"));
}

TEST(TestText, ListsTheQueueByPriorityThenAgeThenWhatIsFinished) {
  v1::Competition done = TestOf("done", 9, v1::COMPETITION_STATE_FINISHED);
  done.mutable_test()->set_decision(v1::TEST_DECISION_H0);
  v1::Competition waits = TestOf("waits");
  waits.set_blocks_running(0);
  waits.set_waits_for("'new' is not connected");
  waits.mutable_test()->clear_estimate();
  // As a referee lists them: newest first.
  std::vector<v1::Competition> tests = {waits, TestOf("urgent", 5), done, TestOf("oldest")};
  SortAsQueue(&tests);
  EXPECT_EQ(
      Printed(TestsTable(), tests, Form::kTable),
      "test    state     priority                   LLR  blocks    Elo  95 %           outcome\n"
      "urgent  running          5  1.23 (-2.94 to 2.94)     112  +12.3  -3.0 to +27.1  8 running\n"
      "oldest  running          0  1.23 (-2.94 to 2.94)     112  +12.3  -3.0 to +27.1  8 running\n"
      "waits   running          0  1.23 (-2.94 to 2.94)     112      -  -              0 running; "
      "waits: 'new' is not connected\n"
      "done    finished         9  1.23 (-2.94 to 2.94)     112  +12.3  -3.0 to +27.1  H0 "
      "accepted\n");
}

TEST(TestText, DrawsTheRatioBetweenItsBounds) {
  EXPECT_EQ(TestChart(TestOf("new-vs-old"), Points({0, 0.5, 1, 0.2, -0.4, -1, 0, 1.2, 2, 2.9}), 20),
            "new-vs-old: LLR 1.23 (-2.94 to 2.94) over 112 blocks, not decided\n"
            "   2.94 |-------------------* H1\n"
            "        |\n"
            "        |                  *\n"
            "        |\n"
            "        |                *\n"
            "        |      *\n"
            "        |    *\n"
            "   0.00 |..*.....*.....*.....\n"
            "        |          *\n"
            "        |            *\n"
            "        |\n"
            "        |\n"
            "        |\n"
            "        |\n"
            "  -2.94 |-------------------- H0\n"
            "         0          10 blocks\n");
}

TEST(TestText, DrawsATestOfWhichNothingCounts) {
  v1::Competition test = TestOf("new-vs-old");
  test.mutable_test()->clear_blocks_by_half_points();
  EXPECT_THAT(TestChart(test, {}, 20), HasSubstr("over 0 blocks, not decided"));
}

TEST(TestText, WritesPointsAsCsv) {
  EXPECT_EQ(Printed(PointColumns(), std::vector<v1::TestPoint>(), Form::kCsv),
            "block,blocks,points_0,points_half,points_1,points_1_half,points_2,llr\r\n");
  EXPECT_EQ(Printed(PointColumns(), Points({0, -0.25}), Form::kCsv, false),
            "0,1,0,0,1,0,0,0\r\n1,2,0,0,2,0,0,-0.25\r\n");
}

}  // namespace
}  // namespace referee::ctl
