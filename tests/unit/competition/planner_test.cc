// What a competition does next, decided from plain values: no host, no store, no clock.
#include "referee/competition/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::BotNotice;
using competition::Cancellation;
using competition::MatchEnd;
using competition::Planner;
using competition::Removal;
using competition::Situation;
using competition::StoredCompetition;
using ::testing::AllOf;
using ::testing::Contains;
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

// Lets the block that was made last come to nothing, and waits until it is made again.
void Void(Office* office, const MatchEnd& first, const MatchEnd& second) {
  office->End(office->next_match - 2, first);
  office->End(office->next_match - 1, second);
  office->Step();
  for (int i = 0; i < 60 && office->made.empty(); ++i) {
    office->Pass(absl::Seconds(1));
    office->Step();
  }
}

// Void since the bot in this seat was late.
MatchEnd Late(int seat) {
  MatchEnd end = VoidEnd();
  end.verdict.times.seats.resize(2);
  end.verdict.times.late = Seat(seat);
  return end;
}

TEST(Planner, PlaysAVoidBlockAgainAFewTimesAndThenGoesOnWithoutIt) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  std::vector<absl::Duration> waits;
  for (int attempt = 1; attempt < limits::kMaxBlockAttempts; ++attempt) {
    office.End(office.next_match - 2, WonEnd());
    office.End(office.next_match - 1, VoidEnd());
    const auto retried = ChangesOf<store::RetryBlock>(office.Step());
    ASSERT_THAT(retried, SizeIs(1)) << attempt;
    EXPECT_EQ(retried[0].failed.reason, "the referee stood still");
    EXPECT_THAT(retried[0].failed.matches[0].verdict.ranks, ElementsAre(1, 2));
    EXPECT_THAT(retried[0].failed.matches[1].verdict.ranks, IsEmpty());
    EXPECT_THAT(office.planner.TakeLog(), ElementsAre(HasSubstr("the referee stood still")));
    absl::Duration waited;
    for (; office.made.empty(); waited += absl::Seconds(1)) {
      office.Pass(absl::Seconds(1));
      office.Step();
    }
    waits.push_back(waited);
  }
  EXPECT_THAT(waits, ElementsAre(absl::ZeroDuration(), absl::Seconds(2), absl::Seconds(10)));
  office.End(office.next_match - 2, WonEnd());
  office.End(office.next_match - 1, VoidEnd());
  const Transaction last = office.Step();
  const auto dropped = ChangesOf<store::DropBlock>(last);
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].state, store::BlockState::kVoid);
  EXPECT_THAT(dropped[0].reason, HasSubstr("4 attempts came to nothing"));
  EXPECT_TRUE(dropped[0].failed.has_value());
  ASSERT_TRUE(last.count.has_value());
  EXPECT_EQ(last.count->to, 1);
  ASSERT_THAT(last.count->entrants, SizeIs(2));
  EXPECT_EQ(last.count->entrants[0].tally.conduct.voids, limits::kMaxBlockAttempts);
  EXPECT_EQ(last.count->entrants[0].tally.blocks, 0);
  EXPECT_TRUE(office.planner.done());
}

TEST(Planner, BotThatLeavesAVoidBlockAfterLosingAMatchOfItLosesBoth) {
  for (const bool waits : {false, true}) {
    Office office(schedule::Format::kLadder, 2);
    office.row.spec.max_running = 1;
    office.Load({});
    office.Step();
    const std::vector<int> bots = office.planner.open().at(0).block.pairing.bots;
    const int loser = bots[1];  // seat a wins, which is bots[0] in rotation 0
    if (waits) {
      // It leaves when the block waits to begin again.
      office.situation.host.bots[0].free_slots = 0;
      office.End(0, WonEnd());
      office.End(1, VoidEnd());
      office.Step();
    }
    office.entrants[static_cast<size_t>(loser)].presence = store::Presence::kWithdrawn;
    office.row.next_block = 1;
    office.row.replayed = waits ? 1 : 0;
    ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
    if (!waits) {
      office.End(0, WonEnd());
      office.End(1, VoidEnd());
    }
    const Transaction transaction = office.Step();
    const auto finished = ChangesOf<store::FinishBlock>(transaction);
    ASSERT_THAT(finished, SizeIs(1)) << waits;
    EXPECT_THAT(finished[0].forfeited_by, ElementsAre(loser));
    EXPECT_THAT(finished[0].reason, HasSubstr("has left after losing a match of it"));
    EXPECT_THAT(finished[0].matches[0].verdict.ranks, ElementsAre(1, 2));
    EXPECT_THAT(finished[0].matches[1].verdict.ranks, ElementsAre(2, 1));
    ASSERT_TRUE(transaction.count.has_value());
    for (const store::CountBlocks::Line& line : transaction.count->entrants) {
      EXPECT_EQ(line.tally.losses, line.entrant == loser ? 2 : 0);
      EXPECT_EQ(line.tally.wins, line.entrant == loser ? 0 : 2);
      EXPECT_EQ(line.tally.conduct.voids, 1);
    }
  }
}

// The bot at `place` of the first block of a ladder, which has begun, leaves.
void LeaveFirstBlock(Office* office, size_t place) {
  office->row.spec.max_running = 1;
  office->Load({});
  office->Step();
  const int bot = office->planner.open().at(0).block.pairing.bots[place];
  office->entrants[static_cast<size_t>(bot)].presence = store::Presence::kWithdrawn;
  office->row.next_block = 1;
  ASSERT_TRUE(office->planner.TakeOver(office->row, office->entrants));
}

TEST(Planner, BotThatLeavesAVoidBlockInWhichItLostNothingLosesNothing) {
  Office office(schedule::Format::kLadder, 2);
  LeaveFirstBlock(&office, 0);
  office.End(0, WonEnd());
  office.End(1, VoidEnd());
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].state, store::BlockState::kDropped);
  EXPECT_THAT(dropped[0].reason, HasSubstr("has left"));
}

TEST(Planner, BotThatLeavesABlockOfWhichARecordIsMissingLosesNothing) {
  Office office(schedule::Format::kLadder, 2);
  LeaveFirstBlock(&office, 1);
  office.End(0, WonEnd());
  MatchEnd unrecorded = VoidEnd();
  unrecorded.recorded = false;
  unrecorded.verdict.forfeits = {{Seat(0), match::Cause::kTimeout}};
  office.End(1, unrecorded);
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  ASSERT_TRUE(dropped[0].failed.has_value());
  EXPECT_TRUE(dropped[0].failed->matches[0].recorded);
  EXPECT_FALSE(dropped[0].failed->matches[1].recorded);
  EXPECT_THAT(dropped[0].failed->matches[1].verdict.forfeits, IsEmpty());
}

TEST(Planner, BotThatResignsOneMatchAndIsLateInTheOtherIsSetAsideAndLosesBoth) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  const int offender = office.planner.open().at(0).block.pairing.bots[1];
  // In rotation 1 it has seat a.
  for (int i = 1; i < limits::kLatesToSetAside; ++i) Void(&office, WonEnd(), Late(0));
  EXPECT_THAT(office.removed, IsEmpty());
  office.End(office.next_match - 2, WonEnd());
  office.End(office.next_match - 1, Late(0));
  office.Step();
  ASSERT_THAT(office.removed, SizeIs(1));
  EXPECT_EQ(office.removed[0].bot, offender);
  EXPECT_EQ(office.removed[0].out, store::Presence::kSetAside);
  EXPECT_THAT(office.removed[0].reason, HasSubstr("was late in 3 of its last 3 attempts"));
  office.entrants[static_cast<size_t>(offender)].presence = store::Presence::kSetAside;
  office.row.next_block = 1;
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const auto finished = ChangesOf<store::FinishBlock>(office.Step());
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_THAT(finished[0].forfeited_by, ElementsAre(offender));
  EXPECT_THAT(finished[0].matches[1].verdict.ranks, ElementsAre(2, 1));
}

TEST(Planner, OneStallThatMakesManyBlocksVoidSetsNobodyAside) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 4;
  office.Load({});
  office.Step();
  ASSERT_THAT(office.made, SizeIs(4));
  for (int64_t match = 0; match < 8; match += 2) {
    // The same bot each time, whatever its seat.
    const bool swapped = office.planner.open().at(match / 2).block.pairing.bots[0] != 0;
    office.End(match, Late(swapped ? 1 : 0));
    office.End(match + 1, VoidEnd());
  }
  office.Pass(absl::Seconds(1));
  office.Step();
  EXPECT_THAT(office.removed, IsEmpty());
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

TEST(Planner, CancelsABlockThatWaitsInTheHostForABotThatHasLeftAndDropsIt) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.situation.host.waiting = {NumberedId(0)};
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_THAT(office.cancelled, IsEmpty());
  office.entrants[1].presence = store::Presence::kWithdrawn;
  office.row.next_block = 1;
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  office.Step();
  ASSERT_THAT(office.cancelled, SizeIs(1));
  EXPECT_EQ(office.cancelled[0].match, NumberedId(0));
  EXPECT_EQ(office.cancelled[0].reason, "'bot1' has left");
  office.EndBlock(0, VoidEnd());
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].number, 0);
  EXPECT_EQ(dropped[0].state, store::BlockState::kDropped);
}

TEST(Planner, TakesOutABotThatWasAwayForTheAbsenceLimitWhileItsBlocksWaited) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.situation.host.bots[1] = {};
  const Instant begun = office.situation.now;
  office.Step();
  EXPECT_EQ(office.planner.progress().waits_for, "'bot1' is not connected");
  office.Pass(absl::Minutes(10) - absl::Seconds(1));
  office.Step();
  EXPECT_THAT(office.removed, IsEmpty());
  EXPECT_EQ(office.planner.NextStep(), begun + absl::Minutes(10));
  office.Pass(absl::Seconds(1));
  office.Step();
  ASSERT_THAT(office.removed, SizeIs(1));
  EXPECT_EQ(office.removed[0].bot, 1);
  EXPECT_EQ(office.removed[0].out, store::Presence::kWithdrawn);
  EXPECT_THAT(office.removed[0].reason, HasSubstr("was not connected for 10m"));
  EXPECT_TRUE(office.planner.stale());
}

TEST(Planner, TakesOutABotThatIsThereButTakesNoMatchesForTheAbsenceLimit) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.situation.host.bots[1].free_slots = 0;
  office.situation.host.bots[1].takes_none = true;
  office.Step();
  EXPECT_THAT(office.planner.progress().waits_for, HasSubstr("'bot1' has not 2 slots free"));
  office.Pass(absl::Minutes(10));
  office.Step();
  ASSERT_THAT(office.removed, SizeIs(1));
  EXPECT_THAT(office.removed[0].reason, HasSubstr("took no matches for 10m"));
}

TEST(Planner, DropsABlockOfALadderWhoseBotTakesNoMatchesAndGivesItTimeToBeDoneElsewhere) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 1;
  office.Load({});
  office.Step();
  // It has begun, and waits to begin again.
  office.situation.host.bots[1].free_slots = 0;
  office.situation.host.bots[1].takes_none = true;
  office.EndBlock(0, VoidEnd());
  office.Step();
  office.Pass(absl::Minutes(2) - absl::Seconds(1));
  EXPECT_THAT(ChangesOf<store::DropBlock>(office.Step()), IsEmpty());
  EXPECT_EQ(office.planner.NextStep(), office.situation.now + absl::Seconds(1));
  office.Pass(absl::Seconds(1));
  const auto dropped = ChangesOf<store::DropBlock>(office.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].reason, "'bot1' takes no matches");
}

// A ladder of two bots, of which the second takes no matches while their block waits to begin
// again.
class BotThatIsElsewhere : public ::testing::Test {
 protected:
  BotThatIsElsewhere() {
    office_.row.spec.max_running = 1;
    office_.Load({});
    office_.Step();
    TakesNone();
    office_.EndBlock(0, VoidEnd());
    office_.Step();
  }

  void TakesNone() { office_.situation.host.bots[1] = {true, 0, "", true}; }
  void IsGone() { office_.situation.host.bots[1] = {}; }
  void TakesMatches() { office_.situation.host.bots[1] = {true, 8, ""}; }

  Office office_{schedule::Format::kLadder, 2};
};

TEST_F(BotThatIsElsewhere, PlaysItsBlockAsSoonAsItComes) {
  office_.Pass(absl::Minutes(3));
  TakesMatches();
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  EXPECT_THAT(office_.made, Contains(0));
}

TEST_F(BotThatIsElsewhere, IsWaitedForFromThenOnWhenItIsGone) {
  office_.Pass(absl::Minutes(1));
  IsGone();
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  office_.Pass(absl::Seconds(9));
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  office_.Pass(absl::Seconds(1));
  const auto dropped = ChangesOf<store::DropBlock>(office_.Step());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].reason, "'bot1' is away");
}

TEST_F(BotThatIsElsewhere, IsNotWaitedForAnyLongerBecauseItComesAndGoes) {
  for (int i = 0; i < 15; ++i) {
    office_.Pass(absl::Seconds(4));
    IsGone();
    EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
    office_.Pass(absl::Seconds(4) - absl::Milliseconds(1));
    TakesNone();
    EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), IsEmpty());
  }
  office_.Pass(absl::Milliseconds(15));
  EXPECT_THAT(ChangesOf<store::DropBlock>(office_.Step()), SizeIs(1));
}

TEST(Planner, SetsTheBotsAsideOfABlockForWhichNoneWasReadyAgainAndAgain) {
  Office office(schedule::Format::kRoundRobin, 2);
  MatchEnd unready = VoidEnd();
  unready.unready = true;
  int64_t ended = 0;
  for (int step = 0; step < 100 && office.removed.empty(); ++step) {
    office.Step();
    for (; ended < office.next_match; ++ended) office.End(ended, unready);
    office.Pass(absl::Seconds(1));
  }
  EXPECT_EQ(office.next_match, 2 * limits::kSilencesToSetAside);
  ASSERT_THAT(office.removed, SizeIs(2));
  EXPECT_EQ(office.removed[0].out, store::Presence::kSetAside);
}

// Who reveals no nonce in rotation 0 can be ready in the others, which ask for none.
TEST(Planner, BotsThatAreReadyInSomeMatchesOfABlockAloneHoldUpNothing) {
  Office office(schedule::Format::kKnockout, 2);
  MatchEnd unready = VoidEnd();
  unready.unready = true;
  for (int64_t ended = 0, step = 0; step < 100 && office.removed.empty(); ++step) {
    office.Step();
    for (; ended < office.next_match; ++ended)
      office.End(ended, ended % 2 == 0 ? unready : VoidEnd());
    office.Pass(absl::Seconds(1));
  }
  EXPECT_EQ(office.next_match, 2 * limits::kSilencesToSetAside);
  EXPECT_THAT(office.removed, SizeIs(2));
}

TEST(Planner, PlansTheSameAgainWhenTheStoreDidNotTakeIt) {
  Office office(schedule::Format::kRoundRobin, 4);
  office.planner.BeginStep(office.situation);
  const Transaction refused(office.planner.Plan());
  const Transaction again(office.planner.Plan());
  ASSERT_THAT(refused.begun, SizeIs(2));
  ASSERT_THAT(again.begun, SizeIs(2));
  for (const size_t i : {0, 1}) EXPECT_EQ(again.begun[i].pairing, refused.begun[i].pairing);
}

TEST(Planner, NamesMatchesToTheStoreUntilItHasTakenThem) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.planner.BeginStep(office.situation);
  office.planner.Commit(office.planner.Plan());
  ASSERT_THAT(office.planner.BlocksToMake(), ElementsAre(0));
  office.planner.Made(0, {NumberedId(0), NumberedId(1)}, "block");
  for (int time = 0; time < 2; ++time) EXPECT_THAT(office.planner.open().Names(), SizeIs(1));
  office.planner.Named();
  EXPECT_THAT(office.planner.open().Names(), IsEmpty());
}

TEST(Planner, GivesUpMatchesOfABlockThatAnotherRefereeHasTakenOver) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  store::Block block = office.planner.open().at(0).block;
  block.owner = "another";
  const std::vector<Cancellation> lost = office.Load({block});
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].match, NumberedId(0));
  EXPECT_THAT(office.Step().changes, IsEmpty());
  EXPECT_EQ(office.planner.progress().blocks_running, 1);
}

TEST(Planner, GoesOnWithWhatItHasWhileTheLeaseIsTheSame) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.planner.GoOnUnder({kOwner, 1});
  EXPECT_FALSE(office.planner.stale());
}

// It lost the lease, and has another by now.
TEST(Planner, GivesUpWhatItHadBegunUnderALeaseThatHasEnded) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.planner.GoOnUnder({kOwner, 2});
  EXPECT_TRUE(office.planner.stale());
  EXPECT_FALSE(office.planner.TakeOver(office.row, office.entrants)) << "all is read again";
  // Claimed by another, and claimed back before that one had changed anything.
  const std::vector<Cancellation> lost = office.Load({office.planner.open().at(0).block});
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_EQ(lost[0].match, NumberedId(0));
  EXPECT_THAT(office.planner.open().Unended(), ElementsAre(NumberedId(0), NumberedId(1)));
  EXPECT_EQ(office.planner.lease(), (store::Lease{kOwner, 2}));
  office.End(0, WonEnd());
  EXPECT_THAT(office.Load({office.planner.open().at(0).block}), IsEmpty()) << "once";
}

TEST(Planner, KnowsHowMatchesEndedAfterItHasReadAllAgain) {
  Office office(schedule::Format::kRoundRobin, 2);
  office.Step();
  office.End(0, WonEnd());
  EXPECT_THAT(office.Load({office.planner.open().at(0).block}), IsEmpty());
  EXPECT_THAT(office.planner.open().Unended(), ElementsAre(NumberedId(1)));
  office.End(1, WonEnd());
  EXPECT_THAT(ChangesOf<store::FinishBlock>(office.Step()),
              ElementsAre(Field(&store::FinishBlock::number, 0)));
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

// --- Succession ---

// Another entrant takes the place of this one, with this rating.
void Succeed(Office* office, int bot, const rating::Rating& rating) {
  store::Entrant next;
  next.number = static_cast<int>(office->entrants.size());
  next.name = office->entrants[static_cast<size_t>(bot)].name;
  next.version = "2.0";
  next.tally.rating = rating;
  next.predecessor = bot;
  store::Entrant& before = office->entrants[static_cast<size_t>(bot)];
  before.presence = store::Presence::kWithdrawn;
  before.successor = next.number;
  office->entrants.push_back(next);
  office->situation.host.bots.push_back(office->situation.host.bots[static_cast<size_t>(bot)]);
  office->row = office->planner.now().row;
  ++office->row.version;
}

TEST(Planner, PairsWhoTookThePlaceOfAnotherByItsRating) {
  Office office(schedule::Format::kLadder, 3);
  office.entrants[0].tally.rating = {10, 2};
  office.entrants[1].tally.rating = {40, 2};
  office.row.spec.max_running = 1;
  std::vector<schedule::Entrant> known;
  for (const store::Entrant& entrant : office.entrants) known.push_back({entrant.tally.rating});
  office.planner.Load({office.row,
                       office.entrants,
                       schedule::Schedule::MakeLadder(office.row.spec, known, {}, 0),
                       {}});
  Succeed(&office, 2, {40, 8});
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const Transaction transaction = office.Step();
  ASSERT_THAT(transaction.begun, SizeIs(1));
  EXPECT_THAT(transaction.begun[0].pairing.bots, ::testing::UnorderedElementsAre(1, 3));
}

TEST(Planner, PlaysABlockAgainAlthoughAnotherTookThePlaceOfItsBot) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 1;
  office.Load({});
  office.Step();
  const int loser = office.planner.open().at(0).block.pairing.bots[1];
  office.End(0, WonEnd());
  office.End(1, VoidEnd());
  Succeed(&office, loser, {25, 8});
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const Transaction transaction = office.Step();
  EXPECT_THAT(ChangesOf<store::RetryBlock>(transaction), SizeIs(1))
      << "neither forfeited nor dropped";
  EXPECT_THAT(office.made, ::testing::Contains(0));
  // The bot itself leaves.
  office.End(2, WonEnd());
  office.End(3, VoidEnd());
  office.entrants.back().presence = store::Presence::kWithdrawn;
  office.row = office.planner.now().row;
  ++office.row.version;
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const auto finished = ChangesOf<store::FinishBlock>(office.Step());
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_THAT(finished[0].forfeited_by, ElementsAre(loser));
}

TEST(Planner, CountsWhatAllEntrantsOfABotHoldAsItsShare) {
  Office office(schedule::Format::kLadder, 4);
  office.row.spec.max_running = 2;  // a share of one block
  office.Load({});
  ASSERT_THAT(office.Step().begun, SizeIs(2));
  const std::vector<int> free = office.planner.open().at(1).block.pairing.bots;
  for (int bot = 0; bot < 4; ++bot) Succeed(&office, bot, {25, 8});
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  office.EndBlock(2, WonEnd());
  const Transaction transaction = office.Step();
  ASSERT_THAT(transaction.begun, SizeIs(1));
  EXPECT_THAT(transaction.begun[0].pairing.bots,
              ::testing::UnorderedElementsAre(free[0] + 4, free[1] + 4))
      << "the others still play for those whose place was taken";
}

}  // namespace
}  // namespace referee::testing
