#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/base/rotation.h"
#include "referee/ctl/duel/report.h"
#include "referee/rating/sprt_estimate.h"
#include "tests/unit/ctl/countdown.h"

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

// A finished match of two bots, by the half points of the first.
DuelMatch Match(int index, int half_points) {
  DuelMatch match;
  match.index = index;
  for (int seat = 0; seat < 2; ++seat) {
    const int bot = PlaceOfSeat(seat, index, 2);
    const int rank = half_points == 1 ? 1 : (half_points == 2) == (bot == 0) ? 1 : 2;
    match.seats.push_back({bot, 0, rank, {}, {}, {}});
  }
  return match;
}

// All of which count.
DuelReport ReportOf(std::vector<DuelMatch> matches) {
  DuelReport report;
  report.matches = std::move(matches);
  report.counted = report.matches.size();
  return report;
}

DuelMatch Void(int index) {
  DuelMatch match = Match(index, 1);
  match.ending = match::Ending::kVoid;
  return match;
}

TEST(CountBlocks, FollowsTheFirstBotThroughTheSeats) {
  DuelReport report =
      ReportOf({Match(0, 2), Match(1, 2), Match(2, 0), Match(3, 1), Match(4, 2), Match(5, 0)});
  const DuelBlocks blocks = *CountBlocks(Plan(2, 6), report);
  EXPECT_THAT(blocks.counts.counts(), ElementsAre(0, 1, 1, 0, 1));
}

TEST(CountBlocks, LeavesOutBlocksThatAreVoid) {
  const DuelReport report = ReportOf({Match(0, 2), Match(1, 2), Void(2), Match(3, 2)});
  const DuelBlocks blocks = *CountBlocks(Plan(2, 4), report);
  EXPECT_THAT(blocks.counts.counts(), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(blocks.without_result, 1);
}

TEST(CountBlocks, EndsBeforeTheFirstBlockThatIsNotAllOver) {
  DuelReport report = ReportOf({Match(0, 2), Match(1, 2), Match(2, 2), Match(4, 0), Match(5, 0)});
  report.counted = 2;
  EXPECT_THAT(CountBlocks(Plan(2, 6), report)->counts.counts(), ElementsAre(0, 0, 0, 0, 1));
}

TEST(CountBlocks, IsNoneForMoreBots) { EXPECT_FALSE(CountBlocks(Plan(3, 3), {})); }

TEST(ReportText, GivesTwoBotsAnEloFromBlocks) {
  DuelReport report = ReportOf({Match(0, 2), Match(1, 2), Match(2, 2), Match(3, 0)});
  EXPECT_THAT(
      ReportText(Plan(2, 4), report),
      AllOf(HasSubstr("\nElo at least -360.0 (95 %): too few blocks for a number; likelihood of "
                      "superiority 75.0 %\nblocks"),
            HasSubstr("points for x: 0, 0, 1, 0, 1\n"), Not(HasSubstr("SPRT"))));
}

// So many blocks that one bot won whole.
DuelReport WonBlocks(int blocks, int half_points) {
  DuelReport report;
  for (int i = 0; i < 2 * blocks; ++i) report.matches.push_back(Match(i, half_points));
  report.counted = report.matches.size();
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
  DuelReport report = ReportOf({Match(0, 2), Match(1, 0), Match(3, 2), Match(4, 2), Match(5, 2)});
  report.counted = 2;
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
  DuelReport report = ReportOf({Match(0, 2), Match(1, 2)});
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
  DuelReport report = ReportOf({Match(0, 2), Match(1, 2)});
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
