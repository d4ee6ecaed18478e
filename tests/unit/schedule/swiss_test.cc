// Tests of the Swiss: score groups, no repeats, byes, Buchholz.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/swiss_pairing.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

// A block in which the first of the pairing makes so many half points, of four.
rating::BlockOutcome BlockOf(const rating::Pairing& pairing, int half_points) {
  rating::BlockOutcome outcome{pairing, {}};
  for (int match = 0; match < 2; ++match) {
    const int mine = std::min(2, std::max(0, half_points - 2 * match));
    const std::vector<int> standing = mine == 2   ? std::vector<int>{0, 1}
                                      : mine == 1 ? std::vector<int>{0, 0}
                                                  : std::vector<int>{1, 0};
    outcome.ranks.push_back(OutcomeOf(pairing, standing).ranks[0]);
  }
  return outcome;
}

class TwoSeats {
 public:
  TwoSeats(int bots, int rounds) : free_(bots, true) {
    Spec spec = SpecOf(Format::kSwiss, bots);
    spec.rounds = rounds;
    schedule_ = Schedule::Make(spec);
  }
  // The next block is between these, and the first makes so many half points.
  void Play(int first, int second, int half_points) {
    const absl::optional<rating::Pairing> next = schedule_->Next(free_, Instant());
    ASSERT_TRUE(next.has_value());
    ASSERT_EQ(next->bots, (std::vector<int>{first, second}));
    schedule_->Played(number_++, BlockOf(*next, half_points));
  }
  Schedule& schedule() { return *schedule_; }

 private:
  std::unique_ptr<Schedule> schedule_;
  std::vector<bool> free_;
  int64_t number_ = 0;
};

TEST(Swiss, RanksByPointsThenByThoseOfItsOpponents) {
  TwoSeats swiss(4, 2);
  swiss.Play(0, 2, 4);
  swiss.Play(1, 3, 3);
  swiss.Play(0, 1, 0);
  swiss.Play(3, 2, 2);
  EXPECT_TRUE(swiss.schedule().done());
  const std::vector<ScoreLine> table = swiss.schedule().Scores();
  const int expected[4][3] = {{1, 7, 7}, {0, 4, 9}, {3, 3, 9}, {2, 2, 7}};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(table[i].bot, expected[i][0]);
    EXPECT_EQ(table[i].rank, i + 1);
    EXPECT_EQ(table[i].points, expected[i][1]);
    EXPECT_EQ(TieBreakOf(swiss.schedule(), table[i].bot, TieBreak::kBuchholz), expected[i][2] / 2.0)
        << "of bot " << table[i].bot;
  }
}

TEST(Swiss, CountsAByeAsAWonBlockAgainstOneWithAsManyPoints) {
  TwoSeats swiss(3, 2);
  swiss.Play(0, 1, 4);
  swiss.Play(0, 2, 1);
  EXPECT_TRUE(swiss.schedule().done());
  const int points[] = {5, 4, 7};
  const int buchholz[] = {4 + 7, 5 + 4, 7 + 5};
  const char* remarks[] = {"", "bye in round 2", "bye in round 1"};
  for (int bot = 0; bot < 3; ++bot) {
    EXPECT_EQ(LineOf(swiss.schedule(), bot).points, points[bot]) << bot;
    EXPECT_EQ(TieBreakOf(swiss.schedule(), bot, TieBreak::kBuchholz), buchholz[bot] / 2.0) << bot;
    EXPECT_EQ(LineOf(swiss.schedule(), bot).remark, remarks[bot]) << bot;
  }
}

TEST(Swiss, FirstRoundPairsUpperHalfWithLowerHalf) {
  TwoSeats swiss(8, 3);
  for (int i = 0; i < 4; ++i) swiss.Play(i, i + 4, 2);
}

TEST(Swiss, NobodyMeetsTwiceAndTheByeGoesOnceToTheLowest) {
  for (const int bots : {7, 8, 9, 16, 31}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Tournament tournament(SpecOf(Format::kSwiss, bots), seed);
      tournament.max_running = bots;
      std::set<std::pair<int, int>> met;
      std::set<int> had_bye;
      while (!tournament.schedule().done()) {
        const std::vector<ScoreLine> table = tournament.schedule().Scores();
        const size_t before = tournament.blocks().size();
        tournament.BeginAll();
        std::set<int> playing;
        for (size_t i = before; i < tournament.blocks().size(); ++i) {
          const std::vector<int>& pair = tournament.blocks()[i].bots;
          playing.insert(pair.begin(), pair.end());
          EXPECT_TRUE(met.insert(std::minmax(pair[0], pair[1])).second) << bots << " " << seed;
        }
        for (auto line = table.rbegin(); bots % 2 == 1 && line != table.rend(); ++line) {
          if (had_bye.count(line->bot) > 0) continue;
          for (const ScoreLine& other : table) {
            if (playing.count(other.bot) > 0) continue;
            EXPECT_EQ(other.points, line->points) << "the lowest that had none";
            EXPECT_TRUE(had_bye.insert(other.bot).second) << "one bye each";
          }
          break;
        }
        EXPECT_EQ(static_cast<int>(playing.size()), bots / 2 * 2);
        while (!tournament.running().empty()) {
          tournament.End(tournament.running().rbegin()->first, false);
        }
      }
    }
  }
}

TEST(Swiss, EveryRoundThatCanBeIsPairedAnew) {
  // As many rounds as there are opponents: whatever is left is the only way.
  TwoSeats swiss(4, 3);
  swiss.Play(0, 2, 4);
  swiss.Play(1, 3, 4);
  swiss.Play(0, 1, 4);
  swiss.Play(2, 3, 4);
  swiss.Play(0, 3, 4);
  swiss.Play(1, 2, 4);
  EXPECT_TRUE(swiss.schedule().done());
}

TEST(Swiss, SomeMeetAgainWhenThereIsNoOtherWay) {
  TwoSeats swiss(3, 3);
  swiss.Play(0, 1, 4);
  swiss.Play(0, 2, 4);
  swiss.schedule().Withdraw(2);
  swiss.Play(0, 1, 4);
  EXPECT_TRUE(swiss.schedule().done());
}

TEST(Swiss, PrefersAFloaterToARepeat) {
  // Of three level bots, 0 and 1 have met; 2 has met 3, which trails.
  const std::vector<SwissBot> bots = {{0, 8, 0, Float::kNone},
                                      {1, 8, 0, Float::kNone},
                                      {2, 8, 0, Float::kNone},
                                      {3, 4, 0, Float::kNone}};
  const SwissRound round = PairSwiss(bots, [](int a, int b) { return a / 2 == b / 2 ? 1 : 0; });
  EXPECT_EQ(round.pairings, (std::vector<rating::Pairing>{{{0, 2}}, {{1, 3}}}));
}

TEST(Swiss, ThreeOfAScoreGroupTakeTurnsAtFloatingDown) {
  const auto never_met = [](int, int) { return 0; };
  std::vector<SwissBot> bots = {{0, 8, 0, Float::kNone},
                                {1, 8, 0, Float::kNone},
                                {2, 8, 0, Float::kNone},
                                {3, 4, 0, Float::kNone}};
  EXPECT_EQ(PairSwiss(bots, never_met).pairings,
            (std::vector<rating::Pairing>{{{0, 1}}, {{2, 3}}}));
  bots[2].floated = Float::kDown;
  EXPECT_EQ(PairSwiss(bots, never_met).pairings, (std::vector<rating::Pairing>{{{0, 2}}, {{1, 3}}}))
      << "not the same float twice in a row";
  bots[2].floated = Float::kUp;
  EXPECT_EQ(PairSwiss(bots, never_met).pairings, (std::vector<rating::Pairing>{{{0, 1}}, {{2, 3}}}))
      << "the other float is no reason";
}

TEST(Swiss, ThreeOfAScoreGroupTakeTurnsAtFloatingUp) {
  const auto never_met = [](int, int) { return 0; };
  std::vector<SwissBot> bots = {{0, 8, 0, Float::kNone},
                                {1, 4, 0, Float::kUp},
                                {2, 4, 0, Float::kNone},
                                {3, 4, 0, Float::kNone}};
  EXPECT_EQ(PairSwiss(bots, never_met).pairings,
            (std::vector<rating::Pairing>{{{0, 2}}, {{1, 3}}}));
  // Points come before floats: nobody floats further to spare another.
  bots[2].points = bots[3].points = 3;
  EXPECT_EQ(PairSwiss(bots, never_met).pairings,
            (std::vector<rating::Pairing>{{{0, 1}}, {{2, 3}}}));
}

// Of six bots 5 leaves in the middle of its block with 2, which has a walkover and then loses.
// Gives who has the bye of the third round.
int ByeAfterAWalkover() {
  Spec spec = SpecOf(Format::kSwiss, 6);
  spec.rounds = 3;
  const auto swiss = Schedule::Make(spec);
  const std::vector<bool> all(6, true);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(swiss->Next(all, Instant()).has_value());
  swiss->Withdraw(5);
  swiss->Dropped(2);
  swiss->Played(0, BlockOf(rating::Pairing{{0, 3}}, 2));
  swiss->Played(1, BlockOf(rating::Pairing{{1, 4}}, 3));
  // 4 has the bye; who meets 2 wins, and the other makes 3 half points against 1.
  for (int i = 0; i < 2; ++i) {
    const absl::optional<rating::Pairing> next = swiss->Next(all, Instant());
    const int first = next->bots[0];
    const bool with_2 = first == 2 || next->bots[1] == 2;
    swiss->Played(3 + i, BlockOf(*next, with_2 ? (first == 2 ? 0 : 4) : (first == 1 ? 1 : 3)));
  }
  EXPECT_EQ(LineOf(*swiss, 4).remark, "bye in round 2");
  std::set<int> idle = {0, 1, 2, 3, 4};
  while (const absl::optional<rating::Pairing> next = swiss->Next(all, Instant())) {
    for (const int bot : next->bots) idle.erase(bot);
  }
  EXPECT_EQ(idle.size(), 1u);
  return *idle.begin();
}

TEST(Swiss, AWalkoverBarsFromALaterBye) {
  EXPECT_EQ(ByeAfterAWalkover(), 1) << "the lowest that had neither; 2 is lower";
}

TEST(Swiss, ItIsTheLastWhoHadNeitherByeNorWalkoverThatIsLeftOut) {
  // Of three, 2 is the lowest, and had a walkover.
  const std::vector<SwissBot> bots = {
      {0, 8, 0, Float::kNone}, {1, 6, 0, Float::kNone}, {2, 4, 1, Float::kNone}};
  EXPECT_EQ(PairSwiss(bots, [](int, int) { return 0; }).bye, 1);
}

// Whatever comes out, in as many rounds as a spec may ask for.
TEST(Swiss, AllRoundsThatMayBeAskedForAreWithoutRepeatsAndSecondByes) {
  for (int bots = 2; bots <= 14; ++bots) {
    for (uint64_t seed = 0; seed < 150; ++seed) {
      Spec spec = SpecOf(Format::kSwiss, bots);
      spec.rounds = MostSwissRounds(spec.entrants.size());
      ASSERT_EQ(Validate(spec), absl::OkStatus());
      Tournament tournament(spec, seed);
      ASSERT_TRUE(tournament.PlayToTheEnd(0, 100'000));
      std::set<std::pair<int, int>> met;
      for (const rating::Pairing& block : tournament.blocks()) {
        EXPECT_TRUE(met.insert(std::minmax(block.bots[0], block.bots[1])).second)
            << bots << " bots, seed " << seed;
      }
      EXPECT_EQ(static_cast<int>(tournament.blocks().size()), spec.rounds * (bots / 2));
      const auto [least, most] =
          std::minmax_element(tournament.played().begin(), tournament.played().end());
      EXPECT_LE(*most - *least, 1) << "one bye at most";
    }
  }
}

TEST(Swiss, TieBreaksAreThoseOfTheSpecInItsOrder) {
  Spec spec = SpecOf(Format::kSwiss, 4);
  spec.rounds = 2;
  spec.tie_breaks = {TieBreak::kWins, TieBreak::kBuchholzCut1, TieBreak::kSonnebornBerger};
  const auto swiss = Schedule::Make(spec);
  const int expected[4][3] = {{0, 2, 4}, {1, 3, 3}, {0, 1, 0}, {3, 2, 2}};
  for (int i = 0; i < 4; ++i) {
    const absl::optional<rating::Pairing> next = swiss->Next(std::vector<bool>(4, true), Instant());
    ASSERT_TRUE(next.has_value());
    ASSERT_EQ(next->bots, (std::vector<int>{expected[i][0], expected[i][1]}));
    swiss->Played(i, BlockOf(*next, expected[i][2]));
  }
  // Half points: 0 has 4, 1 has 7, 2 has 2, 3 has 3.
  const double wins[] = {2, 3, 1, 1};
  const double cut[] = {7 / 2.0, 4 / 2.0, 4 / 2.0, 7 / 2.0};
  const double sonneborn_berger[] = {2 * 4 / 8.0, (3 * 3 + 4 * 4) / 8.0, 3 * 2 / 8.0,
                                     (7 * 1 + 2 * 2) / 8.0};
  for (int bot = 0; bot < 4; ++bot) {
    const ScoreLine line = LineOf(*swiss, bot);
    ASSERT_EQ(line.tie_breaks.size(), 3u);
    EXPECT_EQ(line.tie_breaks[0].tie_break, TieBreak::kWins);
    EXPECT_EQ(line.tie_breaks[0].value, wins[bot]) << bot;
    EXPECT_EQ(line.tie_breaks[1].value, cut[bot]) << bot;
    EXPECT_EQ(line.tie_breaks[2].value, sonneborn_berger[bot]) << bot;
  }
}

TEST(Swiss, APairingWaitsForABotThatIsAbsentAndTheRoundForIt) {
  Tournament tournament(SpecOf(Format::kSwiss, 8), 1);
  tournament.SetThere(5, false);
  for (int i = 0; i < 100; ++i) tournament.Step();
  EXPECT_EQ(tournament.blocks().size(), 3u);
  EXPECT_TRUE(tournament.schedule().needs(5));
  EXPECT_TRUE(tournament.schedule().needs(1)) << "its opponent";
  EXPECT_FALSE(tournament.schedule().needs(0));
  tournament.SetThere(5, true);
  ASSERT_TRUE(tournament.PlayToTheEnd(0, 1000));
}

TEST(Swiss, WhoseOpponentLeavesInTheMiddleOfARoundWins) {
  TwoSeats swiss(4, 1);
  swiss.Play(0, 2, 2);
  swiss.schedule().Withdraw(3);
  EXPECT_TRUE(swiss.schedule().done());
  EXPECT_EQ(LineOf(swiss.schedule(), 1).points, 4);
  EXPECT_EQ(LineOf(swiss.schedule(), 3).points, 0);
}

TEST(Swiss, RanksBotsThatLeftBehindThoseThatStayedAndAreLevelWithThem) {
  TwoSeats swiss(5, 2);
  for (const int bot : {0, 1, 2, 4}) swiss.schedule().Withdraw(bot);
  const std::vector<ScoreLine> table = swiss.schedule().Scores();
  EXPECT_EQ(table[0].bot, 3);
  EXPECT_EQ(table[0].rank, 1);
  for (size_t i = 1; i < table.size(); ++i) EXPECT_EQ(table[i].rank, 2) << table[i].bot;
}

TEST(Swiss, BlockThatIsGivenUpAsVoidIsADrawnOneForBoth) {
  std::unique_ptr<Schedule> swiss = Schedule::Make(SpecOf(Format::kSwiss, 2));
  ASSERT_TRUE(swiss->Next({true, true}, Instant()).has_value());
  swiss->Voided(0);
  EXPECT_TRUE(swiss->done());
  EXPECT_EQ(LineOf(*swiss, 0).points, 2);
  EXPECT_EQ(LineOf(*swiss, 1).points, 2);
}

// What is played depends on what came out, not on the order in which it came.
TEST(Schedule, TheOrderInWhichBlocksEndChangesNoPairing) {
  for (const Format format : {Format::kSwiss, Format::kKnockout}) {
    std::vector<std::vector<int>> expected;
    for (uint64_t seed = 0; seed < 30; ++seed) {
      Chance chance(seed);
      const auto schedule = Schedule::Make(SpecOf(format, 13));
      std::map<int64_t, rating::Pairing> running;
      std::vector<std::vector<int>> played;
      int64_t number = 0;
      while (!schedule->done()) {
        std::vector<bool> free(13, true);
        for (const auto& [id, pairing] : running) {
          for (const int bot : pairing.bots) free[bot] = false;
        }
        while (const absl::optional<rating::Pairing> next = schedule->Next(free, Instant())) {
          for (const int bot : next->bots) free[bot] = false;
          running.emplace(number++, *next);
          played.push_back(next->bots);
        }
        const auto ends =
            std::next(running.begin(), chance.Below(static_cast<int>(running.size())));
        const rating::Pairing& pairing = ends->second;
        const int strength = (pairing.bots[0] * 7 + pairing.bots[1] * 5) % 5;
        schedule->Played(ends->first, BlockOf(pairing, strength));
        running.erase(ends);
      }
      std::sort(played.begin(), played.end());
      if (seed == 0) expected = played;
      EXPECT_EQ(played, expected) << FormatName(format) << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace referee::schedule
