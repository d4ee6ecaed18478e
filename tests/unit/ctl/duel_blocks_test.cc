#include "referee/ctl/duel/blocks.h"

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/duel/report.h"
#include "referee/dice/dice.h"
#include "referee/rating/sprt_estimate.h"
#include "tests/unit/ctl/countdown.h"
#include "tests/unit/ctl/stopped_duel.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

DuelPlan Plan(int bots, int matches) {
  DuelPlan plan;
  plan.game = games::Countdown().Create(bots, {}).value();
  for (int i = 0; i < bots; ++i) plan.bots.push_back({std::string(1, "xyz"[i]), "run"});
  plan.matches = matches;
  return plan;
}

DuelMatch Match(int index, int half_points) { return MatchOfTwo(index, half_points); }

DuelMatch Void(int index) {
  DuelMatch match = Match(index, 1);
  match.ending = match::Ending::kVoid;
  return match;
}

TEST(DiceOfMatch, AreTheSameInABlock) {
  DuelPlan plan = Plan(3, 7);
  plan.dice.pinned_number = 40;
  std::vector<uint64_t> seeds;
  for (int i = 0; i < 7; ++i) seeds.push_back(*DiceOfMatch(plan, i).pinned_number);
  EXPECT_THAT(seeds, ElementsAre(40, 40, 40, 41, 41, 41, 42));
}

TEST(DiceOfMatch, ThatWereDrawnFollowFromTheSeedBlockByBlock) {
  DuelPlan plan = Plan(2, 4);
  plan.dice = DrawDiceSeed();
  for (int i = 0; i < 4; ++i) {
    const std::string name = i < 2 ? "duel/0" : "duel/1";
    EXPECT_EQ(DiceOfMatch(plan, i).pinned_seed, dice::DerivedSeed(*plan.dice.pinned_seed, name));
    EXPECT_FALSE(DiceOfMatch(plan, i).pinned_number.has_value());
  }
}

TEST(CountBlocks, FollowsTheFirstBotThroughTheSeats) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2), Match(2, 0), Match(3, 1), Match(4, 2), Match(5, 0)};
  const DuelBlocks blocks = *CountBlocks(Plan(2, 6), report);
  EXPECT_THAT(blocks.counts.counts(), ElementsAre(0, 1, 1, 0, 1));
  EXPECT_EQ(blocks.half_played, 0);
}

TEST(CountBlocks, LeavesOutBlocksThatAreHalfPlayedOrVoid) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2), Void(2), Match(3, 2), Match(4, 2)};
  const DuelBlocks blocks = *CountBlocks(Plan(2, 5), report);
  EXPECT_THAT(blocks.counts.counts(), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(blocks.without_result, 1);
  EXPECT_EQ(blocks.half_played, 1);
  EXPECT_EQ(blocks.left_out, 0);
}

TEST(CountBlocks, EndsBeforeTheFirstBlockThatIsNotAllOver) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2), Match(2, 2), Match(4, 0), Match(5, 0)};
  const DuelBlocks blocks = *CountBlocks(Plan(2, 6), report);
  EXPECT_THAT(blocks.counts.counts(), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(blocks.half_played, 0);
  EXPECT_EQ(blocks.left_out, 3);
}

TEST(ComparableMatches, AreAllOfADuelThatWasPlayedToItsEnd) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2), Match(2, 2)};
  EXPECT_EQ(ComparableMatches(Plan(2, 3), report), 3);
  EXPECT_EQ(ComparableMatches(Plan(2, 4), report), 2);
  EXPECT_EQ(ComparableMatches(Plan(3, 4), report), 3);
  EXPECT_EQ(ComparableMatches(Plan(2, 3), {}), 0);
}

// 64 at once, stopped after four mean times of a won match. The table is
// tests/bench/bench_stopped_duel.cc.
TEST(CountBlocks, OfEqualBotsAreNotBiasedByTheOrderInWhichMatchesEnd) {
  rating::BlockCounts reported;
  rating::BlockCounts by_ends;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const SimulatedStop stop = SimulateStoppedDuel({}, seed);
    const rating::BlockCounts some = CountBlocks(stop.plan, stop.report)->counts;
    const rating::BlockCounts all = BlocksByEnds(stop.report);
    for (int i = 0; i < 5; ++i) {
      reported.AddBlocks(i, some.counts()[static_cast<size_t>(i)]);
      by_ends.AddBlocks(i, all.counts()[static_cast<size_t>(i)]);
    }
  }
  EXPECT_GT(EstimateElo(by_ends)->elo, 25);
  EXPECT_NEAR(EstimateElo(reported)->elo, 0, 6);
}

TEST(CountBlocks, IsNoneForMoreBots) { EXPECT_FALSE(CountBlocks(Plan(3, 3), {})); }

TEST(ReportText, GivesTwoBotsAnEloFromBlocks) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2), Match(2, 2), Match(3, 0), Match(4, 2)};
  EXPECT_THAT(
      ReportText(Plan(2, 5), report),
      AllOf(HasSubstr("\nElo at least -360.0 (95 %): too few blocks for a number; likelihood of "
                      "superiority 75.0 %\nblocks"),
            HasSubstr("points for x: 0, 0, 1, 0, 1\n"),
            HasSubstr("1 match has no other of the same block, and does not count"),
            Not(HasSubstr("SPRT"))));
}

// So many blocks that one bot won whole.
DuelReport WonBlocks(int blocks, int half_points) {
  DuelReport report;
  for (int i = 0; i < 2 * blocks; ++i) report.matches.push_back(Match(i, half_points));
  return report;
}

TEST(ReportText, BoundsOnOneSideWhatWasWonOrLostThroughout) {
  EXPECT_THAT(ReportText(Plan(2, 10), WonBlocks(5, 2)),
              HasSubstr("\nElo at least -15.2 (95 %), with no upper bound: x won every match; "
                        "likelihood of superiority 98.4 %\n"));
  EXPECT_THAT(ReportText(Plan(2, 10), WonBlocks(5, 0)),
              HasSubstr("\nElo at most +15.2 (95 %), with no lower bound: x lost every match; "
                        "likelihood of superiority 1.6 %\n"));
}

TEST(ReportText, IsNeverQuiteSureWhoIsStronger) {
  EXPECT_THAT(ReportText(Plan(2, 200), WonBlocks(100, 2)),
              HasSubstr("; likelihood of superiority >99.9 %\n"));
  EXPECT_THAT(ReportText(Plan(2, 200), WonBlocks(100, 0)),
              HasSubstr("; likelihood of superiority <0.1 %\n"));
}

TEST(ReportText, OfADuelThatWasStoppedComparesTheBlocksBeforeTheFirstThatIsNotOver) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 0), Match(3, 2), Match(4, 2), Match(5, 2)};
  EXPECT_THAT(ReportText(Plan(2, 100), report),
              AllOf(HasSubstr("\nx       4  "),
                    HasSubstr("\nx against y: 1 win, 1 loss, 0 draws: 50.0 %\n"
                              "Elo at least -759.1 (95 %): too few blocks for a number; "),
                    HasSubstr("points for x: 0, 0, 1, 0, 0\n"
                              "3 matches from the first block on that was not played to its end do "
                              "not count for the strength of bots: quick matches would count more "
                              "than slow ones\n")));
  const nlohmann::json json = nlohmann::json::parse(ReportJson(Plan(2, 100), report));
  EXPECT_EQ(json["pentanomial"]["matches_left_out"], 3);
  EXPECT_EQ(json["bots"][0]["wins"], 4);
}

TEST(ReportText, SaysWhatTheTestAccepts) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2)};
  report.sprt.emplace(rating::SprtTerms{0, 50, 0.05, 0.05});
  EXPECT_THAT(ReportText(Plan(2, 2), report), HasSubstr("not decided: more matches are needed"));
  while (report.sprt->accepted() == rating::Hypothesis::kNone) report.sprt->Add(4);
  report.surplus = 1;
  EXPECT_THAT(ReportText(Plan(2, 2), report),
              AllOf(HasSubstr("SPRT elo0=0,elo1=50,alpha=0.05,beta=0.05: LLR "),
                    HasSubstr(" (-2.94 to 2.94), H1 accepted: x is 50 Elo above y rather than 0\n"),
                    HasSubstr("1 match of later blocks ended before that, and does not count\n")));
}

TEST(ReportText, CorrectsTheEloOfATestForItsStopping) {
  DuelReport report = WonBlocks(6, 2);
  report.sprt.emplace(rating::ParseSprtTerms("gain,alpha=0.2,beta=0.2").value());
  while (report.sprt->accepted() == rating::Hypothesis::kNone) {
    for (const int half_points : {4, 2, 4, 0, 3}) report.sprt->Add(half_points);
  }
  const rating::SprtEstimate estimate = *EstimateAfter(*report.sprt);
  const std::string text = ReportText(Plan(2, 12), report);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr(absl::StrFormat("\nElo %+.1f, 95 %% from %+.1f to %+.1f, corrected for the "
                                      "stopping of the test; likelihood of superiority ",
                                      estimate.elo, estimate.elo_low, estimate.elo_high)),
            HasSubstr("\nSPRT nelo0=0,nelo1=20,alpha=0.2,beta=0.2: LLR "),
            HasSubstr(", H1 accepted: x is 20 normalized Elo above y rather than 0\n")));
  const nlohmann::json json = nlohmann::json::parse(ReportJson(Plan(2, 12), report));
  EXPECT_EQ(json["sprt"]["scale"], "normalized");
  EXPECT_EQ(json["sprt"]["corrected_elo"], estimate.elo);
}

TEST(ReportJson, HasBlocksAndTest) {
  DuelReport report;
  report.matches = {Match(0, 2), Match(1, 2)};
  report.sprt.emplace(rating::SprtTerms{0, 50, 0.05, 0.05});
  const nlohmann::json json = nlohmann::json::parse(ReportJson(Plan(2, 2), report));
  EXPECT_EQ(json["pentanomial"]["counts"], (std::vector<int>{0, 0, 0, 0, 1}));
  EXPECT_TRUE(json["pentanomial"]["elo"].is_null());
  EXPECT_EQ(json["pentanomial"]["score"], 1.0);
  EXPECT_TRUE(json["sprt"]["accepted"].is_null());
  EXPECT_EQ(json["sprt"]["elo1"], 50);
}

}  // namespace
}  // namespace referee::ctl
