// Tests of how competitions handle slow, silent and offline bots, void blocks, and a failing store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Player> Four() {
  std::vector<Player> players(4);
  const char* names[] = {"ada", "bob", "cyd", "dan"};
  for (size_t i = 0; i < players.size(); ++i) players[i].name = names[i];
  return players;
}

const std::vector<std::string> kNames = {"ada", "bob", "cyd", "dan"};

std::string WaitsFor(CompetitionFixture* contest) {
  return contest->competitions().Get("cup").value().waits_for;
}

bool Plays(const store::Block& block, int bot) {
  const std::vector<int>& bots = block.pairing.bots;
  return std::find(bots.begin(), bots.end(), bot) != bots.end();
}

TEST(CompetitionConduct, SlowBotHoldsNoMoreThanItsShareAndResultsCountInOrder) {
  CompetitionFixture contest(Four());
  for (const std::string& name : kNames) contest.player(name).thinks = absl::Milliseconds(1);
  contest.player("ada").thinks = absl::Milliseconds(400);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames);
  spec.max_running = 4;
  contest.Start(spec);
  int64_t most_held = 0;
  bool ran_ahead = false;
  ASSERT_TRUE(contest.RunUntil([&] {
    const store::Competition row = contest.Row();
    int64_t held = 0;
    int64_t first_open = row.next_block;
    int64_t played_after = 0;
    for (const store::Block& block : contest.blocks()) {
      if (block.state == store::BlockState::kRunning) {
        first_open = std::min(first_open, block.number);
        if (Plays(block, 0)) ++held;
      } else if (block.number > first_open) {
        ++played_after;
      }
    }
    EXPECT_LE(row.counted, first_open);
    most_held = std::max(most_held, held);
    ran_ahead = ran_ahead || played_after > 0;
    return row.counted >= 60;
  }));
  // Four places of two seats, four bots: two each.
  EXPECT_EQ(most_held, 2);
  EXPECT_TRUE(ran_ahead);
}

TEST(CompetitionConduct, BotThatResignsBeforeTheStartIsSetAsideAndHoldsNobodyUp) {
  CompetitionFixture contest(Four());
  contest.player("ada").resigns = true;
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames));
  const absl::Time from = contest.clock().WallNow();
  ASSERT_TRUE(contest.RunUntil(
      [&] { return contest.EntrantOf("ada").presence == store::Presence::kSetAside; }));
  EXPECT_LT(contest.clock().WallNow() - from, limits::kReadyLimit);
  EXPECT_THAT(contest.EntrantOf("ada").reason, HasSubstr("resigned before its first turn"));
  for (const store::Block& block : contest.blocks()) {
    if (block.state != store::BlockState::kPlayed || !Plays(block, 0)) continue;
    EXPECT_THAT(store::OutcomeOf(block).ranks[0], ::testing::UnorderedElementsAre(1, 2));
  }
}

TEST(CompetitionConduct, BotThatDoesNotAnswerThreeTimesIsSetAsideAndToldWhy) {
  CompetitionFixture contest(Four());
  contest.player("ada").answers = false;
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames);
  spec.max_running = 2;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunUntil(
      [&] { return contest.EntrantOf("ada").presence == store::Presence::kSetAside; }));
  const store::Entrant ada = contest.EntrantOf("ada");
  EXPECT_EQ(ada.tally.silences, 3);
  EXPECT_THAT(ada.reason, AllOf(HasSubstr("did not answer in 3 matches in a row"),
                                HasSubstr("refctl competition join 'cup' --bot 'ada'")));
  const int64_t begun = ada.blocks_begun;
  const int64_t counted = contest.Row().counted;
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= counted + 20; }));
  EXPECT_EQ(contest.EntrantOf("ada").blocks_begun, begun);
  contest.player("ada").answers = true;
  ASSERT_TRUE(contest.competitions().Join("cup", "ada", "ada").ok());
  ASSERT_TRUE(contest.RunUntil([&] { return contest.EntrantOf("ada").blocks_begun > begun + 2; }));
}

TEST(CompetitionConduct, FormatThatEndsGoesOnWithoutABotThatIsSetAside) {
  CompetitionFixture contest(Four());
  contest.player("ada").answers = false;
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, kNames);
  spec.rounds = 3;
  spec.max_running = 1;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.EntrantOf("ada").presence, store::Presence::kSetAside);
  EXPECT_EQ(contest.EntrantOf("ada").tally.blocks, 3);
  EXPECT_THAT(contest.EntrantOf("ada").reason, HasSubstr("plays no more in this competition"));
}

TEST(CompetitionConduct, FormatThatEndsDoesSoThoughNoBotIsEverReady) {
  CompetitionFixture contest(Four());
  contest.player("ada").readies = false;
  contest.player("bob").readies = false;
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"}));
  ASSERT_TRUE(contest.RunToEnd());
  for (const char* bot : {"ada", "bob"}) {
    EXPECT_EQ(contest.EntrantOf(bot).presence, store::Presence::kSetAside) << bot;
    EXPECT_THAT(contest.EntrantOf(bot).reason, HasSubstr("plays no more in this competition"));
  }
}

TEST(CompetitionConduct, BlockForWhichNobodyIsReadyIsDroppedWithItsBots) {
  CompetitionFixture contest(Four());
  contest.player("ada").readies = false;
  contest.player("bob").readies = false;
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob"}));
  ASSERT_TRUE(contest.RunUntil(
      [&] { return contest.EntrantOf("bob").presence == store::Presence::kSetAside; },
      absl::Minutes(2)));
  EXPECT_THAT(contest.EntrantOf("ada").reason,
              AllOf(HasSubstr("was not ready for 3 matches in a row of block 0"),
                    HasSubstr("refctl competition join 'cup' --bot 'ada'")));
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 1; }));
  EXPECT_EQ(contest.blocks()[0].state, store::BlockState::kDropped);
  contest.player("ada").readies = true;
  for (const char* bot : {"ada", "bob"}) {
    ASSERT_TRUE(contest.competitions().Join("cup", bot, bot).ok());
  }
  ASSERT_TRUE(contest.RunUntil([&] { return contest.EntrantOf("ada").tally.blocks >= 2; }));
}

TEST(CompetitionConduct, VoidBlockOfALadderWaitsForAnAbsentBotOnlyForAShortWhile) {
  CompetitionFixture contest(Four());
  contest.player("ada").thinks = absl::Milliseconds(100);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames);
  spec.max_running = 1;
  contest.Start(spec);
  int64_t number = -1;
  ASSERT_TRUE(contest.RunUntil([&] {
    for (const store::Block& block : contest.blocks()) {
      if (block.state != store::BlockState::kRunning || block.matches.empty()) continue;
      if (!Plays(block, 0)) continue;
      number = block.number;
      return contest.host().Cancel(block.matches[0].id, "for a test").ok();
    }
    return false;
  }));
  contest.Disconnect("ada");
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted > number; }, absl::Minutes(1)));
  EXPECT_EQ(contest.blocks()[number].state, store::BlockState::kDropped);
  EXPECT_EQ(contest.EntrantOf("ada").presence, store::Presence::kIn);
}

TEST(CompetitionConduct, BotsThatAreAwayAreWaitedForByName) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Disconnect("cyd");
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, kNames));
  contest.RunFor(absl::Minutes(30));
  EXPECT_THAT(contest.blocks(), SizeIs(3));
  EXPECT_EQ(WaitsFor(&contest), "'cyd' is not connected");
  contest.Connect("cyd");
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_THAT(contest.blocks(), SizeIs(6));
}

TEST(CompetitionConduct, CompetitionWhoseBotsAreAllAwayEndsWithoutThem) {
  CompetitionFixture contest(Four());
  contest.Boot();
  for (const std::string& name : kNames) contest.Disconnect(name);
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, kNames));
  contest.RunFor(absl::Minutes(1));
  EXPECT_EQ(WaitsFor(&contest), "'ada' and 3 others are not connected");
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_TRUE(contest.blocks().empty());
}

TEST(CompetitionConduct, BotThatIsAwayTooLongIsWithdrawn) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Disconnect("cyd");
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, kNames));
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.EntrantOf("cyd").presence, store::Presence::kWithdrawn);
  EXPECT_THAT(contest.EntrantOf("cyd").reason, HasSubstr("was not connected for 1h"));
  EXPECT_THAT(contest.blocks(), SizeIs(3));
}

TEST(CompetitionConduct, LadderWaitsForBotsForAsLongAsItTakes) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Disconnect("ada");
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob"}));
  contest.RunFor(absl::Hours(5));
  EXPECT_EQ(contest.EntrantOf("ada").presence, store::Presence::kIn);
  EXPECT_EQ(WaitsFor(&contest), "'ada' is not connected");
  contest.Connect("ada");
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 3; }));
}

TEST(CompetitionConduct, LaddersWithTheSameBotsTakeTurnsAndACupDoesNotWaitForThem) {
  CompetitionFixture contest(Four());
  contest.player("ada").max_matches = 2;
  contest.player("bob").max_matches = 2;
  contest.Boot();
  schedule::Spec ladder = CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob"});
  for (const char* name : {"first", "second", "third"}) {
    ladder.name = name;
    contest.Start(ladder);
  }
  const auto counted = [&](const char* name) { return contest.Row(name).counted; };
  ASSERT_TRUE(contest.RunUntil([&] { return counted("first") >= 20; }));
  EXPECT_GE(counted("second"), 18);
  EXPECT_GE(counted("third"), 18);

  schedule::Spec cup = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"});
  cup.rounds = 10;
  contest.Start(cup);
  const int64_t before = counted("first");
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_LE(counted("first"), before + 1);
}

TEST(CompetitionConduct, VoidBlockIsPlayedAgainWithOtherMatches) {
  CompetitionFixture contest(Four());
  contest.player("ada").thinks = absl::Milliseconds(100);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"}));
  ASSERT_TRUE(contest.RunUntil(
      [&] { return contest.blocks().size() == 1 && !contest.blocks()[0].matches.empty(); }));
  const MatchId first = contest.blocks()[0].matches[0].id;
  ASSERT_TRUE(contest.host().Cancel(first, "for a test").ok());
  ASSERT_TRUE(contest.RunToEnd());
  ASSERT_THAT(contest.blocks(), SizeIs(1));
  const store::Block block = contest.blocks()[0];
  EXPECT_EQ(block.attempt, 1);
  EXPECT_EQ(block.state, store::BlockState::kPlayed);
  EXPECT_NE(block.matches[0].id, first);
  EXPECT_EQ(contest.Row().replayed, 1);
}

TEST(CompetitionConduct, VoidBlockOfABotThatLeftIsDropped) {
  CompetitionFixture contest(Four());
  contest.player("ada").thinks = absl::Milliseconds(100);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"}));
  ASSERT_TRUE(contest.RunUntil(
      [&] { return contest.blocks().size() == 1 && !contest.blocks()[0].matches.empty(); }));
  ASSERT_TRUE(contest.competitions().Leave("cup", "ada", "ada").ok());
  ASSERT_TRUE(contest.host().Cancel(contest.blocks()[0].matches[0].id, "for a test").ok());
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.blocks()[0].state, store::BlockState::kDropped);
}

// ada resigns one match of the block, leaves, and the other is cancelled.
void ResignOneAndLeave(CompetitionFixture* contest) {
  ASSERT_TRUE(contest->RunUntil(
      [&] { return contest->blocks().size() == 1 && !contest->blocks()[0].matches.empty(); }));
  const store::Block block = contest->blocks()[0];
  const Seat ada(block.pairing.bots[0] == 0 ? 0 : 1);  // in rotation 0
  const auto resigned = contest->host().Find(block.matches[0].id);
  ASSERT_TRUE(contest->RunUntil([&] { return resigned->begun(); }));
  contest->RunFor(absl::Milliseconds(100));
  resigned->Post(match::Resigned{ada}, contest->clock().Now());
  ASSERT_TRUE(
      contest->RunUntil([&] { return resigned->match()->state().phase() == games::Phase::kOver; }));
  ASSERT_TRUE(contest->competitions().Leave("cup", "ada", "ada").ok());
  ASSERT_TRUE(contest->host().Cancel(block.matches[1].id, "for a test", "olga").ok());
}

TEST(CompetitionConduct, BotThatResignsOneMatchAndLeavesLosesTheOtherThatIsVoidToo) {
  for (const bool killed : {false, true}) {
    CompetitionFixture contest(Four());
    contest.player("ada").thinks = absl::Milliseconds(400);
    contest.Boot();
    contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"}));
    ResignOneAndLeave(&contest);
    if (killed) {
      contest.Kill();
      contest.Boot();
    }
    ASSERT_TRUE(contest.RunToEnd());
    const store::Block block = contest.blocks()[0];
    EXPECT_EQ(block.state, store::BlockState::kPlayed);
    EXPECT_THAT(block.forfeited_by, ::testing::ElementsAre(0));
    EXPECT_THAT(block.attempts, SizeIs(1));
    EXPECT_EQ(block.attempts[0].ending, match::Ending::kCancelled);
    EXPECT_THAT(block.attempts[0].reason, HasSubstr("for a test"));
    EXPECT_EQ(block.attempts[0].cancelled_by, "olga");
    EXPECT_EQ(contest.EntrantOf("ada").tally.losses, 2);
    EXPECT_EQ(contest.EntrantOf("bob").tally.wins, 2);
    EXPECT_EQ(contest.EntrantOf("bob").tally.conduct.voids, 1);
    EXPECT_LT(contest.EntrantOf("ada").tally.rating.mu, contest.EntrantOf("bob").tally.rating.mu);
  }
}

TEST(CompetitionConduct, BlockThatIsCancelledAgainAndAgainIsGivenUpAndTheOthersCount) {
  CompetitionFixture contest(Four());
  contest.player("ada").thinks = absl::Milliseconds(100);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"});
  spec.rounds = 2;
  spec.max_running = 1;
  contest.Start(spec);
  std::vector<MatchId> cancelled;
  ASSERT_TRUE(contest.RunUntil([&] {
    const std::vector<store::Block> blocks = contest.blocks();
    if (blocks.empty()) return false;
    if (blocks[0].state != store::BlockState::kRunning) return true;
    if (blocks[0].matches.empty()) return false;
    const MatchId& first = blocks[0].matches[0].id;
    if (cancelled.empty() || cancelled.back() != first) {
      cancelled.push_back(first);
      EXPECT_TRUE(contest.host().Cancel(first, "for a test").ok());
    }
    return false;
  }));
  ASSERT_TRUE(contest.RunToEnd());
  const std::vector<store::Block> blocks = contest.blocks();
  ASSERT_THAT(blocks, SizeIs(2));
  EXPECT_EQ(blocks[0].state, store::BlockState::kVoid);
  EXPECT_THAT(blocks[0].reason, HasSubstr("for a test"));
  ASSERT_EQ(blocks[0].attempts.size(), cancelled.size());
  for (size_t i = 0; i < cancelled.size(); ++i) {
    EXPECT_EQ(blocks[0].attempts[i].matches[0].id, cancelled[i]);
  }
  EXPECT_EQ(blocks[1].state, store::BlockState::kPlayed);
  EXPECT_EQ(contest.Row().counted, 2);
  EXPECT_EQ(contest.EntrantOf("ada").tally.blocks, 1);
}

TEST(CompetitionConduct, PausedCompetitionBeginsNothing) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames));
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 5; }));
  ASSERT_TRUE(contest.competitions().Pause("cup", "local").ok());
  contest.RunFor(absl::Minutes(1));
  const store::Competition row = contest.Row();
  EXPECT_EQ(row.counted, row.next_block);
  contest.RunFor(absl::Hours(1));
  EXPECT_EQ(contest.Row().next_block, row.next_block);
  ASSERT_TRUE(contest.competitions().Resume("cup", "local").ok());
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= row.counted + 5; }));
}

TEST(CompetitionConduct, StoreThatIsFullLosesNothing) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, kNames));
  ASSERT_TRUE(contest.RunUntil([&] { return !contest.blocks().empty(); }));
  contest.process_store().apply_status = absl::ResourceExhaustedError("the disk is full");
  contest.RunFor(absl::Minutes(10));
  EXPECT_EQ(WaitsFor(&contest), "the disk is full");
  EXPECT_THAT(contest.log(), ::testing::Contains(HasSubstr("the disk is full")).Times(1));
  contest.process_store().apply_status = absl::OkStatus();
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_THAT(contest.blocks(), SizeIs(6));
  EXPECT_EQ(contest.Row().counted, 6);
  EXPECT_EQ(contest.Row().replayed, 0);
}

TEST(CompetitionConduct, BotThatTakesOneMatchAtATimeIsToldThatABlockHasMore) {
  std::vector<Player> players = Four();
  players[0].max_matches = 1;
  CompetitionFixture contest(players);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"}));
  contest.RunFor(absl::Minutes(1));
  const std::string why = "takes 1 match at once, and a block has 2";
  EXPECT_EQ(WaitsFor(&contest), "'ada' " + why);
  EXPECT_EQ(contest.competitions().Standings("cup")->standings.front().remark, why);
  EXPECT_THAT(contest.blocks(), IsEmpty());
  // It is as good as one that is away.
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.EntrantOf("ada").presence, store::Presence::kWithdrawn);
  EXPECT_THAT(contest.EntrantOf("ada").reason, HasSubstr(why + ", for 1h"));
}

TEST(CompetitionConduct, BotThatIsThereButTakesNoMatchesHoldsUpNobodyForEver) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Divide("ada", 0);
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, kNames));
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.EntrantOf("ada").presence, store::Presence::kWithdrawn);
  EXPECT_THAT(contest.EntrantOf("ada").reason, HasSubstr("took no matches for 1h"));
  EXPECT_EQ(contest.EntrantOf("bob").presence, store::Presence::kIn);
}

TEST(CompetitionConduct, ChangesThatDoNotFitTheStateAreRefused) {
  CompetitionFixture contest(Four());
  contest.Boot();
  competition::Competitions& competitions = contest.competitions();
  EXPECT_EQ(competitions.Start("cup", "local").status().code(), absl::StatusCode::kNotFound);
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"}));
  const absl::Status again = competitions.Start("cup", "local").status();
  EXPECT_EQ(again.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(again.message()), HasSubstr("is RUNNING"));
  EXPECT_EQ(competitions.Resume("cup", "local").status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(competitions.Join("cup", "cyd", "cyd").status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(competitions.Leave("cup", "cyd", "cyd").status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(competitions.Finish("cup", "local").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(CompetitionConduct, WatchersHearOfChangesUntilTheyStop) {
  CompetitionFixture contest(Four());
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames));
  int heard = 0;
  const auto watched = contest.competitions().Watch("cup", [&] { ++heard; });
  ASSERT_TRUE(watched.ok());
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 5; }));
  EXPECT_GT(heard, 0);
  contest.competitions().Unwatch(watched->watch);
  heard = 0;
  const int64_t counted = contest.Row().counted;
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= counted + 5; }));
  EXPECT_EQ(heard, 0);
}

}  // namespace
}  // namespace referee::testing
