// Tests of the snapshot of the host that planners see.
#include "referee/host/host_view.h"

#include <deque>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
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

TEST(HostLook, CountsWhatRunsAndWaitsByGameAndNotWhatIsOver) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 3);
  const HostFixture::Guest bob = hall.Come("bob", 3);
  hall.Create({"ada", "bob"});
  const MatchId waiting = hall.Create({"ada", "eve"});
  hall.Create({"bob", "eve"});
  const std::string game(hall.Request({"ada", "bob"}).game->name());
  host::HostCounts counts = hall.host->Count();
  EXPECT_EQ(counts.bots, 2);
  EXPECT_THAT(counts.matches, SizeIs(1));
  EXPECT_EQ(counts.matches[game].running, 1);
  EXPECT_EQ(counts.matches[game].waiting, 2);
  EXPECT_TRUE(hall.host->Cancel(waiting, "no more").ok());
  hall.host->HoldBack("the disk is full");
  counts = hall.host->Count();
  EXPECT_EQ(counts.matches[game].waiting, 1);
  EXPECT_EQ(counts.held_back, "the disk is full");
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

host::Hello OneTurnAtATime(int max_matches) {
  host::Hello hello;
  hello.max_matches = max_matches;
  hello.parallel_turns = 1;
  return hello;
}

TEST(HostLook, ABotThatThinksAboutOneTurnAtATimeTakesOneMatchOrOneBlock) {
  HostFixture hall;
  const auto link = std::make_shared<NotingLink>(&hall.clock);
  ASSERT_TRUE(hall.host->Attach("ada", link, OneTurnAtATime(8)).ok());
  const HostFixture::Guest bob = hall.Come("bob", 8);
  const std::string game(hall.Request({"ada", "bob"}).game->name());
  EXPECT_EQ(hall.host->Look({{"ada"}, game, 1, {}}).bots[0].free_slots, 1);
  EXPECT_EQ(hall.host->Look({{"ada"}, game, 6, {}}).bots[0].free_slots, 6);
  EXPECT_EQ(hall.host->Look({{"ada"}, game, 6, {}}).bots[0].unable, "");
  EXPECT_EQ(hall.host->Look({{"ada"}, game, 9, {}}).bots[0].unable,
            "takes 8 matches at once, and a block has 9");
  hall.Create({"ada", "bob"});
  EXPECT_EQ(hall.host->running(), 1);
  EXPECT_EQ(hall.host->Look({{"ada"}, game, 1, {}}).bots[0].free_slots, 0);
  EXPECT_EQ(hall.host->Look({{"ada"}, game, 2, {}}).bots[0].free_slots, 0);
  hall.Create({"ada", "bob"});
  EXPECT_EQ(hall.host->running(), 1) << "the second waits for the end of the first";
}

// Two matches at a time, one after the other, so that ada always plays one of them.
TEST(HostLook, ABotIsKeptForABlockThatOverlappingMatchesHaveOvertakenOften) {
  HostFixture hall;
  const auto link = std::make_shared<NotingLink>(&hall.clock);
  host::Hello hello;
  hello.max_matches = 8;
  hello.parallel_turns = 2;
  ASSERT_TRUE(hall.host->Attach("ada", link, hello).ok());
  for (const char* other : {"bob", "cid", "dan"}) hall.Come(other, 100);
  const std::string game(hall.Request({"ada", "bob"}).game->name());
  const auto create = [&] {
    hall.clock.Advance(absl::Milliseconds(1));
    return hall.Create({"ada", "bob"});
  };
  std::deque<MatchId> running = {create(), create()};
  hall.clock.Advance(absl::Milliseconds(1));
  const MatchId block =
      hall.host->CreateBlock({hall.Request({"ada", "cid", "dan"}), {}}, "").value().front();
  const auto has_begun = [&] { return hall.host->running() > 2; };
  for (int i = 0; i < 100 && !has_begun(); ++i) {
    running.push_back(create());
    ASSERT_TRUE(hall.host->Cancel(running.front(), "").ok());
    running.pop_front();
    EXPECT_LE(hall.host->Look({{"ada"}, game, 1, {}}).bots[0].free_slots, 1);
  }
  EXPECT_TRUE(has_begun());
  EXPECT_TRUE(hall.host->Look({{}, game, 1, {block}}).waiting.empty());
}

TEST(HostNotice, IsToldOnceALink) {
  HostFixture hall;
  hall.host->TellNotice("ada", "nobody hears this");
  const HostFixture::Guest ada = hall.Come("ada");
  hall.host->TellNotice("ada", "a");
  hall.host->TellNotice("ada", "a");
  hall.host->TellNotice("ada", "b");
  EXPECT_THAT(ada.link->notices, ElementsAre("a", "b"));
  const HostFixture::Guest again = hall.Come("ada");
  hall.host->TellNotice("ada", "a");
  EXPECT_THAT(again.link->notices, ElementsAre("a"));
}

TEST(HostNotice, AreToldHoweverManyCameBefore) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  for (int i = 0; i < 100; ++i) hall.host->TellNotice("ada", absl::StrCat(i));
  EXPECT_THAT(ada.link->notices, SizeIs(100));
  for (int i = 0; i < 100; ++i) hall.host->TellNotice("ada", absl::StrCat(i));
  EXPECT_THAT(ada.link->notices, SizeIs(100)) << "those were told";
}

TEST(HostNotice, AreRememberedOnlySoLong) {
  constexpr size_t kMost = host::Bot::kRememberedNotices;
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  for (size_t i = 0; i <= kMost; ++i) hall.host->TellNotice("ada", absl::StrCat(i));
  hall.host->TellNotice("ada", "1");
  EXPECT_THAT(ada.link->notices, SizeIs(kMost + 1));
  hall.host->TellNotice("ada", "0");
  EXPECT_THAT(ada.link->notices, SizeIs(kMost + 2)) << "the oldest was forgotten";
}

}  // namespace
}  // namespace referee::testing
