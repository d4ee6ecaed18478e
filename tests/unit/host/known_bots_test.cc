#include "referee/host/known_bots.h"

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/counting_game.h"
#include "tests/support/match_id.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::host {
namespace {

std::shared_ptr<MatchRunner> MatchOfAdaAndBob() {
  match::Setup setup;
  setup.id = referee::testing::NumberedId(1);
  setup.game = referee::testing::NewCountingGame({});
  setup.bots = {"ada", "bob"};
  return std::make_shared<MatchRunner>(setup, match::Ended(), 1, nullptr);
}

TEST(KnownBots, AreAddedOnce) {
  KnownBots bots;
  EXPECT_EQ(bots.Find("ada"), nullptr);
  const std::shared_ptr<Bot> ada = bots.FindOrAdd("ada");
  EXPECT_EQ(bots.FindOrAdd("ada"), ada);
  EXPECT_EQ(bots.Find("ada"), ada);
  EXPECT_THAT(bots.All(), ::testing::ElementsAre(ada));
}

TEST(KnownBots, GiveTheSlotsOfAMatchBySeatUntilItGivesThemUp) {
  KnownBots bots;
  const std::shared_ptr<MatchRunner> match = MatchOfAdaAndBob();
  EXPECT_FALSE(bots.GiveUpSlots(*match)) << "it has none";
  bots.TakeSlots(match);
  EXPECT_EQ(bots.Find("bob")->slots().at(0).seat, Seat(1));
  EXPECT_EQ(bots.BotsOf(*match).at(1), bots.Find("bob"));
  EXPECT_TRUE(bots.GiveUpSlots(*match));
  EXPECT_TRUE(bots.Find("bob")->slots().empty());
  EXPECT_FALSE(bots.GiveUpSlots(*match));
}

TEST(KnownBots, HaveNoSlotsForAGameThatTheyDoNotPlay) {
  KnownBots bots;
  EXPECT_FALSE(bots.SlotsOf("ada", "go", 1).able) << "not known";
  Hello hello;
  hello.games = {"go"};
  hello.max_matches = 2;
  bots.FindOrAdd("ada")->SetLink(std::make_shared<referee::testing::NotingLink>(), hello);
  EXPECT_EQ(bots.SlotsOf("ada", "go", 1).free, 2);
  EXPECT_TRUE(bots.SlotsOf("ada", "go", 2).able);
  EXPECT_FALSE(bots.SlotsOf("ada", "go", 3).able);
  EXPECT_FALSE(bots.SlotsOf("ada", "chess", 1).able);
}

}  // namespace
}  // namespace referee::host
