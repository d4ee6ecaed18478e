#include "referee/ctl/duel/report.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/base/rotation.h"
#include "referee/ctl/dice_flag.h"
#include "referee/dice/dice.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

DuelPlan Plan(int bots) {
  DuelPlan plan;
  plan.game = games::Countdown().Create(bots, {}).value();
  for (int i = 0; i < bots; ++i) plan.bots.push_back({std::string(1, "xyz"[i]), "run"});
  plan.matches = 4;
  return plan;
}

MoveTimes Times(std::vector<int> milliseconds) {
  MoveTimes times;
  for (const int ms : milliseconds) times.Add(absl::Milliseconds(ms));
  return times;
}

// A match with a rank for each seat; scores are ten less the rank.
DuelMatch Finished(int index, const std::vector<int>& ranks) {
  DuelMatch match;
  match.index = index;
  const int seats = static_cast<int>(ranks.size());
  for (int seat = 0; seat < seats; ++seat) {
    match.seats.push_back(
        {PlaceOfSeat(seat, index, seats), 10 - ranks[seat], ranks[seat], Times({1, 3}), {}, {}});
  }
  return match;
}

DuelMatch Void(int index, int seats) {
  DuelMatch match = Finished(index, std::vector<int>(static_cast<size_t>(seats), 0));
  match.ending = match::Ending::kVoid;
  match.reason = "the disk is full";
  return match;
}

TEST(Tally, FollowsBotsThroughTheSeats) {
  DuelReport report;
  // Seat a wins each time: bot x, then y, then x.
  for (int i = 0; i < 3; ++i) report.matches.push_back(Finished(i, {1, 2}));
  const std::vector<BotFigures> bots = Tally(Plan(2), report);
  EXPECT_EQ(bots[0].wins, 2);
  EXPECT_EQ(bots[1].wins, 1);
  EXPECT_DOUBLE_EQ(bots[0].mean_rank, 4.0 / 3);
  EXPECT_DOUBLE_EQ(bots[1].mean_score, (8 + 9 + 8) / 3.0);
}

TEST(Tally, SharedFirstPlaceIsNoWin) {
  DuelReport report;
  report.matches.push_back(Finished(0, {1, 1, 3}));
  const std::vector<BotFigures> bots = Tally(Plan(3), report);
  EXPECT_EQ(bots[0].wins, 0);
  EXPECT_EQ(bots[0].shared_wins, 1);
  EXPECT_EQ(bots[1].shared_wins, 1);
  EXPECT_EQ(bots[2].shared_wins, 0);
}

TEST(Tally, MatchWithoutAResultCountsForTimesOnly) {
  DuelReport report;
  report.matches.push_back(Finished(0, {1, 2}));
  report.matches.push_back(Void(1, 2));
  const std::vector<BotFigures> bots = Tally(Plan(2), report);
  EXPECT_EQ(bots[0].finished, 1);
  EXPECT_DOUBLE_EQ(bots[0].mean_rank, 1);
  EXPECT_EQ(bots[0].times.moves, 4);
  EXPECT_EQ(bots[0].times.worst, absl::Milliseconds(3));
  EXPECT_EQ(CountVoid(report), 1);
}

TEST(Tally, CountsForfeitsByCause) {
  DuelReport report;
  report.matches.push_back(Finished(0, {1, 2}));
  report.matches.back().seats[1].forfeit = match::Cause::kIllegal;
  report.matches.push_back(Finished(1, {1, 2}));
  report.matches.back().seats[0].forfeit = match::Cause::kTimeout;
  EXPECT_THAT(Tally(Plan(2), report)[1].forfeits, ::testing::ElementsAre(1, 1, 0, 0));
}

TEST(ReportText, GivesTwoBotsAPercentageInWhichADrawIsHalf) {
  DuelReport report;
  report.matches = {Finished(0, {1, 2}), Finished(1, {1, 2}), Finished(2, {1, 1}),
                    Finished(3, {2, 1})};
  report.counted = 4;
  EXPECT_THAT(ReportText(Plan(2), report),
              HasSubstr("x against y: 2 wins, 1 loss, 1 draw: 62.5 %\n"));
}

DuelReport WithFault(SeatFault fault, std::string replay) {
  DuelReport report;
  report.matches = {Finished(0, {1, 2}), Finished(1, {1, 2})};
  DuelMatch& match = report.matches[1];
  match.seats[1].fault = std::move(fault);
  if (match.seats[1].fault->forfeits) match.seats[1].forfeit = match.seats[1].fault->cause;
  match.replay_path = std::move(replay);
  return report;
}

TEST(ReportText, SaysWhatABotDidWrongFirstAndWhereItIsSeen) {
  const SeatFault fault{match::Cause::kIllegal, 4, "illegal move 9 in turn 4: no such count"};
  EXPECT_THAT(ReportText(Plan(2), WithFault(fault, "d/replays/m.rpl")),
              HasSubstr("\nx: first forfeit in match 2, turn 4, as seat b, ILLEGAL: illegal move 9 "
                        "in turn 4: no such count\n  refctl replay show d/replays/m.rpl\n"));
  EXPECT_THAT(ReportText(Plan(2), WithFault(fault, "")), HasSubstr("\n  (--replay-dir DIR keeps"));
  SeatFault forgiven = fault;
  forgiven.forfeits = false;
  EXPECT_THAT(ReportText(Plan(2), WithFault(forgiven, "")),
              HasSubstr("x: first fault, which was forgiven, in match 2"));
}

TEST(ReportText, ShowsWhatABotHadWrittenByItsFirstForfeitOfEachKind) {
  DuelReport report;
  for (int i = 0; i < 4; ++i) {
    report.matches.push_back(Finished(i, {1, 2}));
    DuelSeat& seat = report.matches.back().seats[i % 2];  // bot x
    const match::Cause cause = i == 1 ? match::Cause::kTimeout : match::Cause::kResigned;
    seat.forfeit = cause;
    seat.fault = SeatFault{cause,
                           1,
                           absl::StrCat("detail ", i),
                           true,
                           false,
                           0,
                           {"Traceback:", absl::StrCat("  line ", i)}};
  }
  const std::string text = ReportText(Plan(2), report);
  EXPECT_THAT(text,
              HasSubstr("x: first forfeit in match 1, turn 1, as seat a, RESIGNED: detail 0\n"
                        "  (--replay-dir DIR keeps the replays)\n"
                        "  its last output (--bot-logs DIR keeps it all):\n"
                        "  | Traceback:\n"
                        "  |   line 0\n"
                        "x: first forfeit in match 2, turn 1, as seat b, TIMEOUT: detail 1\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("line 1"), Not(HasSubstr("line 2")), Not(HasSubstr("line 3"))));
  DuelPlan kept = Plan(2);
  kept.bot_logs = "logs";
  EXPECT_THAT(ReportText(kept, report), HasSubstr("its last output (all: logs/x.log):\n"));
  const nlohmann::json json = nlohmann::json::parse(ReportJson(Plan(2), report));
  EXPECT_EQ(json["bots"][0]["first_fault"]["written"][1], "  line 0");
  EXPECT_EQ(json["bots"][0]["first_faults"].size(), 2u);
  EXPECT_EQ(json["bots"][0]["first_faults"][1]["cause"], "timeout");
  EXPECT_EQ(json["bots"][0]["first_faults"][1]["written"][1], "  line 1");
}

TEST(ReportText, SaysThatTurnsWereLostWhileTheirBotHadOthersToThinkAbout) {
  DuelReport report;
  for (int i = 0; i < 4; ++i) {
    report.matches.push_back(Finished(i, {1, 2}));
    DuelSeat& seat = report.matches.back().seats[i % 2];  // bot x
    seat.forfeit = match::Cause::kTimeout;
    seat.fault = SeatFault{match::Cause::kTimeout, 1, "late", true, false, i == 0 ? 0 : 1 + i};
  }
  DuelPlan plan = Plan(2);
  EXPECT_THAT(ReportText(plan, report),
              HasSubstr("\nx: 3 of 4 matches that it lost on time were lost while it had 2 to 4 "
                        "other turns to think about: the result shows how long turns waited in the "
                        "bot; try --concurrency 2, or let the bot say"));
  plan.oversubscribe = true;
  EXPECT_THAT(ReportText(plan, report),
              HasSubstr("try --concurrency 2, without --oversubscribe\n"));
  EXPECT_EQ(nlohmann::json::parse(
                ReportJson(plan, report))["matches"][3]["seats"][1]["fault"]["other_turns"],
            4);
  report.matches.resize(1);
  EXPECT_THAT(ReportText(plan, report), Not(HasSubstr("other turn")));
}

TEST(ReportText, NamesABotThatWasNotReadyAsSuch) {
  const SeatFault fault{match::Cause::kTimeout, 1, "was not ready within 10s", true, true};
  EXPECT_THAT(ReportText(Plan(2), WithFault(fault, "")),
              AllOf(HasSubstr("  1 TIMEOUT (1 not ready)\n"),
                    HasSubstr("in match 2, before its first turn, as seat b, TIMEOUT: was not")));
}

TEST(ReportText, SendsNoTerminalWhatABotHasSaid) {
  const SeatFault fault{match::Cause::kIllegal, 4, "illegal move \x1b[2J"};
  EXPECT_THAT(ReportText(Plan(2), WithFault(fault, "")), HasSubstr("illegal move ?[2J"));
}

TEST(ReportText, SaysWhoWasStartedAgainAndWhatWasPlayedBefore) {
  DuelReport report;
  report.matches = {Finished(0, {1, 2})};
  report.recoveries = {{}, {3, "exited with status 3"}};
  report.resumed = 1;
  DuelPlan plan = Plan(2);
  plan.resume_dir = "kept";
  EXPECT_THAT(
      ReportText(plan, report),
      AllOf(HasSubstr("\ny ended 3 times, lost any match that it was in, and was started again; "
                      "the last time it exited with status 3\n"),
            HasSubstr("\n1 match was played before, by kept\n")));
}

TEST(ReportJson, HasWhatABotDidWrong) {
  const SeatFault fault{match::Cause::kIllegal, 4, "illegal move 9"};
  const nlohmann::json json =
      nlohmann::json::parse(ReportJson(Plan(2), WithFault(fault, "d/m.rpl")));
  const nlohmann::json& first = json["bots"][0]["first_fault"];
  EXPECT_EQ(first["detail"], "illegal move 9");
  EXPECT_EQ(first["turn"], 4);
  EXPECT_EQ(first["match"], 1);
  EXPECT_EQ(first["seat"], 1);
  EXPECT_EQ(first["replay"], "d/m.rpl");
  EXPECT_FALSE(json["bots"][1].contains("first_fault"));
  EXPECT_EQ(json["matches"][1]["seats"][1]["fault"]["detail"], "illegal move 9");
  EXPECT_EQ(json["matches_with_forfeit"], 1);
}

TEST(ReportText, AlignsItsColumns) {
  DuelPlan plan = Plan(3);
  plan.bots[1].name = "a-long-name";
  DuelReport report;
  report.dice.pinned_number = 7;
  report.matches = {Finished(0, {1, 2, 3})};
  report.matches.back().seats[2].forfeit = match::Cause::kDisconnected;
  EXPECT_EQ(ReportText(plan, report),
            "countdown: 1 match of 4, time 500ms, dice pinned to 7\n"
            "\n"
            "bot          wins  shared  rank  score  mean move  worst move  forfeits\n"
            "x               1       0  1.00   9.00    2.00 ms     3.00 ms  -\n"
            "a-long-name     0       0  2.00   8.00    2.00 ms     3.00 ms  -\n"
            "z               0       0  3.00   7.00    2.00 ms     3.00 ms  1 DISCONNECTED\n");
}

// Seat b of a match was forgiven two turns too late, an illegal move and three tries.
DuelReport WithForgivenFaults() {
  DuelReport report;
  report.matches = {Finished(0, {1, 2}), Finished(1, {1, 2})};
  report.matches[0].seats[1].forgiven = {2, 1, 3};
  report.matches[1].seats[0].forgiven = {1, 0, 0};
  return report;
}

TEST(Tally, AddsUpForgivenFaults) {
  const std::vector<BotFigures> bots = Tally(Plan(2), WithForgivenFaults());
  EXPECT_EQ(bots[0].forgiven.substituted_timeouts, 0);
  EXPECT_EQ(bots[1].forgiven.substituted_timeouts, 3);
  EXPECT_EQ(bots[1].forgiven.substituted_illegal, 1);
  EXPECT_EQ(bots[1].forgiven.retried, 3);
}

TEST(ReportText, ShowsForgivenFaultsOfEitherPolicyInTheirColumns) {
  DuelPlan plan = Plan(2);
  plan.policies.on_timeout.action = match::FaultPolicy::Action::kSubstitute;
  plan.policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  EXPECT_THAT(
      ReportText(plan, WithForgivenFaults()),
      HasSubstr(
          "worst move  substituted           retried  forfeits\n"
          "x       1       0  1.50   8.50    2.00 ms     3.00 ms  -                           "
          "0  -\n"
          "y       1       0  1.50   8.50    2.00 ms     3.00 ms  3 TIMEOUT, 1 ILLEGAL        "
          "3  -\n"));
}

TEST(ReportText, HasNoColumnForFaultsThatAreNotForgiven) {
  DuelPlan plan = Plan(2);
  EXPECT_THAT(ReportText(plan, WithForgivenFaults()),
              AllOf(Not(HasSubstr("substituted")), Not(HasSubstr("retried"))));
  plan.policies.on_illegal.action = match::FaultPolicy::Action::kSubstitute;
  EXPECT_THAT(ReportText(plan, WithForgivenFaults()),
              AllOf(HasSubstr("substituted"), Not(HasSubstr("retried"))));
}

TEST(ReportJson, CountsForgivenFaultsWhateverThePolicies) {
  const nlohmann::json json = nlohmann::json::parse(ReportJson(Plan(2), WithForgivenFaults()));
  EXPECT_EQ(json["bots"][0]["substituted"], nlohmann::json({{"timeout", 0}, {"illegal", 0}}));
  EXPECT_EQ(json["bots"][0]["retried"], 0);
  EXPECT_EQ(json["bots"][1]["substituted"], nlohmann::json({{"timeout", 3}, {"illegal", 1}}));
  EXPECT_EQ(json["bots"][1]["retried"], 3);
  EXPECT_EQ(json["matches"][1]["seats"][0]["substituted"]["timeout"], 1);
}

TEST(ReportText, SaysWhyMatchesHaveNoResult) {
  DuelReport report;
  report.matches = {Void(0, 2)};
  EXPECT_THAT(
      ReportText(Plan(2), report),
      AllOf(HasSubstr("1 match of 4 (1 without a result)"),
            HasSubstr("match 1 has no result: the disk is full\n"), Not(HasSubstr("against"))));
}

TEST(ReportJson, SeedIsTextWhereJavaScriptCannotHoldTheNumber) {
  DuelReport report;
  report.matches = {Finished(0, {1, 2})};
  const auto seed = [&] { return nlohmann::json::parse(ReportJson(Plan(2), report))["seed"]; };
  report.dice.pinned_number = (uint64_t{1} << 53) - 1;
  EXPECT_EQ(seed(), nlohmann::json(9007199254740991));
  report.dice.pinned_number = (uint64_t{1} << 53) + 1;
  EXPECT_EQ(seed(), nlohmann::json("9007199254740993"));
  report.dice = DrawDiceSeed();
  EXPECT_EQ(seed(), nlohmann::json(dice::Hex(report.dice.pinned_seed->bytes)));
}

TEST(ReportText, NamesTheSeedThatWasDrawn) {
  DuelReport report;
  report.dice = DrawDiceSeed();
  report.matches = {Finished(0, {1, 2})};
  EXPECT_THAT(ReportText(Plan(2), report),
              HasSubstr(absl::StrCat("dice pinned to ", DiceSeedText(report.dice), "\n")));
}

TEST(ReportJson, HasEverythingThatTheTableHas) {
  DuelReport report;
  report.matches = {Finished(0, {1, 2}), Void(1, 2)};
  report.matches[1].seed = dice::PinnedSeed(7);
  report.matches[0].seats[1].forfeit = match::Cause::kTimeout;
  report.problem = absl::UnavailableError("stopped");
  const nlohmann::json json = nlohmann::json::parse(ReportJson(Plan(2), report));
  EXPECT_EQ(json["game"], "countdown");
  EXPECT_EQ(json["matches_without_result"], 1);
  EXPECT_EQ(json["problem"], "stopped");
  EXPECT_EQ(json["bots"][0]["wins"], 1);
  EXPECT_EQ(json["bots"][1]["forfeits"]["timeout"], 1);
  EXPECT_EQ(json["bots"][0]["mean_move_ms"], 2.0);
  EXPECT_EQ(json["matches"][0]["seats"][1]["forfeit"], "timeout");
  EXPECT_EQ(json["matches"][1]["ending"], "void");
  EXPECT_EQ(json["matches"][1]["seed"], dice::Hex(dice::PinnedSeed(7).bytes));
  EXPECT_FALSE(json["matches"][1]["seats"][0].contains("rank"));
}

}  // namespace
}  // namespace referee::ctl
