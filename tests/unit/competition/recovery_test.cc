// Tests that no block is lost or doubled when a referee is killed and restarted.
//
// The referee runs a competition, and is killed before each of its writes to the store or the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// One block at a time, so that the same bots meet in the same block whatever happens.
schedule::Spec InOrder(schedule::Format format) {
  schedule::Spec spec = CompetitionFixture::SpecOf(format, {"ada", "bob", "cyd"});
  spec.max_running = 1;
  return spec;
}

// What a competition comes to.
struct Sum {
  int64_t replayed = 0;
  std::vector<std::string> lines;  // of each bot, by name
};

Sum SumOf(CompetitionFixture* contest) {
  Sum sum;
  sum.replayed = contest->Row().replayed;
  const auto entrants = contest->store().ReadEntrants(contest->Row().id);
  for (const store::Entrant& entrant : *entrants) {
    const store::Tally& tally = entrant.tally;
    sum.lines.push_back(absl::StrCat(entrant.name, " ", tally.blocks, " ", tally.wins, " ",
                                     tally.draws, " ", tally.losses, " ", tally.half_points, " ",
                                     tally.rating.mu, " ", tally.rating.sigma));
  }
  return sum;
}

std::map<std::string, replay::Replay> ReadArchive(const std::string& data_dir) {
  std::map<std::string, replay::Replay> replays;
  const replay::Archive archive(data_dir);
  std::string token;
  do {
    const replay::ArchivePage page = archive.List(1000, token).value();
    for (const replay::ArchivedReplay& archived : page.replays) {
      replays.emplace(archived.id.text(), replay::Parse(archive.Read(archived.id).value()).value());
    }
    token = page.next_page_token;
  } while (!token.empty());
  return replays;
}

// All blocks were played, once, and as the archive says.
void ExpectWhole(CompetitionFixture* contest, size_t blocks) {
  const store::Competition row = contest->Row();
  EXPECT_EQ(row.counted, row.next_block);
  const std::vector<store::Block> all = contest->blocks();
  ASSERT_EQ(all.size(), blocks);
  const std::map<std::string, replay::Replay> archive = ReadArchive(contest->data_dir());
  std::set<std::string> counted;
  for (const store::Block& block : all) {
    EXPECT_EQ(block.state, store::BlockState::kPlayed);
    for (const store::BlockMatch& match : block.matches) {
      ASSERT_EQ(archive.count(match.id.text()), 1u) << match.id.text();
      const match::Ended& ended = *archive.at(match.id.text()).ended();
      EXPECT_EQ(ended.ending, match::Ending::kFinished);
      EXPECT_EQ(ended.scores, match.verdict.scores);
      EXPECT_EQ(ended.ranks, match.verdict.ranks);
      EXPECT_EQ(ended.forfeits, match.verdict.forfeits);
      EXPECT_TRUE(counted.insert(match.id.text()).second);
    }
  }
  for (const auto& [id, replay] : archive) {
    if (replay.ended()->ending != match::Ending::kFinished) continue;
    // A block of which one match has no result is played again, and what else there is of it counts
    // for nothing.
    EXPECT_TRUE(counted.count(id) == 1 || row.replayed > 0) << id;
  }
  int64_t pairs = 0;
  const auto totals = contest->store().ReadPairTotals(row.id);
  for (const store::PairTotal& pair : *totals) {
    for (const int64_t count : pair.blocks) pairs += count;
  }
  EXPECT_EQ(pairs, static_cast<int64_t>(blocks));
}

// Runs to the end; killed before the write of this number and, after that, before so many more.
// Returns how many writes there were.
int64_t Play(CompetitionFixture* contest, const schedule::Spec& spec, std::vector<int64_t> kills) {
  int64_t writes = 0;
  for (size_t i = 0; i <= kills.size(); ++i) {
    contest->frost().writes = 0;
    contest->frost().freezes_before = i < kills.size() ? kills[i] : -1;
    contest->Boot();
    if (!contest->frost().frozen()) {
      const auto row = contest->store().FindCompetition(spec.name);
      if (!row.ok() || row->state == store::CompetitionState::kNew) contest->Start(spec);
    }
    const bool over = contest->RunToEnd();
    writes += contest->frost().writes;
    if (over) return writes;
    EXPECT_TRUE(contest->frost().frozen());
    if (!contest->frost().frozen()) return writes;
    contest->Kill();
  }
  ADD_FAILURE() << "it did not end";
  return writes;
}

void KillBeforeEachWrite(schedule::Format format, absl::optional<int64_t> again) {
  const schedule::Spec spec = InOrder(format);
  CompetitionFixture unharmed(PlayersOf(3));
  const int64_t writes = Play(&unharmed, spec, {});
  const size_t blocks = unharmed.blocks().size();
  ExpectWhole(&unharmed, blocks);
  const Sum expected = SumOf(&unharmed);
  int same = 0;
  int runs = 0;
  for (int64_t kill = 1; kill < writes; kill += again.has_value() ? 3 : 1, ++runs) {
    SCOPED_TRACE(absl::StrCat("killed before write ", kill, " of ", writes));
    CompetitionFixture contest(PlayersOf(3));
    std::vector<int64_t> kills = {kill};
    if (again.has_value()) kills.push_back(1 + kill * *again % 23);
    Play(&contest, spec, kills);
    const Sum sum = SumOf(&contest);
    // A block that became void has other dice when it is played again, and a knockout may go
    // another way then.
    const bool other_way = format == schedule::Format::kKnockout && sum.replayed > 0;
    ExpectWhole(&contest, other_way ? contest.blocks().size() : blocks);
    if (sum.replayed > 0) continue;
    EXPECT_EQ(sum.lines, expected.lines);
    ++same;
  }
  EXPECT_GT(same, runs / 3);
}

TEST(CompetitionRecovery, RoundRobinGoesOnWhateverWriteTheRefereeIsKilledBefore) {
  KillBeforeEachWrite(schedule::Format::kRoundRobin, absl::nullopt);
}

TEST(CompetitionRecovery, RefereeMayBeKilledAgainWhileItRecovers) {
  KillBeforeEachWrite(schedule::Format::kRoundRobin, 7);
}

TEST(CompetitionRecovery, SwissGoesOnWhateverWriteTheRefereeIsKilledBefore) {
  KillBeforeEachWrite(schedule::Format::kSwiss, absl::nullopt);
}

TEST(CompetitionRecovery, KnockoutGoesOnWhateverWriteTheRefereeIsKilledBefore) {
  KillBeforeEachWrite(schedule::Format::kKnockout, 5);
}

TEST(CompetitionRecovery, LadderGoesOnWithItsRatings) {
  CompetitionFixture contest(PlayersOf(3));
  contest.Boot();
  contest.Start(InOrder(schedule::Format::kLadder));
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 10; }));
  const Sum before = SumOf(&contest);
  contest.Kill();
  EXPECT_EQ(SumOf(&contest).lines, before.lines);
  contest.Boot();
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 20; }));
  ASSERT_TRUE(contest.competitions().Finish("cup", "local").ok());
  ASSERT_TRUE(contest.RunToEnd());
  ExpectWhole(&contest, contest.blocks().size());
}

TEST(CompetitionRecovery, LadderWaitsOnlyAShortWhileForABotThatDidNotComeBack) {
  const auto start = [](CompetitionFixture* contest) {
    contest->player("ada").thinks = absl::Milliseconds(20);
    contest->Boot();
    contest->Start(InOrder(schedule::Format::kLadder));
    contest->frost().writes = 0;
  };
  CompetitionFixture unharmed(PlayersOf(3));
  start(&unharmed);
  ASSERT_TRUE(unharmed.RunUntil([&] { return unharmed.Row().counted >= 3; }));
  const int64_t writes = unharmed.frost().writes;
  for (int64_t kill = 1; kill < writes; kill += 3) {
    SCOPED_TRACE(absl::StrCat("killed before write ", kill, " of ", writes));
    CompetitionFixture contest(PlayersOf(3));
    start(&contest);
    contest.frost().freezes_before = kill;
    contest.RunUntil([&] { return contest.frost().frozen(); });
    contest.Kill();
    contest.frost().freezes_before = -1;
    contest.Disconnect("ada");
    contest.Boot();
    const int64_t begun = contest.Row().next_block;
    ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted > begun; }, absl::Minutes(2)));
  }
}

TEST(CompetitionRecovery, WaitsWhileTheHostHoldsMatchesBackAndThenGoesOn) {
  const schedule::Spec spec = InOrder(schedule::Format::kRoundRobin);
  CompetitionFixture unharmed(PlayersOf(3));
  const int64_t writes = Play(&unharmed, spec, {});
  const size_t blocks = unharmed.blocks().size();
  bool any_unmade = false;
  for (int64_t kill = 0; kill < writes; kill += 2) {
    SCOPED_TRACE(absl::StrCat("killed before write ", kill, " of ", writes));
    CompetitionFixture contest(PlayersOf(3));
    contest.Boot();
    contest.Start(spec);
    contest.frost().writes = 0;
    contest.frost().freezes_before = kill;
    contest.RunFor(absl::Minutes(10));
    if (!contest.frost().frozen()) break;
    contest.Kill();
    contest.frost().freezes_before = -1;
    contest.Boot();
    contest.host().HoldBack("the disk is full");
    const size_t lines = contest.log().size();
    const int64_t begun = contest.Row().next_block;
    contest.RunFor(absl::Minutes(2));
    EXPECT_EQ(contest.host().running(), 0) << "what had begun goes on";
    EXPECT_EQ(contest.Row().next_block, begun);
    for (size_t i = lines; i < contest.log().size(); ++i) {
      EXPECT_THAT(contest.log()[i], Not(HasSubstr("cannot go on")));
    }
    if (contest.state() == store::CompetitionState::kRunning) {
      any_unmade |= contest.Row().counted < begun;
      EXPECT_EQ(contest.competitions().Get("cup")->waits_for, "the disk is full");
    }
    contest.host().HoldBack("");
    ASSERT_TRUE(contest.RunToEnd());
    ExpectWhole(&contest, blocks);
  }
  EXPECT_TRUE(any_unmade);
}

// Of ada, bob, cyd and dan, who is away, so that the other side of the final is decided later.
void PlayWithoutDan(CompetitionFixture* contest, bool kill) {
  contest->Boot();
  contest->Disconnect("dan");
  contest->player("ada").thinks = absl::Milliseconds(20);
  schedule::Spec spec =
      CompetitionFixture::SpecOf(schedule::Format::kKnockout, {"ada", "bob", "cyd", "dan"});
  spec.best_of = 3;
  spec.absence_limit = absl::Minutes(5);
  contest->Start(spec);
  if (kill) {
    ASSERT_TRUE(contest->RunUntil([&] {
      const std::vector<store::Block> blocks = contest->blocks();
      // The second block of the final.
      return blocks.size() >= 2 && blocks.back().number >= 2 &&
             (blocks.back().pairing.bots[0] == 0 || blocks.back().pairing.bots[1] == 0) &&
             (blocks[blocks.size() - 2].pairing.bots[0] == 0 ||
              blocks[blocks.size() - 2].pairing.bots[1] == 0);
    }));
    contest->Kill();
    contest->Boot();
  }
  ASSERT_TRUE(contest->RunToEnd());
}

TEST(CompetitionRecovery, KnockoutKnowsWhoHadLeftAndWhen) {
  std::vector<Player> players = PlayersOf(3);
  players.push_back({"dan"});
  CompetitionFixture unharmed(players);
  PlayWithoutDan(&unharmed, false);
  CompetitionFixture contest(players);
  PlayWithoutDan(&contest, true);
  std::vector<std::vector<int>> expected, met;
  for (const store::Block& block : unharmed.blocks()) expected.push_back(block.pairing.bots);
  for (const store::Block& block : contest.blocks()) met.push_back(block.pairing.bots);
  EXPECT_EQ(met, expected);
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  const competition::StandingsView as_it_was = unharmed.competitions().Standings("cup").value();
  ASSERT_THAT(table.standings, SizeIs(4));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(table.standings[i].entrant.name, as_it_was.standings[i].entrant.name);
    EXPECT_EQ(table.standings[i].rank, as_it_was.standings[i].rank);
    EXPECT_EQ(table.standings[i].points, as_it_was.standings[i].points);
  }
}

TEST(CompetitionRecovery, TwoRefereesOnOneStoreNeverPlayABlockTwice) {
  CompetitionFixture here(PlayersOf(3));
  CompetitionFixture there(PlayersOf(3), &here);
  there.owner = "another";
  for (CompetitionFixture* const one : {&here, &there}) {
    one->player("ada").thinks = absl::Milliseconds(20);
  }
  here.Boot();
  here.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob", "cyd"}));
  here.RunFor(absl::Milliseconds(500));
  there.Boot();
  ASSERT_TRUE(
      CompetitionFixture::RunTogether(&here, &there, [&] { return here.Row().counted >= 60; }));
  EXPECT_EQ(ReadArchive(there.data_dir()).size(), 0u) << "it lives on the other";
  // While blocks are being played.
  here.competitions().Drain();
  const int64_t home = here.Row().home_term;
  ASSERT_TRUE(
      CompetitionFixture::RunTogether(&here, &there, [&] { return here.Row().home_term != home; }));
  const int64_t counted = here.Row().counted;
  ASSERT_TRUE(CompetitionFixture::RunTogether(&here, &there,
                                              [&] { return here.Row().counted >= counted + 60; }));
  ASSERT_TRUE(there.competitions().Finish("cup", "local").ok());
  ASSERT_TRUE(CompetitionFixture::RunTogether(
      &here, &there, [&] { return here.state() == store::CompetitionState::kFinished; }));
  const auto a = ReadArchive(here.data_dir());
  const auto b = ReadArchive(there.data_dir());
  EXPECT_GT(a.size(), 2u);
  EXPECT_GT(b.size(), 2u);
  std::set<std::string> in_blocks;
  for (const store::Block& block : here.blocks()) {
    EXPECT_EQ(block.state, store::BlockState::kPlayed);
    for (const store::BlockMatch& match : block.matches) {
      EXPECT_EQ(a.count(match.id.text()) + b.count(match.id.text()), 1u);
      in_blocks.insert(match.id.text());
    }
  }
  EXPECT_EQ(in_blocks.size(), a.size() + b.size());
  EXPECT_EQ(here.Row().replayed, 0);
}

TEST(CompetitionRecovery, RefereeThatIsStartedAgainGoesOnAtOnceUnderAnotherName) {
  CompetitionFixture contest(PlayersOf(3));
  contest.player("ada").thinks = absl::Milliseconds(400);
  contest.Boot();
  contest.Start(InOrder(schedule::Format::kRoundRobin));
  contest.RunFor(absl::Seconds(1));
  const store::Block before = contest.blocks().at(0);
  contest.Kill();
  contest.Boot();
  const store::Block after = contest.blocks().at(0);
  EXPECT_NE(after.owner, before.owner);
  EXPECT_EQ(after.attempt, 0);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.Row().replayed, 0);
}

// Its clock is the simulated one, as the store's is.
TEST(CompetitionRecovery, RefereeThatCannotRenewItsLeaseFencesItselfBeforeItLapses) {
  CompetitionFixture contest(PlayersOf(3));
  for (const char* name : {"ada", "bob"}) contest.player(name).thinks = absl::Milliseconds(400);
  contest.Boot();
  contest.Start(InOrder(schedule::Format::kLadder));
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 2; }));
  contest.process_store().renew_status = absl::UnavailableError("cut off");
  contest.RunFor(limits::kBlockLease - absl::Milliseconds(500));
  const int applies = contest.process_store().applies;
  const int64_t begun = contest.Row().next_block;
  EXPECT_GT(begun, 2);
  contest.RunFor(2 * limits::kBlockLease);
  EXPECT_EQ(contest.process_store().applies, applies);
  EXPECT_EQ(contest.Row().next_block, begun);
  // Nobody has claimed what it has.
  contest.process_store().renew_status = absl::OkStatus();
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().next_block > begun + 5; }));
  EXPECT_EQ(contest.Row().replayed, 0);
}

TEST(CompetitionRecovery, RefereeWithAShortLeaseRenewsItInTimeAndFencesItselfSooner) {
  CompetitionFixture contest(PlayersOf(3));
  contest.lease = limits::kMinBlockLease;
  for (const char* name : {"ada", "bob"}) contest.player(name).thinks = absl::Milliseconds(400);
  contest.Boot();
  contest.Start(InOrder(schedule::Format::kLadder));
  const auto remaining = [&] { return contest.store().ListDaemons().value().at(0).remaining; };
  for (int i = 0; i < 100; ++i) {
    contest.RunFor(absl::Milliseconds(100));
    ASSERT_GT(remaining(), limits::kMinBlockLease / 2);
    ASSERT_LE(remaining(), limits::kMinBlockLease);
  }
  EXPECT_EQ(contest.Row().replayed, 0);
  contest.process_store().renew_status = absl::UnavailableError("cut off");
  contest.RunFor(limits::kMinBlockLease - limits::kLeaseMargin);
  const int applies = contest.process_store().applies;
  contest.RunFor(limits::kBlockLease / 2);
  EXPECT_EQ(contest.process_store().applies, applies);
}

// As one that is suspended while the store begins a block.
TEST(CompetitionRecovery, RefereeThatStoodStillMakesNoMatchesThatAnotherMayHaveTaken) {
  CompetitionFixture contest(PlayersOf(3));
  contest.Boot();
  contest.Start(InOrder(schedule::Format::kLadder));
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 2; }));
  const int64_t begun = contest.Row().next_block;
  absl::optional<absl::Time> woke;
  contest.process_store().after_apply = [&] {
    if (woke.has_value() || contest.Row().next_block == begun) return;
    contest.process_store().renew_status = absl::UnavailableError("cut off");
    contest.clock().Advance(limits::kBlockLease);
    woke = contest.clock().WallNow();
  };
  ASSERT_TRUE(contest.RunUntil([&] { return woke.has_value(); }));
  for (const auto& runner : contest.host().List(MatchId(), limits::kMaxPageSize)) {
    EXPECT_LT(runner->id().created(), *woke);
  }
  // Nobody has taken them.
  contest.process_store().renew_status = absl::OkStatus();
  ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted > begun + 5; }));
  EXPECT_EQ(contest.Row().replayed, 0);
}

TEST(CompetitionRecovery, MatchesOfALeaseThatWasLostComeToNothing) {
  CompetitionFixture here(PlayersOf(3));
  for (const char* name : {"ada", "bob", "cyd"}) here.player(name).answers = false;
  here.Boot();
  schedule::Spec spec = InOrder(schedule::Format::kLadder);
  spec.time_control = "1h";
  here.Start(spec);
  here.RunFor(absl::Seconds(1));
  ASSERT_THAT(here.blocks().at(0).matches, SizeIs(2));
  here.process_store().renew_status = absl::UnavailableError("cut off");
  here.RunFor(limits::kBlockLease);
  // The other one claims, and is gone before it has done anything.
  const int64_t term = here.store().RenewLease("claimer", absl::Seconds(1)).value();
  ASSERT_THAT(here.store().TakeHomes({"claimer", term}, {here.Row().id}).value(), SizeIs(1));
  const std::vector<store::Block> claimed = here.store().ClaimExpired({"claimer", term}).value();
  ASSERT_THAT(claimed, SizeIs(1));
  here.RunFor(absl::Seconds(2));
  EXPECT_EQ(here.blocks().back().owner, "claimer");
  here.process_store().renew_status = absl::OkStatus();
  ASSERT_TRUE(here.RunUntil([&] { return here.Row().replayed == 1; }, absl::Minutes(2)));
  const store::Block block = here.blocks().at(0);
  ASSERT_THAT(block.attempts, SizeIs(1));
  EXPECT_THAT(block.attempts[0].reason, HasSubstr("was taken over by another referee"));
}

TEST(CompetitionRecovery, MatchesOfBlocksThatOthersHaveClaimedAreNotPlayedOnAfterTheNextStart) {
  CompetitionFixture here(PlayersOf(3));
  CompetitionFixture there(PlayersOf(3), &here);
  there.owner = "another";
  for (const char* name : {"ada", "bob", "cyd"}) here.player(name).answers = false;
  here.Boot();
  schedule::Spec spec = InOrder(schedule::Format::kRoundRobin);
  spec.time_control = "1h";
  here.Start(spec);
  here.RunFor(absl::Seconds(1));
  const store::Block before = here.blocks().at(0);
  ASSERT_THAT(before.matches, SizeIs(2));
  here.Kill();
  there.Boot();
  ASSERT_TRUE(there.RunUntil([&] { return there.blocks().at(0).attempt == 1; }));
  for (const char* name : {"ada", "bob", "cyd"}) here.player(name).answers = true;
  here.Boot();
  ASSERT_TRUE(CompetitionFixture::RunTogether(
      &here, &there, [&] { return here.state() == store::CompetitionState::kFinished; }));
  const auto left = ReadArchive(here.data_dir());
  ASSERT_THAT(left, SizeIs(2));
  for (const store::BlockMatch& match : before.matches) {
    EXPECT_NE(left.at(match.id.text()).ended()->ending, match::Ending::kFinished);
  }
}

TEST(CompetitionRecovery, BlocksOfARefereeThatIsGoneArePlayedByAnother) {
  CompetitionFixture here(PlayersOf(3));
  CompetitionFixture there(PlayersOf(3), &here);
  there.owner = "another";
  here.player("ada").thinks = absl::Milliseconds(400);
  here.Boot();
  here.Start(InOrder(schedule::Format::kRoundRobin));
  here.RunFor(absl::Seconds(1));
  ASSERT_EQ(here.blocks().size(), 1u);
  here.Kill();
  there.Boot();
  ASSERT_TRUE(there.RunToEnd());
  EXPECT_EQ(here.blocks()[0].attempt, 1);
  EXPECT_EQ(there.blocks().size(), 3u);
}

}  // namespace
}  // namespace referee::testing
