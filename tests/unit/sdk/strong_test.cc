// Tests of the decisions of the sample bot "strong".
//
// Its budget here is a number of steps, not a time, so that it decides the same on every machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "referee/games/rules.h"
#include "sample-bots/strong/hypnosia_player.h"
#include "sample-bots/strong/isaac_player.h"
#include "sample-bots/strong/strong_bot.h"

namespace strong {
namespace {

namespace rules = referee::games;

constexpr int64_t kSteps = 2000;

// What the player of `game` plays in a position.
std::string Chosen(const char* game_name, const char* position, int64_t steps = kSteps) {
  const std::shared_ptr<const rules::Game> game = rules::MakeGame(game_name, 2, {}).value();
  const std::unique_ptr<rules::State> state = game->ParsePosition(position).value();
  std::unique_ptr<Player> player;
  if (game->name() == "hypnosia") player = std::make_unique<HypnosiaPlayer>(*game);
  if (game->name() == "isaac") player = std::make_unique<IsaacPlayer>(*game);
  Budget budget = Budget::OfSteps(steps);
  return game->MoveText(player->Choose(*state, Luck(1), &budget));
}

TEST(StrongHypnosia, TakesTheLastPlaceOfTheCentreWhenThatWins) {
  // a stands on the bridge C1 and has a 1; b has a pawn that would come next.
  EXPECT_THAT(Chosen("hypnosia", "36/24/1a1b8 0000,0000 aabb 1,-1 - a 16"),
              ::testing::EndsWith("1:C1>X"));
}

TEST(StrongHypnosia, CapturesAStackWithAStack) {
  EXPECT_THAT(Chosen("hypnosia", "5A4B25/24/12 0011,0011 - 0,0 - a 25"),
              ::testing::HasSubstr("5:A5*>A10xx"));
}

TEST(StrongHypnosia, PlaysItsOnlyMoveWithoutThought) {
  EXPECT_EQ(Chosen("hypnosia", "36/24/1a9b 0000,0000 aabb 1,-1 - a 11", 0), "1:C1>X");
}

TEST(StrongIsaac, ReachesTheTargetWhenItCan) {
  // The 7 has three others and a's counter in its column: 36 points, from 80 past 100.
  EXPECT_THAT(Chosen("isaac", "b3h00,a3h04,a7v10,b3h80,b3h90 44320,24321 80,90 0,0 - S a a"),
              ::testing::StartsWith("x10v+"));
}

TEST(StrongIsaac, SeesThatALongPieceFirstLosesTheShortOnes) {
  // The 5 scores most at once, but only from the shortest up can a remove all three.
  const std::string move =
      Chosen("isaac", "a3h20,b3v24,a4h40,a5h70,b3v75 43221,34321 0,0 0,0 b S a a");
  EXPECT_THAT(move, ::testing::StartsWith("x20h"));
}

TEST(StrongIsaac, PlacesWithinItsBudget) {
  EXPECT_NE(Chosen("isaac", "- 54321,54321 0,0 0,0 - P a a", 100), "-");
}

TEST(BestByPlayouts, IsTheCandidateThatWinsMostOften) {
  Budget budget = Budget::OfSteps(4000);
  const size_t best = BestByPlayouts(8, Luck(1), &budget, [](size_t candidate, Luck luck) {
    return luck.Below(100) < (candidate == 5 ? 60 : 40) ? 1.0 : 0.0;
  });
  EXPECT_EQ(best, 5u);
  EXPECT_GE(budget.used(), 1);
  EXPECT_LT(budget.used(), 1.1);
}

TEST(TimeToThink, LeavesRoomForTheWayBackAndForMovesToCome) {
  const absl::Duration none = absl::InfiniteDuration();
  EXPECT_EQ(TimeToThink(absl::Milliseconds(500), none, none), absl::Milliseconds(200));
  EXPECT_EQ(TimeToThink(absl::Milliseconds(500), none, absl::Milliseconds(50)),
            absl::Milliseconds(50));
  EXPECT_EQ(TimeToThink(absl::Minutes(1), absl::Minutes(1), none), absl::Milliseconds(1500));
}

}  // namespace
}  // namespace strong
