// Tests of the planner of a competition on plain values: no host, no store, no clock.
#include "referee/competition/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/base/limits.h"
#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::BotNotice;
using competition::Cancellation;
using competition::MatchEnd;
using competition::Planner;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Planner, BeginsABlockOfBotsThatHaveSlotsAndThenAsksForItsMatches) {
  Office office(schedule::Format::kRoundRobin, 3);
  office.situation.host.bots[0].free_slots = 1;  // a block needs two
  const auto begun = ChangesOf<store::BeginBlock>(office.Step());
  ASSERT_THAT(begun, SizeIs(1));
  EXPECT_EQ(begun[0].number, 0);
  EXPECT_EQ(office.planner.open().at(0).block.owner, kOwner);
  EXPECT_THAT(begun[0].pairing.bots, ::testing::UnorderedElementsAre(1, 2));
  EXPECT_THAT(office.made, ElementsAre(0));
}

TEST(Planner, BeginsNothingThatMayNotBeginOrForWhichTheHostHasNoRoom) {
  Office office(schedule::Format::kRoundRobin, 3);
  office.situation.may_begin = false;
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_THAT(office.planner.progress().waits_for, HasSubstr("the referee is stopping"));
  office.situation.may_begin = true;
  office.situation.host.running = 99;
  EXPECT_THAT(office.Step().changes, IsEmpty());
  office.situation.host.running = 98;
  office.situation.host.held_back = "the disk is full";
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_EQ(office.planner.progress().waits_for, "the disk is full");
  office.situation.host.held_back.clear();
  EXPECT_THAT(office.Step().changes, SizeIs(1));
}

TEST(Planner, UnderLoadPlaysOneBlockAtLeastAndSaysWhyItPlaysNoMore) {
  Office office(schedule::Format::kRoundRobin, 6);
  office.situation.host.max_running = 1;
  office.situation.host.load = "the referee is under load";
  EXPECT_THAT(office.Step().begun, SizeIs(1));
  EXPECT_EQ(office.planner.progress().waits_for, "the referee is under load");
  EXPECT_THAT(office.planner.Notices(), IsEmpty()) << "no bot can help that";
  office.situation.host.running = 2;
  EXPECT_THAT(office.Step().begun, IsEmpty());
  EXPECT_EQ(office.planner.progress().waits_for, "the referee is under load");
  office.situation.host.max_running = 100;
  office.situation.host.load.clear();
  EXPECT_THAT(office.Step().begun, SizeIs(2));
  EXPECT_EQ(office.planner.progress().waits_for, "");
}

TEST(Planner, ThatLacksPlacesForABlockTakesThoseThatBecomeFreeNextHoweverFewMayRun) {
  Office office(schedule::Format::kRoundRobin, 6);
  office.situation.host.max_running = 1;
  office.situation.host.running = 1;
  EXPECT_THAT(office.Step().begun, IsEmpty());
  EXPECT_TRUE(office.planner.takes_next_places()) << "another competition would keep it from them";
}

TEST(Planner, BeginsNoMoreBlocksThanItMay) {
  Office office(schedule::Format::kRoundRobin, 6);
  office.situation.max_blocks = 2;
  EXPECT_THAT(office.Step().begun, SizeIs(2));
  EXPECT_THAT(office.Step().begun, IsEmpty());
  EXPECT_FALSE(office.planner.takes_next_places());
  office.situation.max_blocks = 3;
  EXPECT_THAT(office.Step().begun, SizeIs(1));
}

TEST(Planner, WritesABlockOnceAllItsMatchesAreOverAndCountsIt) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.End(0, WonEnd());
  EXPECT_THAT(office.Step().changes, IsEmpty());
  office.End(1, WonEnd());
  office.End(77, VoidEnd());  // of another competition
  const Transaction transaction = office.Step();
  const auto finished = ChangesOf<store::FinishBlock>(transaction);
  ASSERT_THAT(finished, SizeIs(1));
  ASSERT_THAT(finished[0].matches, SizeIs(2));
  EXPECT_EQ(finished[0].matches[1].id, NumberedId(1));
  EXPECT_THAT(finished[0].matches[1].verdict.ranks, ElementsAre(1, 2));
  const auto counted = ChangesOf<store::CountBlocks>(transaction);
  ASSERT_THAT(counted, SizeIs(1));
  EXPECT_EQ(counted[0].to, 1);
  EXPECT_TRUE(office.planner.done());
  EXPECT_EQ(office.planner.progress().blocks_lately, 1);
}

TEST(Planner, CountsNothingBeforeTheBlockThatWasBegunFirst) {
  Office office(schedule::Format::kLadder, 4);
  office.row.spec.max_running = 2;
  office.Load({});
  ASSERT_THAT(office.Step().begun, SizeIs(2));
  office.EndBlock(2, WonEnd());
  const Transaction second = office.Step();
  EXPECT_THAT(ChangesOf<store::FinishBlock>(second),
              ElementsAre(Field(&store::FinishBlock::number, 1)));
  EXPECT_FALSE(second.count.has_value());
  office.EndBlock(0, WonEnd());
  const Transaction both = office.Step();
  ASSERT_TRUE(both.count.has_value());
  EXPECT_EQ(both.count->to, 2);
}

// A test that the next blocks that its first bot wins decide.
struct TestOffice : Office {
  TestOffice() : Office(schedule::Format::kTest, 2) {
    row.spec.sprt = rating::SprtTerms{-100, 100, 0.4, 0.4};
    row.spec.max_running = 3;
    situation.host.bots.assign(2, {true, 6, ""});
    planner.Load(
        {row, entrants, schedule::Schedule::Make(row.spec), {}, rating::Sprt(*row.spec.sprt)});
  }

  // Both matches of a block, whose first bot has seat b in rotation 1.
  void Win(int64_t number) {
    End(2 * number, WonEnd());
    MatchEnd other = WonEnd();
    other.verdict.ranks = {2, 1};
    End(2 * number + 1, other);
  }
};

TEST(Planner, StopsWhatIsPlayedWhenATestIsDecidedAndDropsIt) {
  TestOffice office;
  ASSERT_THAT(office.Step().begun, SizeIs(3));
  office.Win(2);
  EXPECT_FALSE(office.Step().count.has_value()) << "blocks before it are played";
  office.Win(0);
  const Transaction decision = office.Step();
  ASSERT_TRUE(decision.count.has_value());
  EXPECT_EQ(decision.count->to, 1);
  ASSERT_TRUE(decision.count->surplus.has_value());
  EXPECT_EQ(decision.count->surplus->from, 1);
  EXPECT_TRUE(decision.count->decides());
  EXPECT_THAT(decision.begun, IsEmpty());
  EXPECT_FALSE(office.planner.done());
  office.End(2, WonEnd());
  office.Step();
  // Block 3 was begun in the place of block 2, and its matches are the last.
  std::vector<MatchId> stopped;
  for (const Cancellation& cancellation : office.cancelled) stopped.push_back(cancellation.match);
  EXPECT_THAT(stopped, ElementsAre(NumberedId(3), NumberedId(6), NumberedId(7)));
  MatchEnd cancelled = VoidEnd();
  cancelled.verdict.ending = match::Ending::kCancelled;
  for (const int64_t match : {3, 6, 7}) office.End(match, cancelled);
  const Transaction last = office.Step();
  const auto dropped = ChangesOf<store::DropBlock>(last);
  ASSERT_THAT(dropped, SizeIs(2));
  EXPECT_EQ(dropped[0].number, 1);
  EXPECT_EQ(dropped[0].reason, "the test was decided by blocks before it");
  EXPECT_TRUE(dropped[0].failed.has_value());
  ASSERT_TRUE(last.count.has_value());
  EXPECT_EQ(last.count->to, 4);
  EXPECT_EQ(last.count->surplus->from, 1);
  EXPECT_THAT(last.count->pairs, IsEmpty());
  EXPECT_FALSE(last.count->decides());
  EXPECT_TRUE(office.planner.done());
}

TEST(Planner, GoesOnWithATestThatWasDecidedBeforeItWasLoaded) {
  TestOffice office;
  rating::BlockCounts counts;
  counts.AddBlocks(4, 3);
  office.row.counted = office.row.next_block = 3;
  office.planner.Load({office.row,
                       office.entrants,
                       schedule::Schedule::MakeTest(office.row.spec, 3),
                       {},
                       rating::Sprt(*office.row.spec.sprt, counts)});
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_TRUE(office.planner.done());
}

TEST(Planner, YieldsToOthersAndTakesTheNextPlacesItself) {
  Office office(schedule::Format::kRoundRobin, 3);
  office.situation.yields = true;
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_THAT(office.planner.progress().waits_for, HasSubstr("higher priority"));
  office.situation.yields = false;
  office.situation.host.running = 99;  // a block needs two places
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_TRUE(office.planner.takes_next_places());
  office.situation.host.bots[0].free_slots = 0;
  office.situation.host.bots[1].free_slots = 0;
  office.Step();
  EXPECT_FALSE(office.planner.takes_next_places()) << "it could not use them";
}

TEST(Planner, TellsAuthorsWhatKeepsTheirBotsFromPlaying) {
  Office office(schedule::Format::kLadder, 4);
  office.situation.host.bots[1].unable = "takes 1 match at once, and a block has 2";
  office.situation.host.bots[3] = {false, 0, ""};
  office.entrants[2].presence = store::Presence::kSetAside;
  office.entrants[2].reason = "did not answer in 3 matches in a row";
  office.entrants[3].presence = store::Presence::kSetAside;
  office.entrants[3].reason = "it hears nothing";
  office.Load({});
  office.planner.BeginStep(office.situation);
  const std::vector<BotNotice> notices = office.planner.Notices();
  ASSERT_THAT(notices, SizeIs(3));
  EXPECT_EQ(notices[0].bot, "bot0");
  EXPECT_THAT(notices[0].text, HasSubstr("'cup' waits: 'bot1' takes 1 match at once"));
  EXPECT_EQ(notices[1].bot, "bot1");
  EXPECT_THAT(notices[1].text, AllOf(HasSubstr("'cup' cannot begin a block"),
                                     HasSubstr("takes 1 match at once, and a block has 2"),
                                     HasSubstr("--max-matches 2")));
  EXPECT_EQ(notices[2].bot, "bot2");
  EXPECT_THAT(notices[2].text, HasSubstr("has set this bot aside: it did not answer in 3 matches"));
}

TEST(Planner, TellsAuthorsWhatItWaitsForUnlessItGoesOn) {
  Office office(schedule::Format::kLadder, 2);
  office.situation.host.bots[1] = {false, 0, ""};
  office.Step();
  ASSERT_THAT(office.planner.Notices(), SizeIs(1));
  EXPECT_EQ(office.planner.Notices()[0].bot, "bot0");
  EXPECT_EQ(office.planner.Notices()[0].text, "competition 'cup' waits: 'bot1' is not connected");
  office.situation.host.bots[1] = {true, 8, ""};
  office.Step();
  EXPECT_THAT(office.planner.Notices(), IsEmpty());
}

TEST(Planner, BlockThatIsSlowDoesNotStopTheOthersSoonNorLetThemGoOnForEver) {
  // So many that the ladder itself does not make them wait for the two that are slow.
  Office office(schedule::Format::kLadder, 300);
  office.row.spec.max_running = 2;
  office.Load({});
  office.Step();
  const int64_t slow = 0;
  int64_t begun = 2;
  for (bool any = true; any;) {
    office.EndBlock(office.next_match - 2, WonEnd());
    const Transaction step = office.Step();
    any = !step.begun.empty();
    begun += static_cast<int64_t>(step.begun.size());
    ASSERT_LT(begun, 10'000);
  }
  EXPECT_EQ(begun, limits::kMinUncountedBlocks);
  EXPECT_EQ(office.planner.now().row.counted, slow);
  office.EndBlock(0, WonEnd());
  const Transaction step = office.Step();
  ASSERT_TRUE(step.count.has_value());
  EXPECT_EQ(step.count->to, begun);
  EXPECT_THAT(office.made, ::testing::Not(IsEmpty()));
}

TEST(Planner, MakesNoMoreBlocksAtOnceThanABotHasPlacesFor) {
  Office office(schedule::Format::kGauntlet, 3);
  ASSERT_THAT(office.Step().begun, SizeIs(2));
  for (const int64_t match : {0, 1, 2, 3}) office.End(match, VoidEnd());
  office.situation.host.bots[0].free_slots = 3;  // the soloist's; each block needs two
  office.Step();
  EXPECT_THAT(office.made, SizeIs(1));
}

// Two blocks at once, of 10 s and 10.1 s, of bots that are all free only when both are over.
TEST(Planner, LooksAgainWhenALadderWillHaveWaitedLongEnoughForABetterOpponent) {
  Office office(schedule::Format::kLadder, 4);
  office.situation.host.max_running = 4;
  const auto end = [&](int64_t block) {
    office.EndBlock(2 * block, WonEnd());
    return office.Step().begun.size();
  };
  office.Step();
  office.Pass(absl::Seconds(10));
  EXPECT_EQ(end(0), 1u) << "nobody knows yet how long the others will take";
  office.Pass(absl::Milliseconds(100));
  EXPECT_EQ(end(1), 1u);
  office.Pass(absl::Milliseconds(9900));
  EXPECT_EQ(end(2), 0u);
  const Instant asks = office.planner.NextStep();
  EXPECT_GT(asks, office.situation.now);
  EXPECT_LT(asks, office.situation.now + absl::Seconds(2));
  office.situation.now = asks;
  EXPECT_THAT(office.Step().begun, SizeIs(1)) << "the others have not come";
}

TEST(Planner, WaitsForBlocksOfOtherRefereesWithShorterLooks) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  const Instant own = office.planner.NextStep();
  store::Block block = office.planner.open().at(0).block;
  block.owner = "another";
  office.Load({block});
  office.Step();
  EXPECT_LT(office.planner.NextStep(), own);
  EXPECT_FALSE(office.planner.done());
}

}  // namespace
}  // namespace referee::testing
