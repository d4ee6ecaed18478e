// Tests of round robin and gauntlet: all pairings occur, and no bot gets ahead.
#include "referee/schedule/waves.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

using Pair = std::pair<int, int>;

// How often each two met.
std::map<Pair, int> Meetings(const std::vector<rating::Pairing>& blocks) {
  std::map<Pair, int> meetings;
  for (const rating::Pairing& block : blocks) {
    for (const int a : block.bots) {
      for (const int b : block.bots) {
        if (a < b) ++meetings[{a, b}];
      }
    }
  }
  return meetings;
}

// Of those for whom in[bot].
int Spread(const std::vector<int>& counts, const std::set<int>& in) {
  int least = counts[*in.begin()];
  int most = least;
  for (const int bot : in) {
    least = std::min(least, counts[bot]);
    most = std::max(most, counts[bot]);
  }
  return most - least;
}

std::set<int> From(int first, int end) {
  std::set<int> bots;
  for (int bot = first; bot < end; ++bot) bots.insert(bot);
  return bots;
}

TEST(RoundRobin, OfTwoSeatsEverybodyMeetsEverybodyAsOftenAsThereAreRounds) {
  for (const int bots : {2, 3, 4, 7, 8, 9, 20, 31}) {
    Spec spec = SpecOf(Format::kRoundRobin, bots);
    spec.rounds = 3;
    Tournament tournament(spec, 1);
    ASSERT_TRUE(tournament.PlayToTheEnd(0, 100'000));
    const std::map<Pair, int> meetings = Meetings(tournament.blocks());
    EXPECT_EQ(static_cast<int>(meetings.size()), bots * (bots - 1) / 2);
    for (const auto& [pair, times] : meetings) EXPECT_EQ(times, 3) << bots;
  }
}

TEST(RoundRobin, OfTwoSeatsEverybodyIsFirstAboutHalfTheTime) {
  for (const int bots : {7, 8, 9, 20}) {
    Spec spec = SpecOf(Format::kRoundRobin, bots);
    spec.rounds = 2;
    Tournament tournament(spec, 1);
    ASSERT_TRUE(tournament.PlayToTheEnd(0, 100'000));
    std::vector<int> first(bots, 0);
    std::map<Pair, int> first_of_pair;
    for (const rating::Pairing& block : tournament.blocks()) {
      ++first[block.bots[0]];
      ++first_of_pair[{block.bots[0], block.bots[1]}];
    }
    for (const int times : first) EXPECT_EQ(times, bots - 1) << "of two rounds, one";
    for (const auto& [pair, times] : first_of_pair) EXPECT_EQ(times, 1);
  }
}

TEST(RoundRobin, OfMoreSeatsEverybodyMeetsEverybodyEquallyOftenWhereADesignIsFound) {
  const std::pair<int, int> kBotsAndSeats[] = {{7, 3},  {9, 3},  {13, 3}, {15, 3}, {13, 4},
                                               {16, 4}, {21, 5}, {25, 5}, {6, 6}};
  for (const auto& [bots, seats] : kBotsAndSeats) {
    const Evenness once =
        EvennessOf(PlayThrough(SpecOf(Format::kRoundRobin, bots, seats)).blocks, bots);
    EXPECT_EQ(once.least_met, 1) << bots << " in " << seats;
    EXPECT_EQ(once.most_met, 1) << bots << " in " << seats;
  }
}

TEST(RoundRobin, OfMoreSeatsEverybodyPlaysEquallyOftenAndMeetsAboutEquallyOften) {
  for (int seats = 3; seats <= 6; ++seats) {
    for (int bots = seats; bots <= 16; ++bots) {
      Spec spec = SpecOf(Format::kRoundRobin, bots, seats);
      spec.rounds = 4;
      Tournament tournament(spec, 1);
      ASSERT_TRUE(tournament.PlayToTheEnd(0, 100'000));
      EXPECT_EQ(Spread(tournament.played(), From(0, bots)), 0) << bots << " in " << seats;
      EXPECT_EQ(tournament.played()[0], BlocksPerBot(spec));
      const std::map<Pair, int> meetings = Meetings(tournament.blocks());
      EXPECT_EQ(static_cast<int>(meetings.size()), bots * (bots - 1) / 2);
      int least = 1'000'000;
      int most = 0;
      for (const auto& [pair, times] : meetings) {
        least = std::min(least, times);
        most = std::max(most, times);
      }
      EXPECT_GE(least, 3) << bots << " in " << seats;
      EXPECT_LE(most - least, 2) << bots << " in " << seats;
    }
  }
}

TEST(RoundRobin, NobodyWhoIsThereGetsMoreThanABlockAheadAtAnyTimeButForADesign) {
  for (int seats = 2; seats <= 4; ++seats) {
    for (int bots = seats; bots <= 13; ++bots) {
      Spec spec = SpecOf(Format::kRoundRobin, bots, seats);
      spec.rounds = 2;
      const Evenness even = EvennessOf(PlayThrough(spec).blocks, bots);
      const int lead = seats > 2 && even.least_met == even.most_met ? 3 : 1;
      for (uint64_t seed = 0; seed < 6; ++seed) {
        Tournament tournament(spec, seed);
        tournament.max_running = 1 + static_cast<int>(seed);
        tournament.at_once = 1 + static_cast<int>(seed % 2);
        while (!tournament.schedule().done()) {
          tournament.Step();
          ASSERT_LE(Spread(tournament.begun(), From(0, bots)), lead) << bots << " in " << seats;
          ASSERT_LE(Spread(tournament.played(), From(0, bots)), lead) << bots << " in " << seats;
        }
      }
    }
  }
}

TEST(RoundRobin, NobodyIsBehindButByBlocksThatWaitForAbsentBots) {
  for (const int bots : {7, 8, 12}) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      Tournament tournament(SpecOf(Format::kRoundRobin, bots), seed);
      const std::set<int> steady = From(2, bots);
      tournament.steady = steady;
      tournament.absent_one_in = 3;
      for (int step = 0; !tournament.schedule().done(); ++step) {
        if (step == 300) tournament.BringAllBack();
        tournament.Step();
        ASSERT_LE(Spread(tournament.begun(), steady), 1 + 2) << "two bots come and go";
      }
    }
  }
}

TEST(RoundRobin, OthersGoOnWithoutOneThatIsAbsentAndItCatchesUp) {
  Tournament tournament(SpecOf(Format::kRoundRobin, 8), 1);
  tournament.SetThere(3, false);
  for (int step = 0; step < 1000; ++step) tournament.Step();
  EXPECT_EQ(tournament.blocks().size(), 7u * 6 / 2) << "all that can be played without it";
  EXPECT_EQ(tournament.schedule().blocks_left(), 7);
  EXPECT_TRUE(tournament.schedule().needs(3));
  EXPECT_FALSE(tournament.schedule().done());
  tournament.SetThere(3, true);
  ASSERT_TRUE(tournament.PlayToTheEnd(0, 1000));
  EXPECT_EQ(tournament.played()[3], 7);
}

TEST(RoundRobin, PassesNothingOverWhileNobodyIsThere) {
  const auto schedule = Schedule::Make(SpecOf(Format::kRoundRobin, 8));
  EXPECT_EQ(schedule->Next(std::vector<bool>(8, false), Instant()), absl::nullopt);
  const auto fresh = Schedule::Make(SpecOf(Format::kRoundRobin, 8));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(schedule->Next(std::vector<bool>(8, true), Instant()),
              fresh->Next(std::vector<bool>(8, true), Instant()));
  }
}

TEST(RoundRobin, OfMoreSeatsIsPlannedAnewWhenABotLeaves) {
  Spec spec = SpecOf(Format::kRoundRobin, 8, 6);
  spec.rounds = 4;
  Tournament tournament(spec, 1);
  tournament.Withdraw(0);
  ASSERT_TRUE(tournament.PlayToTheEnd(0, 10'000));
  for (int bot = 1; bot < 8; ++bot) {
    EXPECT_GE(tournament.played()[bot], BlocksPerBot(spec));
    EXPECT_LE(tournament.played()[bot], BlocksPerBot(spec) + 1) << "to fill the last block";
  }
}

// Plays all blocks: `winner` says who wins one outright, -1: it is drawn.
template <typename Winner>
std::unique_ptr<Schedule> PlayAll(const Spec& spec, Winner winner) {
  auto schedule = Schedule::Make(spec);
  const std::vector<bool> all(spec.entrants.size(), true);
  for (int64_t number = 0; !schedule->done(); ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(all, Instant());
    if (!next.has_value()) break;
    const int first = winner(next->bots[0], next->bots[1]);
    schedule->Played(
        number, OutcomeOf(*next, {next->bots[0] == first ? 0 : 1, next->bots[1] == first ? 0 : 1}));
  }
  return schedule;
}

TEST(RoundRobin, TiesAreBrokenByTheDirectEncounter) {
  // The lower number wins, but 3 beats 0, and 1 and 2 draw: 0 and 1 have no fewer than 2.
  const auto winner = [](int a, int b) {
    if (a + b == 3) return a * b == 0 ? 3 : -1;
    return std::min(a, b);
  };
  const auto schedule = PlayAll(SpecOf(Format::kRoundRobin, 4), winner);
  const int points[] = {8, 6, 6, 4};
  const int ranks[] = {1, 2, 2, 4};
  for (int bot = 0; bot < 4; ++bot) {
    EXPECT_EQ(LineOf(*schedule, bot).points, points[bot]) << bot;
    EXPECT_EQ(LineOf(*schedule, bot).rank, ranks[bot]) << bot;
    EXPECT_EQ(TieBreakOf(*schedule, bot, TieBreak::kDirectEncounter),
              bot == 1 || bot == 2 ? absl::optional<double>(1.0) : absl::nullopt);
  }
  // Both drew with each other, lost to 0 and beat 3.
  EXPECT_EQ(TieBreakOf(*schedule, 1, TieBreak::kSonnebornBerger), 6 * 2 / 8.0 + 4 * 4 / 8.0);
  EXPECT_EQ(TieBreakOf(*schedule, 1, TieBreak::kWins), 2.0);
}

TEST(Gauntlet, TheFirstPlaysInEachBlockAndTheOthersEquallyOften) {
  for (int seats = 2; seats <= 5; ++seats) {
    for (int bots = seats; bots <= 12; ++bots) {
      Spec spec = SpecOf(Format::kGauntlet, bots, seats);
      spec.rounds = 2;
      Tournament tournament(spec, 1);
      tournament.at_once = 3;
      while (!tournament.schedule().done()) {
        tournament.Step();
        ASSERT_LE(Spread(tournament.played(), From(1, bots)), 1) << bots << " in " << seats;
      }
      for (const rating::Pairing& block : tournament.blocks()) {
        EXPECT_EQ(std::count(block.bots.begin(), block.bots.end(), 0), 1);
      }
      EXPECT_EQ(Spread(tournament.played(), From(1, bots)), 0);
      EXPECT_GE(tournament.played()[1], 2);
    }
  }
}

TEST(Gauntlet, IsOverWhenTheFirstLeaves) {
  Tournament tournament(SpecOf(Format::kGauntlet, 8), 1);
  tournament.BeginAll();
  tournament.Withdraw(0);
  EXPECT_EQ(tournament.schedule().blocks_left(), 0);
  EXPECT_FALSE(tournament.schedule().done()) << "a block is being played";
  tournament.End(0, false);
  EXPECT_TRUE(tournament.schedule().done());
}

std::vector<int> OrderOf(const Schedule& schedule) {
  std::vector<int> bots;
  for (const ScoreLine& line : schedule.Scores()) bots.push_back(line.bot);
  return bots;
}

TEST(Gauntlet, RanksTheOthersByWhatTheyDidToTheFirstWhichStandsApart) {
  // The soloist wins but one block, and so has more points than anybody.
  const auto winner = [](int a, int b) { return std::max(a, b) == 3 ? 3 : 0; };
  const auto schedule = PlayAll(SpecOf(Format::kGauntlet, 6), winner);
  EXPECT_EQ(OrderOf(*schedule), (std::vector<int>{3, 1, 2, 4, 5, 0}));
  EXPECT_EQ(LineOf(*schedule, 3).rank, 1);
  EXPECT_EQ(LineOf(*schedule, 1).rank, 2);
  EXPECT_EQ(LineOf(*schedule, 5).rank, 2);
  EXPECT_EQ(LineOf(*schedule, 0).rank, 0);
  EXPECT_EQ(LineOf(*schedule, 0).remark, "soloist");
  EXPECT_EQ(LineOf(*schedule, 0).points, 16);
  EXPECT_DOUBLE_EQ(*LineOf(*schedule, 0).share, 0.8);
}

TEST(Gauntlet, OfMoreSeatsCountsWhatWasMadeAgainstTheFirstOnly) {
  // Of three seats, with 0 behind all and 1 before all.
  Spec spec = SpecOf(Format::kGauntlet, 5, 3);
  spec.tie_breaks.emplace();
  Tournament tournament(spec, 1);
  tournament.BeginAll();
  while (!tournament.schedule().done()) {
    const auto& [number, pairing] = *tournament.running().begin();
    tournament.EndAs(number, OutcomeOf(pairing, {2, pairing.bots[1] == 1 ? 0 : 1,
                                                 pairing.bots[2] == 1 ? 0 : 1}));
    tournament.BeginAll();
  }
  for (int bot = 1; bot < 5; ++bot) {
    EXPECT_EQ(LineOf(tournament.schedule(), bot).rank, 1) << "all left the soloist behind";
    EXPECT_DOUBLE_EQ(*LineOf(tournament.schedule(), bot).share, 1.0);
  }
}

TEST(Gauntlet, ThatItsFirstLeavesIsRankedByShares) {
  Spec spec = SpecOf(Format::kGauntlet, 4);
  spec.rounds = 2;
  const auto schedule = Schedule::Make(spec);
  const std::vector<bool> all(4, true);
  for (int number = 0; number < 4; ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(all, Instant());
    ASSERT_TRUE(next.has_value());
    // Each challenger's first block is won by it, the second drawn.
    schedule->Played(number, OutcomeOf(*next, {number < 3 ? 1 : 0, 0}));
  }
  schedule->Withdraw(0);
  EXPECT_TRUE(schedule->done());
  const std::vector<ScoreLine> table = schedule->Scores();
  EXPECT_EQ(table[0].rank, 1);
  EXPECT_EQ(table[1].rank, 1) << "one block won of one";
  EXPECT_EQ(table[2].rank, 3) << "with more points, of two blocks";
  EXPECT_GT(table[2].points, table[0].points);
  for (const ScoreLine& line : table) EXPECT_FALSE(line.annulled);
}

// A round robin of two seats in which 0 leaves once it has played so many blocks; the lower number
// wins, and 0 beats everybody.
std::unique_ptr<Schedule> WhereOneLeavesAfter(const Spec& spec, int blocks) {
  auto schedule = Schedule::Make(spec);
  const std::vector<bool> all(spec.entrants.size(), true);
  int played = 0;
  for (int64_t number = 0; !schedule->done(); ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(all, Instant());
    if (!next.has_value()) break;
    const std::vector<int>& bots = next->bots;
    schedule->Played(number, OutcomeOf(*next, {bots[0], bots[1]}));
    played += bots[0] == 0 || bots[1] == 0 ? 1 : 0;
    if (played == blocks) schedule->Withdraw(0);
  }
  return schedule;
}

TEST(RoundRobin, WhoLeavesBeforeHalfOfItsBlocksHasNotBeenThere) {
  const auto schedule = WhereOneLeavesAfter(SpecOf(Format::kRoundRobin, 6), 2);
  EXPECT_EQ(OrderOf(*schedule), (std::vector<int>{1, 2, 3, 4, 5, 0}));
  for (int bot = 1; bot < 6; ++bot) {
    EXPECT_EQ(LineOf(*schedule, bot).rank, bot);
    EXPECT_EQ(LineOf(*schedule, bot).points, 4 * (5 - bot)) << "against the other four";
    EXPECT_DOUBLE_EQ(*LineOf(*schedule, bot).share, (5 - bot) / 4.0);
    EXPECT_EQ(LineOf(*schedule, bot).walkovers, 0);
  }
  const ScoreLine left = LineOf(*schedule, 0);
  EXPECT_TRUE(left.annulled);
  EXPECT_EQ(left.rank, 0);
  EXPECT_EQ(left.blocks, 2);
  EXPECT_EQ(left.points, 8) << "what it played is still told";
}

TEST(RoundRobin, WhoLeavesLaterLosesWhatItHasNotPlayed) {
  const auto schedule = WhereOneLeavesAfter(SpecOf(Format::kRoundRobin, 6), 3);
  const ScoreLine left = LineOf(*schedule, 0);
  EXPECT_FALSE(left.annulled);
  EXPECT_EQ(left.forfeited_blocks, 2);
  EXPECT_EQ(left.points, 12);
  EXPECT_DOUBLE_EQ(*left.share, 3 / 5.0);
  int walkovers = 0;
  for (int bot = 1; bot < 6; ++bot) {
    const ScoreLine line = LineOf(*schedule, bot);
    walkovers += line.walkovers;
    EXPECT_EQ(line.blocks + line.walkovers, 5);
    EXPECT_EQ(line.points, 4 * (5 - bot + line.walkovers));
  }
  EXPECT_EQ(walkovers, 2);
}

TEST(RoundRobin, WhatTwoWhoLeftLateHaveNotPlayedIsLostForBoth) {
  Spec spec = SpecOf(Format::kRoundRobin, 4);
  const auto schedule = Schedule::Make(spec);
  std::vector<bool> free(4, true);
  for (int number = 0; number < 4; ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(free, Instant());
    ASSERT_TRUE(next.has_value());
    schedule->Played(number, OutcomeOf(*next, {0, 0}));
  }
  const absl::optional<rating::Pairing> last = schedule->Next(free, Instant());
  ASSERT_TRUE(last.has_value());
  for (const int bot : last->bots) schedule->Withdraw(bot);
  EXPECT_EQ(LineOf(*schedule, last->bots[0]).forfeited_blocks, 0) << "it is being played";
  schedule->Dropped(4);
  for (const int bot : last->bots) {
    EXPECT_EQ(LineOf(*schedule, bot).forfeited_blocks, 1);
    EXPECT_DOUBLE_EQ(*LineOf(*schedule, bot).share, 2 * 2 / 12.0);
  }
}

TEST(RoundRobin, BlocksThatWereGivenUpAsVoidAreNobodysLoss) {
  const auto schedule = Schedule::Make(SpecOf(Format::kRoundRobin, 4));
  const std::vector<bool> all(4, true);
  for (int number = 0; number < 6; ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(all, Instant());
    ASSERT_TRUE(next.has_value());
    if (number == 5) {
      schedule->Voided(number);
      schedule->Withdraw(next->bots[0]);
      EXPECT_EQ(LineOf(*schedule, next->bots[0]).forfeited_blocks, 0);
      EXPECT_EQ(LineOf(*schedule, next->bots[1]).walkovers, 0);
    } else {
      schedule->Played(number, OutcomeOf(*next, {0, 0}));
    }
  }
}

TEST(RoundRobin, OfMoreSeatsAnnulsWhatWasMadeAgainstWhoLeftEarlyOnly) {
  Tournament tournament(SpecOf(Format::kRoundRobin, 5, 3), 1);
  tournament.BeginAll();
  const rating::Pairing first = tournament.blocks()[0];
  // In order: the second beats the third in all three matches, and both beat the first.
  tournament.EndAs(0, OutcomeOf(first, {2, 0, 1}));
  tournament.Withdraw(first.bots[0]);
  EXPECT_TRUE(LineOf(tournament.schedule(), first.bots[0]).annulled);
  EXPECT_EQ(LineOf(tournament.schedule(), first.bots[1]).points, 3 * 2);
  EXPECT_DOUBLE_EQ(*LineOf(tournament.schedule(), first.bots[1]).share, 1.0);
  EXPECT_EQ(LineOf(tournament.schedule(), first.bots[2]).points, 0);
}

}  // namespace
}  // namespace referee::schedule
