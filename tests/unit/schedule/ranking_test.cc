// Tests of ranking: shares of points, tie-breaks in their order, direct encounters.
#include "referee/schedule/ranking.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

using Bots = std::vector<int>;

Contender With(int bot, int64_t points, int64_t wins = 0) {
  Contender contender;
  contender.bot = bot;
  contender.points = points;
  contender.values[static_cast<size_t>(TieBreak::kWins)] = wins;
  return contender;
}

// Two matches: the winner wins both; -1: both are drawn.
void Play(Encounters* encounters, int a, int b, int winner) {
  const rating::Pairing pairing{{a, b}};
  encounters->Add(OutcomeOf(pairing, {winner == a ? 0 : 1, winner == b ? 0 : 1}));
}

Bots OrderOf(const std::vector<RankedBot>& ranked) {
  Bots order;
  for (const RankedBot& bot : ranked) order.push_back(bot.bot);
  return order;
}

Bots RanksOf(const std::vector<RankedBot>& ranked) {
  Bots ranks;
  for (const RankedBot& bot : ranked) ranks.push_back(bot.rank);
  return ranks;
}

TEST(Ranking, WhoIsLevelInEverythingSharesARank) {
  const auto ranked = Rank({With(0, 3), With(1, 5, 2), With(2, 5, 2), With(3, 5, 4)},
                           {TieBreak::kWins}, Encounters(4));
  EXPECT_EQ(OrderOf(ranked), (Bots{3, 1, 2, 0}));
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 2, 2, 4}));
}

TEST(Ranking, WhoLeftComesAfterWhoStayedAndIsLevelInEverythingElse) {
  std::vector<Contender> contenders = {With(0, 5, 2), With(1, 5, 2), With(2, 5, 1), With(3, 5, 3)};
  contenders[0].left = true;
  contenders[3].left = true;
  const auto ranked = Rank(contenders, {TieBreak::kWins}, Encounters(4));
  EXPECT_EQ(OrderOf(ranked), (Bots{3, 1, 0, 2}));
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 2, 3, 4}));
}

TEST(Ranking, IsByTheShareOfPointsThatCouldBeMade) {
  std::vector<Contender> contenders = {With(0, 6), With(1, 5), With(2, 0), With(3, 0), With(4, 3)};
  const int64_t possible[] = {12, 8, 0, 4, 6};
  for (Contender& each : contenders) each.possible = possible[each.bot];
  const auto ranked = Rank(contenders, {}, Encounters(5));
  EXPECT_EQ(OrderOf(ranked), (Bots{1, 0, 4, 3, 2})) << "5/8, 6/12 and 3/6, 0/4, and 0 of nothing";
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 2, 2, 4, 5}));
}

TEST(Ranking, DirectEncounterLooksAtThoseWhoAreLevelOnly) {
  Encounters encounters(3);
  Play(&encounters, 1, 0, 1);
  Play(&encounters, 2, 0, 0);
  Play(&encounters, 2, 1, 2);
  const auto ranked =
      Rank({With(0, 4), With(1, 4), With(2, 6)}, {TieBreak::kDirectEncounter}, encounters);
  EXPECT_EQ(OrderOf(ranked), (Bots{2, 1, 0}));
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 2, 3}));
  EXPECT_EQ(ranked[0].direct, absl::nullopt) << "it was level with nobody";
  EXPECT_EQ(ranked[1].direct, 4);
  EXPECT_EQ(ranked[2].direct, 0);
}

TEST(Ranking, DirectEncounterOfThreeIsLookedAtAgainForThoseWhoStayLevel) {
  Encounters encounters(4);
  // 0 beats 1, and draws with the others; 1 beats 2 and 3; 2 beats 3.
  Play(&encounters, 0, 1, 0);
  Play(&encounters, 0, 2, -1);
  Play(&encounters, 0, 3, -1);
  Play(&encounters, 1, 2, 1);
  Play(&encounters, 1, 3, 1);
  Play(&encounters, 2, 3, -1);
  const auto ranked = Rank({With(0, 9), With(1, 9), With(2, 9), With(3, 9)},
                           {TieBreak::kDirectEncounter}, encounters);
  EXPECT_EQ(OrderOf(ranked), (Bots{0, 1, 2, 3})) << "0 and 1 made 8 each, and 0 beat 1";
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 2, 3, 3}));
}

TEST(Ranking, DirectEncounterOfBotsThatHaveNotAllMetPutsFirstWhoIsOutOfReach) {
  Encounters encounters(3);
  Play(&encounters, 0, 1, 1);
  auto ranked =
      Rank({With(0, 4), With(1, 4), With(2, 4)}, {TieBreak::kDirectEncounter}, encounters);
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 1, 1})) << "2 might have won both";
  Play(&encounters, 1, 2, 1);
  ranked = Rank({With(0, 4), With(1, 4), With(2, 4)}, {TieBreak::kDirectEncounter}, encounters);
  EXPECT_EQ(OrderOf(ranked), (Bots{1, 0, 2}));
  EXPECT_EQ(RanksOf(ranked), (Bots{1, 2, 2})) << "0 and 2 have not met";
}

TEST(Ranking, TieBreaksComeOneAfterTheOther) {
  Encounters encounters(3);
  Play(&encounters, 0, 1, 1);
  const std::vector<Contender> contenders = {With(0, 4, 2), With(1, 4, 1), With(2, 4, 2)};
  EXPECT_EQ(RanksOf(Rank(contenders, {TieBreak::kWins, TieBreak::kDirectEncounter}, encounters)),
            (Bots{1, 1, 3}));
  EXPECT_EQ(OrderOf(Rank(contenders, {TieBreak::kWins, TieBreak::kDirectEncounter}, encounters)),
            (Bots{0, 2, 1}));
}

TEST(Encounters, OfABotAddUpToItsPoints) {
  Encounters encounters(4);
  const rating::BlockOutcome outcome{{{3, 0, 2}}, {{1, 2, 2}, {3, 1, 1}, {2, 1, 3}}};
  encounters.Add(outcome);
  for (size_t place = 0; place < 3; ++place) {
    int64_t sum = 0;
    for (const auto& [opponent, encounter] : encounters.of(outcome.pairing.bots[place])) {
      EXPECT_EQ(encounter.possible, 6) << "three matches";
      sum += encounter.points;
    }
    EXPECT_EQ(sum, rating::HalfPoints(outcome, place));
  }
  EXPECT_EQ(encounters.wins(3), 1);
  EXPECT_EQ(encounters.wins(0), 1) << "the other first place was shared";
  encounters.Annul(2);
  EXPECT_EQ(encounters.Between(3, 2).blocks, 0);
  EXPECT_EQ(encounters.Between(3, 0).blocks, 1);
}

TEST(Encounters, WinsAgainstABotThatIsAnnulledGo) {
  Encounters encounters(3);
  encounters.Add({{{0, 1}}, {{1, 2}, {2, 1}}});
  encounters.Add({{{0, 2}}, {{1, 2}, {1, 2}}});
  encounters.Annul(2);
  EXPECT_EQ(encounters.wins(0), 1);
  EXPECT_EQ(encounters.wins(1), 1);
  EXPECT_EQ(encounters.wins(2), 0);
}

}  // namespace
}  // namespace referee::schedule
