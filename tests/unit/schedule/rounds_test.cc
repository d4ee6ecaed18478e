// Tests of the pairings of a schedule, round by round, as shown to people.
#include "referee/schedule/rounds.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/schedule/schedule.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

using ::testing::ElementsAre;

// "2:0-1" for round 2 of the bots 0 and 1.
std::vector<std::string> RoundsOf(const std::vector<RoundPairing>& pairings) {
  std::vector<std::string> text;
  for (const RoundPairing& pairing : pairings) {
    text.push_back(absl::StrCat(pairing.round, ":", absl::StrJoin(pairing.bots, "-")));
  }
  return text;
}

std::vector<RoundPairing> InOrder(const std::vector<std::vector<int>>& bots) {
  std::vector<RoundPairing> pairings;
  for (const std::vector<int>& each : bots) {
    pairings.emplace_back();
    pairings.back().bots = each;
  }
  return pairings;
}

TEST(NumberRounds, ABotPlaysOnceAtMostInARound) {
  std::vector<RoundPairing> pairings = InOrder({{0, 1}, {2, 3}, {0, 2}, {0, 3}, {1, 3}, {1, 2}});
  NumberRounds(4, kNoBot, &pairings);
  EXPECT_THAT(RoundsOf(pairings),
              ElementsAre("1:0-1", "1:2-3", "2:0-2", "3:0-3", "4:1-3", "5:1-2"));
  EXPECT_EQ(pairings[1].place, 1);
}

TEST(NumberRounds, TheSoloistOfAGauntletPlaysInAllOfARound) {
  std::vector<RoundPairing> pairings = InOrder({{0, 1}, {0, 2}, {0, 1}, {0, 3}});
  NumberRounds(4, 0, &pairings);
  EXPECT_THAT(RoundsOf(pairings), ElementsAre("1:0-1", "1:0-2", "1:0-3", "2:0-1"));
}

// Plays all that can begin; the bot with the lower number wins.
void PlayOut(Schedule* schedule, int bots, int64_t* number) {
  const std::vector<bool> free(static_cast<size_t>(bots), true);
  while (const absl::optional<rating::Pairing> next = schedule->Next(free, Instant())) {
    const bool first = next->bots[0] < next->bots[1];
    schedule->Played((*number)++, OutcomeOf(*next, {first ? 0 : 1, first ? 1 : 0}));
  }
}

TEST(SwissPairings, AddUpToThePointsOfTheTableWithByesAndWalkovers) {
  Spec spec = SpecOf(Format::kSwiss, 7);
  spec.rounds = 3;
  const std::unique_ptr<Schedule> swiss = Schedule::Make(spec);
  const std::vector<bool> free(7, true);
  int64_t number = 0;
  const absl::optional<rating::Pairing> first = swiss->Next(free, Instant());
  ASSERT_TRUE(first.has_value());
  const absl::optional<rating::Pairing> second = swiss->Next(free, Instant());
  ASSERT_TRUE(second.has_value());
  // A bot of the first block leaves while it is played: its opponent has a walkover.
  swiss->Withdraw(first->bots[1]);
  swiss->Dropped(number++);
  swiss->Played(number++, OutcomeOf(*second, {0, 1}));
  PlayOut(swiss.get(), 7, &number);
  ASSERT_TRUE(swiss->done());

  std::vector<int64_t> points(7, 0);
  int byes = 0;
  int walkovers = 0;
  for (const RoundPairing& pairing : swiss->Pairings()) {
    for (size_t place = 0; place < pairing.bots.size(); ++place) {
      points[pairing.bots[place]] += pairing.points[place];
    }
    byes += pairing.state == PairingState::kBye ? 1 : 0;
    walkovers += pairing.state == PairingState::kWalkover ? 1 : 0;
  }
  EXPECT_EQ(byes, 1) << "of seven bots, and then of six";
  EXPECT_EQ(walkovers, 1);
  for (int bot = 0; bot < 7; ++bot) EXPECT_EQ(LineOf(*swiss, bot).points, points[bot]) << bot;
  EXPECT_EQ(LineOf(*swiss, first->bots[0]).walkovers, 1);
  EXPECT_EQ(LineOf(*swiss, 6).byes, 1);
}

TEST(SwissPairings, ShowTheRoundThatIsBeingPlayed) {
  Spec spec = SpecOf(Format::kSwiss, 4);
  const std::unique_ptr<Schedule> swiss = Schedule::Make(spec);
  const std::vector<bool> free(4, true);
  ASSERT_TRUE(swiss->Next(free, Instant()).has_value());
  const std::vector<RoundPairing> pairings = swiss->Pairings();
  EXPECT_THAT(RoundsOf(pairings), ElementsAre("1:0-2", "1:1-3"));
  EXPECT_EQ(pairings[0].state, PairingState::kRunning);
  EXPECT_THAT(pairings[0].blocks, ElementsAre(0));
  EXPECT_EQ(pairings[1].state, PairingState::kWaiting);
}

TEST(KnockoutPairings, AreTheBracketWithByesAndWhoIsNotKnownYet) {
  const std::unique_ptr<Schedule> knockout = Schedule::Make(SpecOf(Format::kKnockout, 3));
  const std::vector<RoundPairing> ties = knockout->Pairings();
  EXPECT_THAT(RoundsOf(ties), ElementsAre("1:0", "1:1-2", "2:0--1"));
  EXPECT_EQ(ties[0].state, PairingState::kBye);
  EXPECT_EQ(ties[1].state, PairingState::kWaiting);
  EXPECT_EQ(ties[2].state, PairingState::kUnknown);
}

TEST(KnockoutPairings, SayByWhatEachTieWasDecided) {
  Spec spec = SpecOf(Format::kKnockout, 4);
  spec.extra_blocks = 1;
  const std::unique_ptr<Schedule> knockout =
      Schedule::Make(spec, [](int, int, int64_t) { return 1; });
  const std::vector<bool> free(4, true);
  // 0-3 is level twice, and goes by lot; 2 leaves.
  for (int64_t number = 0; number < 2; ++number) {
    std::vector<bool> two = free;
    two[1] = two[2] = false;
    const absl::optional<rating::Pairing> next = knockout->Next(two, Instant());
    ASSERT_TRUE(next.has_value());
    knockout->Played(number, OutcomeOf(*next, {0, 0}));
  }
  knockout->Withdraw(2);
  const std::vector<RoundPairing> ties = knockout->Pairings();
  ASSERT_EQ(ties.size(), 3u);
  EXPECT_EQ(ties[0].decision, TieDecision::kLot);
  EXPECT_EQ(ties[0].winner, 3);
  EXPECT_THAT(ties[0].points, ElementsAre(4, 4));
  EXPECT_THAT(ties[0].blocks, ElementsAre(0, 1));
  EXPECT_EQ(ties[1].state, PairingState::kWalkover);
  EXPECT_EQ(ties[1].winner, 1);
  EXPECT_THAT(ties[2].bots, ElementsAre(3, 1));
}

}  // namespace
}  // namespace referee::schedule
