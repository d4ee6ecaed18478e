// The host at one moment, as those see it who plan matches.
#include "referee/host/host_view.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::UnorderedElementsAre;

TEST(HostLook, TellsOfBotsAndOfMatchesThatWaitForThem) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 3);
  const HostFixture::Guest bob = hall.Come("bob", 1);
  const MatchId running = hall.Create({"ada", "bob"});
  const MatchId waiting = hall.Create({"ada", "eve"});
  const std::string game(hall.Request({"ada", "bob"}).game->name());
  const host::HostView view = hall.host->Look({{"ada", "bob", "eve"}, game, 2, {running, waiting}});
  EXPECT_EQ(view.running, 1);
  EXPECT_EQ(view.max_running, 100);
  ASSERT_EQ(view.bots.size(), 3u);
  EXPECT_TRUE(view.bots[0].connected);
  EXPECT_EQ(view.bots[0].free_slots, 2);
  EXPECT_EQ(view.bots[0].unable, "");
  EXPECT_EQ(view.bots[1].free_slots, 0);
  EXPECT_EQ(view.bots[1].unable, "takes 1 match at once, and a block has 2");
  EXPECT_FALSE(view.bots[2].connected);
  EXPECT_EQ(view.bots[2].unable, "");
  EXPECT_THAT(view.waiting, UnorderedElementsAre(waiting));
}

TEST(HostLook, ABotHasNoPlacesForAGameThatItDoesNotPlay) {
  HostFixture hall;
  host::Hello hello;
  hello.games = {"isaac"};
  hello.max_matches = 4;
  const auto link = std::make_shared<NotingLink>(&hall.clock);
  ASSERT_TRUE(hall.host->Attach("ada", link, hello).ok());
  const host::HostView view = hall.host->Look({{"ada"}, "hypnosia", 2, {}});
  EXPECT_EQ(view.bots[0].free_slots, 0);
  EXPECT_EQ(view.bots[0].unable, "does not play hypnosia");
  EXPECT_EQ(hall.host->Look({{"ada"}, "isaac", 2, {}}).bots[0].free_slots, 4);
}

}  // namespace
}  // namespace referee::testing
