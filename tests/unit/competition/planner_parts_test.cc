// Tests of the parts of a planner (planner.h), each alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/competition/absences.h"
#include "referee/competition/block_end.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/next_blocks.h"
#include "referee/competition/status.h"
#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::Absences;
using competition::ClosedBy;
using competition::CompetitionNow;
using competition::DecideEnd;
using competition::LateBots;
using competition::NextBlocks;
using competition::OpenBlocks;
using competition::SuspendedBots;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A RUNNING competition of bots that are connected and have eight free slots, at its home.
CompetitionNow NowOf(schedule::Format format, int bots) {
  CompetitionNow now;
  now.row.id = store::CompetitionId("cup");
  now.row.state = store::CompetitionState::kRunning;
  now.row.spec.name = "cup";
  now.row.spec.format = format;
  now.row.spec.absence_limit = absl::Minutes(10);
  std::vector<store::Entrant> entrants(static_cast<size_t>(bots));
  for (int bot = 0; bot < bots; ++bot) {
    entrants[static_cast<size_t>(bot)].number = bot;
    entrants[static_cast<size_t>(bot)].name = absl::StrCat("bot", bot);
  }
  now.SetEntrants(std::move(entrants));
  now.situation.now = Instant::FromNanos(1'000'000'000'000);
  now.situation.host.max_running = 100;
  now.situation.host.bots.assign(static_cast<size_t>(bots), {true, 8, ""});
  return now;
}

store::Block BlockOf(int64_t number, std::vector<int> bots) {
  store::Block block;
  block.competition = store::CompetitionId("cup");
  block.number = number;
  block.pairing.bots = std::move(bots);
  block.owner = kOwner;
  return block;
}

// One block of bots 0 and 1, whose matches were made and ended so.
OpenBlocks Ended(const CompetitionNow& now, const competition::MatchEnd& first,
                 const competition::MatchEnd& second) {
  OpenBlocks open;
  open.Add(BlockOf(0, {0, 1}), /*from_before=*/false);
  open.Made(0, {NumberedId(0), NumberedId(1)}, "block", now.situation.now);
  open.MatchEnded(NumberedId(0), first);
  open.MatchEnded(NumberedId(1), second);
  return open;
}

TEST(OpenBlocks, KeepWhatIsKnownOfAnAttemptThatGoesOnUnderTheSameLease) {
  const CompetitionNow now = NowOf(schedule::Format::kLadder, 2);
  OpenBlocks open;
  open.Add(BlockOf(0, {0, 1}), /*from_before=*/false);
  open.Made(0, {NumberedId(0), NumberedId(1)}, "block", now.situation.now);
  open.MatchEnded(NumberedId(1), WonEnd());
  const store::Block block = open.at(0).block;
  EXPECT_THAT(open.Load({block}, /*keep=*/true), IsEmpty());
  EXPECT_THAT(open.Unended(), ElementsAre(NumberedId(0)));
  EXPECT_THAT(open.Load({block}, /*keep=*/false), SizeIs(1)) << "that one is cancelled";
  EXPECT_THAT(open.Unended(), ElementsAre(NumberedId(0), NumberedId(1)));
}

TEST(OpenBlocks, TakeTheSlotsOfOneBlockBeforeTheyAskForTheNext) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 2);
  now.situation.host.bots[0].free_slots = 3;  // a block needs two
  OpenBlocks open;
  for (const int64_t number : {0, 1}) {
    open.Add(BlockOf(number, {0, 1}), /*from_before=*/false);
    open.CannotMake(number);
  }
  EXPECT_THAT(open.ToMake(&now), ElementsAre(0));
  EXPECT_LE(now.situation.host.bots[0].free_slots, 0) << "what is left is kept for the other";
}

TEST(DecideEnd, PlaysAVoidAttemptAgainUnlessItsTestIsDecidedByThen) {
  const CompetitionNow now = NowOf(schedule::Format::kLadder, 2);
  const OpenBlocks open = Ended(now, WonEnd(), VoidEnd());
  const auto again = DecideEnd(open.at(0), now, Absences(), /*decided=*/false);
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(std::holds_alternative<store::RetryBlock>(*again));
  EXPECT_FALSE(ClosedBy(*again, open.at(0).block).has_value());
  const auto dropped = DecideEnd(open.at(0), now, Absences(), /*decided=*/true);
  ASSERT_TRUE(dropped.has_value());
  const auto closed = ClosedBy(*dropped, open.at(0).block);
  ASSERT_TRUE(closed.has_value());
  EXPECT_EQ(closed->state, store::BlockState::kDropped);
  EXPECT_THAT(closed->attempts, SizeIs(1));
}

TEST(DecideEnd, HandsAVoidAttemptOverToTheHomeThatAnotherDaemonIs) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 2);
  now.home = {false, "another"};
  const OpenBlocks open = Ended(now, VoidEnd(), VoidEnd());
  const auto end = DecideEnd(open.at(0), now, Absences(), /*decided=*/false);
  ASSERT_TRUE(end.has_value());
  ASSERT_TRUE(std::holds_alternative<store::RetryBlock>(*end));
  EXPECT_EQ(std::get<store::RetryBlock>(*end).to, "another");
}

TEST(NextBlocks, BeginFirstWhatTheStoreDidNotTake) {
  CompetitionNow now = NowOf(schedule::Format::kRoundRobin, 4);
  now.row.spec.max_running = 1;
  const auto schedule = schedule::Schedule::Make(now.row.spec);
  NextBlocks next;
  const auto begun = [&] {
    competition::Transaction plan;
    next.Plan(now, OpenBlocks(), /*counted=*/0, schedule.get(), &plan);
    return ChangesOf<store::BeginBlock>(plan);
  };
  const auto refused = begun();
  ASSERT_THAT(refused, SizeIs(1));
  now.row.spec.max_running = 2;
  const auto taken = begun();
  ASSERT_THAT(taken, SizeIs(2));
  EXPECT_EQ(taken[0].pairing, refused[0].pairing);
  EXPECT_EQ(taken[1].number, 1);
  EXPECT_FALSE(next.Written(1));
  EXPECT_TRUE(next.Written(2));
  EXPECT_EQ(next.unwritten(), 0u);
}

TEST(NextBlocks, BotThatPlaysElsewhereHasOneBlockInItsQueue) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 3);
  for (host::BotView& bot : now.situation.host.bots) {
    bot.free_slots = 0;
    bot.plays_elsewhere = bot.connected;
  }
  const auto schedule = schedule::Schedule::Make(now.row.spec);
  const auto begun = [&](const OpenBlocks& open) {
    competition::Transaction plan;
    NextBlocks().Plan(now, open, /*counted=*/0, schedule.get(), &plan);
    return ChangesOf<store::BeginBlock>(plan);
  };
  EXPECT_THAT(begun(OpenBlocks()), SizeIs(1)) << "two of the three meet";
  OpenBlocks open;
  open.Add(BlockOf(0, {0, 1}), /*from_before=*/false);
  open.Made(0, {NumberedId(0), NumberedId(1)}, "block", now.situation.now);
  now.situation.host.waiting = {NumberedId(0)};
  open.NoteHost(now.situation.host, now.situation.now);
  EXPECT_THAT(begun(open), IsEmpty());
  now.situation.host.bots[2].plays_elsewhere = false;
  EXPECT_THAT(begun(OpenBlocks()), SizeIs(1)) << "of the two that play elsewhere";
}

TEST(NextBlocks, HelperOffersWhatItPlaysForTheHomeAsWell) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 2);
  now.home = {false, "home", "", true};
  now.situation.host.max_running = 4;
  EXPECT_EQ(OfferOf(now, OpenBlocks()).blocks, 2);
  OpenBlocks open;
  open.Add(BlockOf(0, {0, 1}), /*from_before=*/false);
  open.Made(0, {NumberedId(0), NumberedId(1)}, "block", now.situation.now);
  now.situation.host.running = 2;
  now.situation.host.bots.assign(2, {true, 6, ""});
  const store::Help offer = OfferOf(now, open);
  EXPECT_EQ(offer.blocks, 2);
  EXPECT_THAT(offer.places, ElementsAre(8, 8));
}

TEST(Absences, LastAsLongAsABotIsAwayAndWaitedFor) {
  CompetitionNow now = NowOf(schedule::Format::kRoundRobin, 2);
  now.situation.host.bots[1] = {};
  const Instant begun = now.situation.now;
  Absences absences;
  EXPECT_THAT(absences.Update(now, {0, 1}), IsEmpty());
  EXPECT_EQ(absences.NextLimit(now), begun + absl::Minutes(10));
  now.situation.now = begun + absl::Minutes(10);
  EXPECT_THAT(absences.Update(now, {}), IsEmpty()) << "nothing waits for it";
  EXPECT_EQ(absences.NextLimit(now), Instant::InfiniteFuture());
  absences.Update(now, {1});
  now.situation.now = now.situation.now + absl::Minutes(10);
  const auto removals = absences.Update(now, {1});
  ASSERT_THAT(removals, SizeIs(1));
  EXPECT_EQ(removals[0].bot, 1);
}

TEST(LateBots, AreSetAsideForAttemptsThatDidNotOverlap) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 2);
  competition::MatchEnd late = VoidEnd();
  late.verdict.times.seats.resize(2);
  late.verdict.times.late = Seat(0);  // bot 0 in rotation 0
  LateBots bots;
  for (int attempt = 0; attempt < limits::kLatesToSetAside; ++attempt) {
    const OpenBlocks open = Ended(now, late, VoidEnd());
    EXPECT_THAT(bots.Removals(now), IsEmpty());
    now.situation.now = now.situation.now + absl::Seconds(1);
    bots.Note(open.at(0), now.situation.now);
    bots.Note(open.at(0), now.situation.now);  // as another block that went on by then
  }
  ASSERT_THAT(bots.Removals(now), SizeIs(1));
  EXPECT_EQ(bots.Removals(now)[0].bot, 0);
  bots.Forget(0);
  EXPECT_THAT(bots.Removals(now), IsEmpty());
}

TEST(SuspendedBots, ComeBackOnlyAtTheHomeOfTheirLadder) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 1);
  std::vector<store::Entrant> entrants = now.entrants;
  entrants[0].presence = store::Presence::kSetAside;
  entrants[0].suspension = store::Suspension{now.situation.wall_now, absl::Minutes(1)};
  now.SetEntrants(entrants);
  SuspendedBots bots;
  bots.Update(now);
  EXPECT_THAT(bots.to_ping(), ElementsAre("bot0"));
  now.situation.host.bots[0].answered = now.situation.now;
  bots.Update(now);
  EXPECT_THAT(bots.answered(), ElementsAre(0));
  now.home.here = false;
  bots.Update(now);
  EXPECT_THAT(bots.answered(), IsEmpty());
  EXPECT_EQ(bots.NextLook(now), Instant::InfiniteFuture());
}

TEST(WaitsFor, NamesAtMostTwoBotsThatAreAway) {
  CompetitionNow now = NowOf(schedule::Format::kLadder, 4);
  const auto schedule = schedule::Schedule::Make(now.row.spec);
  EXPECT_EQ(WaitsFor(now, OpenBlocks(), *schedule), schedule->rests());
  now.situation.host.bots[0] = now.situation.host.bots[1] = {};
  EXPECT_EQ(WaitsFor(now, OpenBlocks(), *schedule), "'bot0' and 'bot1' are not connected");
  now.situation.host.bots[2] = {};
  EXPECT_EQ(WaitsFor(now, OpenBlocks(), *schedule), "'bot0' and 2 others are not connected");
}

}  // namespace
}  // namespace referee::testing
