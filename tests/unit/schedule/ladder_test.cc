// Tests of the ladder: it plays the most informative pairings, and leaves no bot behind.
#include "referee/schedule/ladder.h"

#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/rating.h"
#include "tests/unit/schedule/ladder_runs.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

void RateAtRandom(Tournament* tournament, Chance* chance) {
  const int bots = static_cast<int>(tournament->begun().size());
  tournament->schedule().Rated(chance->Below(bots), rating::Rating{10.0 + chance->Below(30),
                                                                   0.5 + chance->Below(80) / 10.0});
}

TEST(Ladder, NobodyWhoIsThereGetsFurtherAheadWhoeverComesAndGoes) {
  for (const int seats : {2, 3, 6}) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      Tournament tournament(SpecOf(Format::kLadder, 14, seats), seed);
      tournament.steady = {6, 7, 8, 9, 10, 11, 12, 13};
      tournament.absent_one_in = 3;
      tournament.leave_one_in = 500;
      tournament.at_once = 1 + static_cast<int>(seed % 2);
      tournament.max_running = 4;
      Chance chance(seed);
      for (int step = 0; step < 3000; ++step) {
        tournament.Step();
        RateAtRandom(&tournament, &chance);
        ASSERT_LE(Spread(tournament.begun(), 6), kLadderLead) << seats << " seats, seed " << seed;
      }
      EXPECT_GT(tournament.blocks().size(), 500u) << seats << " seats, seed " << seed;
    }
  }
}

TEST(Ladder, PlaysTheBotThatIsKnownLeastAgainstOneThatIsNear) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 6));
  for (int bot = 0; bot < 6; ++bot) schedule->Rated(bot, rating::Rating{10.0 + 5 * bot, 1.0});
  schedule->Rated(3, rating::Rating{25.0, 8.0});
  schedule->Rated(4, rating::Rating{29.0, 1.0});
  const absl::optional<rating::Pairing> next =
      schedule->Next(std::vector<bool>(6, true), Instant());
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->bots, (std::vector<int>{3, 4}));
}

TEST(Ladder, NobodyMeetsTheSameBotAgainAtOnceWhereThereIsAChoice) {
  Tournament tournament(SpecOf(Format::kLadder, 3), 1);
  tournament.max_running = 1;
  while (tournament.blocks().size() < 300) tournament.Step();
  const std::vector<rating::Pairing>& blocks = tournament.blocks();
  for (size_t i = 1; i < blocks.size(); ++i) {
    EXPECT_NE(std::set<int>(blocks[i].bots.begin(), blocks[i].bots.end()),
              std::set<int>(blocks[i - 1].bots.begin(), blocks[i - 1].bots.end()));
  }
}

TEST(Ladder, TwoBotsMeetAgainAndAgain) {
  Tournament tournament(SpecOf(Format::kLadder, 2), 1);
  for (int step = 0; step < 1000; ++step) tournament.Step();
  EXPECT_GT(tournament.blocks().size(), 100u);
}

TEST(Ladder, AllMeetManyOthers) {
  Tournament tournament(SpecOf(Format::kLadder, 20), 1);
  while (tournament.blocks().size() < 1000) tournament.Step();
  std::vector<std::set<int>> met(20);
  for (const rating::Pairing& block : tournament.blocks()) {
    met[block.bots[0]].insert(block.bots[1]);
    met[block.bots[1]].insert(block.bots[0]);
  }
  for (const std::set<int>& others : met) EXPECT_GE(others.size(), 9u);
}

TEST(Ladder, OneThatJoinsLateIsNotGivenWhatItMissed) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 8));
  PlayAlone(schedule.get(), 0, 4000, std::vector<bool>(8, true));
  ASSERT_EQ(schedule->Join(), absl::OkStatus());
  const std::vector<int> begun = PlayAlone(schedule.get(), 4000, 90, std::vector<bool>(9, true));
  EXPECT_GE(begun[8], 20 - kLadderLead);
  EXPECT_LE(begun[8], 20 + 2 * kLadderLead);
  for (int bot = 0; bot < 8; ++bot) EXPECT_GT(begun[bot], 0) << "the others go on";
}

TEST(Ladder, OneThatWasAwayIsNotGivenWhatItMissed) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 8));
  std::vector<bool> free(8, true);
  PlayAlone(schedule.get(), 0, 100, free);
  free[2] = false;
  PlayAlone(schedule.get(), 100, 4000, free);
  free[2] = true;
  const std::vector<int> begun = PlayAlone(schedule.get(), 4100, 400, free);
  EXPECT_LE(Spread(begun), 2 * kLadderLead);
  EXPECT_GT(begun[2], 0);
}

TEST(Ladder, GoesOnWithoutThoseThatLeftAndWithThoseThatComeBack) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 4));
  const std::vector<bool> free(4, true);
  schedule->Withdraw(1);
  EXPECT_EQ(PlayAlone(schedule.get(), 0, 60, free)[1], 0);
  EXPECT_EQ(schedule->Scores()[3].remark, "withdrawn");
  EXPECT_EQ(schedule->Rejoin(0).code(), absl::StatusCode::kFailedPrecondition) << "it never left";
  EXPECT_EQ(schedule->Rejoin(1), absl::OkStatus());
  EXPECT_GT(PlayAlone(schedule.get(), 60, 60, free)[1], 0);
}

TEST(Ladder, WaitsWhenTooFewAreThere) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 0));
  EXPECT_EQ(schedule->Next({}, Instant()), absl::nullopt);
  ASSERT_EQ(schedule->Join(), absl::OkStatus());
  EXPECT_EQ(schedule->Next({true}, Instant()), absl::nullopt);
  ASSERT_EQ(schedule->Join(), absl::OkStatus());
  EXPECT_EQ(schedule->Next({true, false}, Instant()), absl::nullopt);
  EXPECT_TRUE(schedule->Next({true, true}, Instant()).has_value());
  EXPECT_FALSE(schedule->done());
  EXPECT_EQ(schedule->blocks_left(), -1);
}

TEST(Ladder, ASlowBotHoldsUpNobodyBeforeTheLeadIsUsedUp) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 5));
  std::vector<bool> free(5, true);
  const absl::optional<rating::Pairing> slow = schedule->Next(free, Instant());
  ASSERT_TRUE(slow.has_value());
  free[slow->bots[0]] = free[slow->bots[1]] = false;
  const std::vector<int> begun = PlayAlone(schedule.get(), 1, 1000, free);
  for (int bot = 0; bot < 5; ++bot) {
    if (free[bot]) {
      EXPECT_GE(begun[bot], kLadderLead);
      EXPECT_LE(begun[bot], kLadderLead + 1);
    }
  }
}

TEST(Ladder, BotsThatHaveNotPlayedYetHaveNotJustMet) {
  const auto schedule = Schedule::Make(SpecOf(Format::kLadder, 4));
  const rating::Pairing first = *schedule->Next({true, true, false, false}, Instant());
  schedule->Played(0, OutcomeOf(first, {0, 1}));
  for (const int bot : first.bots) schedule->Rated(bot, rating::Rating{25.0, 5.0});
  schedule->Rated(2, rating::Rating{25.0, 8.0});
  schedule->Rated(3, rating::Rating{25.0, 7.0});
  EXPECT_EQ(schedule->Next(std::vector<bool>(4, true), Instant())->bots, (std::vector<int>{2, 3}));
}

TEST(Ladder, MadeAgainKnowsWhoHasMet) {
  const std::vector<Entrant> entrants(4);
  const std::vector<PairCount> met = {{0, 1, 3}, {0, 2, 1}, {0, 3, 2}};
  const auto schedule = Schedule::MakeLadder(SpecOf(Format::kLadder, 4), entrants, met, 6);
  EXPECT_EQ(schedule->Next(std::vector<bool>(4, true), Instant())->bots, (std::vector<int>{0, 2}));
}

TEST(Meetings, KeepThoseThatABotHasMetMost) {
  constexpr int kMany = static_cast<int>(Meetings::kMaxOpponents);
  Meetings meetings(kMany + 2);
  for (int other = 1; other <= kMany; ++other) meetings.Add({0, other, other == 7 ? 1 : 2});
  meetings.Add({0, kMany + 1, 1});
  ASSERT_EQ(meetings.Of(0).size(), Meetings::kMaxOpponents);
  for (const Meetings::Met& met : meetings.Of(0)) {
    EXPECT_NE(met.bot, 7);
    EXPECT_EQ(met.times, met.bot == kMany + 1 ? 1 : 2);
  }
}

TEST(IdleBudget, IsAShareOfWhatIsPlayedAndIsSpentByTheBlock) {
  const auto at = [](absl::Duration time) { return Instant() + time; };
  IdleBudget budget;
  budget.Look(at(absl::ZeroDuration()), 10);
  EXPECT_EQ(budget.left(1), absl::ZeroDuration());
  budget.Look(at(absl::Seconds(100)), 10);
  EXPECT_EQ(budget.left(1), absl::Seconds(30)) << "3 % of 1,000 s";
  EXPECT_EQ(budget.left(2), absl::Seconds(15));
  EXPECT_EQ(budget.Wait(2), at(absl::Seconds(115)));
  budget.Look(at(absl::Seconds(110)), 10);
  EXPECT_EQ(budget.left(1), absl::Seconds(30 - 20 + 3));
  budget.Look(at(absl::Hours(100)), 10);
  EXPECT_EQ(budget.left(1), IdleBudget::kMost);
}

}  // namespace
}  // namespace referee::schedule
