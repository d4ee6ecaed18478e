// Tests that play competitions of every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<Player> Players(int count) {
  std::vector<Player> players;
  for (int i = 0; i < count; ++i) {
    Player player;
    player.name = std::string(1, static_cast<char>('a' + i)) + "da";
    player.last_move = i % 2 == 1;
    players.push_back(player);
  }
  return players;
}

std::vector<std::string> Names(const std::vector<Player>& players) {
  std::vector<std::string> names;
  for (const Player& player : players) names.push_back(player.name);
  return names;
}

void ExpectAllCounted(CompetitionFixture* contest) {
  const store::Competition cup = contest->store().FindCompetition("cup").value();
  EXPECT_EQ(cup.counted, cup.next_block);
  for (const store::Block& block : contest->blocks()) {
    EXPECT_EQ(block.state, store::BlockState::kPlayed) << block.number;
    EXPECT_THAT(block.matches, SizeIs(block.pairing.bots.size()));
  }
}

TEST(CompetitionFormats, RoundRobinPlaysEachPairInEachRound) {
  const std::vector<Player> players = Players(4);
  CompetitionFixture contest(players);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, Names(players));
  spec.rounds = 2;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_THAT(contest.blocks(), SizeIs(12));
  ExpectAllCounted(&contest);
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  ASSERT_THAT(table.standings, SizeIs(4));
  double points = 0;
  for (const competition::Standing& line : table.standings) {
    EXPECT_EQ(line.entrant.tally.blocks, 6);
    EXPECT_EQ(line.entrant.tally.wins + line.entrant.tally.draws + line.entrant.tally.losses, 12);
    EXPECT_TRUE(line.connected);
    points += line.points;
  }
  EXPECT_EQ(points, 24);
  EXPECT_EQ(table.view.blocks_left, 0);
}

TEST(CompetitionFormats, AreListedNewestFirstThoughMadeInOneMillisecond) {
  const std::vector<Player> players = Players(2);
  CompetitionFixture contest(players);
  contest.Boot();
  std::vector<std::string> names;
  for (int i = 0; i < 8; ++i) {
    schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, Names(players));
    spec.name = absl::StrCat("cup-", i);
    names.insert(names.begin(), spec.name);
    ASSERT_TRUE(contest.competitions().Create(spec, "", "local").ok());
  }
  const auto page = contest.competitions().List(store::CompetitionId(), 8, absl::nullopt);
  ASSERT_TRUE(page.ok());
  std::vector<std::string> listed;
  for (const auto& view : page->competitions) listed.push_back(view.competition.spec.name);
  EXPECT_EQ(listed, names);
}

TEST(CompetitionFormats, TableRanksNobodyForWhomNothingCounts) {
  for (const schedule::Format format :
       {schedule::Format::kRoundRobin, schedule::Format::kSwiss, schedule::Format::kLadder}) {
    const std::vector<Player> players = Players(6);
    CompetitionFixture contest(players);
    contest.Boot();
    schedule::Spec spec = CompetitionFixture::SpecOf(format, Names(players));
    if (format != schedule::Format::kLadder) spec.rounds = 2;
    spec.max_running = 1;
    contest.Start(spec);
    const auto table = [&] { return contest.competitions().Standings("cup")->standings; };
    for (const competition::Standing& line : table()) EXPECT_EQ(line.rank, 0);
    ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 1; }));
    int ranked = 0;
    bool behind = false;
    for (const competition::Standing& line : table()) {
      EXPECT_EQ(line.rank != 0, line.entrant.tally.blocks > 0) << line.entrant.name;
      behind = behind || line.rank == 0;
      EXPECT_EQ(line.rank == 0, behind) << "those without a rank come last";
      ranked += line.rank != 0 ? 1 : 0;
    }
    EXPECT_GE(ranked, 2);
    EXPECT_LT(ranked, 6);
  }
}

TEST(CompetitionFormats, TableRanksTheOnlyBotThatStayedFirst) {
  for (const schedule::Format format : {schedule::Format::kRoundRobin, schedule::Format::kSwiss}) {
    const std::vector<Player> players = Players(3);
    CompetitionFixture contest(players);
    contest.Boot();
    for (size_t i = 1; i < 3; ++i) contest.Disconnect(players[i].name);
    schedule::Spec spec = CompetitionFixture::SpecOf(format, Names(players));
    spec.rounds = 2;
    contest.Start(spec);
    for (size_t i = 1; i < 3; ++i) {
      ASSERT_TRUE(contest.competitions().Leave("cup", players[i].name, "local").ok());
    }
    ASSERT_TRUE(contest.RunToEnd());
    const auto table = contest.competitions().Standings("cup")->standings;
    EXPECT_EQ(table.front().entrant.name, players[0].name);
    EXPECT_EQ(table.front().rank, 1);
  }
}

TEST(CompetitionFormats, TableSaysWhatWasDoneAboutWhoLeft) {
  const std::vector<Player> players = Players(4);
  CompetitionFixture contest(players);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, Names(players));
  spec.rounds = 10;
  contest.Start(spec);
  ASSERT_TRUE(
      contest.RunUntil([&] { return contest.store().FindCompetition("cup")->counted >= 6; }));
  ASSERT_TRUE(contest.competitions().Leave("cup", players[0].name, "local").ok());
  ASSERT_TRUE(contest.RunToEnd());
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  ASSERT_THAT(table.standings, SizeIs(4));
  const competition::Standing& left = table.standings[3];
  EXPECT_EQ(left.entrant.name, players[0].name);
  EXPECT_TRUE(left.annulled);
  EXPECT_EQ(left.rank, 0);
  EXPECT_THAT(left.remark, HasSubstr("withdrawn: taken out by local; results annulled: "));
  EXPECT_EQ(left.points, 0);
  EXPECT_EQ(left.entrant.tally.blocks, 0);
  EXPECT_TRUE(std::isinf(left.elo_error)) << "it has no rating";
  int64_t wins = 0;
  int64_t losses = left.entrant.tally.losses;
  for (int i = 0; i < 3; ++i) {
    const store::Tally& tally = table.standings[i].entrant.tally;
    EXPECT_EQ(tally.blocks, 20) << "of two others, ten times each";
    EXPECT_EQ(tally.wins + tally.draws + tally.losses, 40);
    EXPECT_EQ(table.standings[i].points, tally.wins + tally.draws / 2.0);
    EXPECT_EQ(table.standings[i].points + 0.0, 40 * *table.standings[i].share);
    EXPECT_FALSE(std::isinf(table.standings[i].elo_error));
    wins += tally.wins;
    losses += tally.losses;
  }
  EXPECT_EQ(wins, losses);
}

TEST(CompetitionFormats, GamesOfMoreSeatsPlayABlockOfAllRotations) {
  const std::vector<Player> players = Players(4);
  CompetitionFixture contest(players);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, Names(players), 3));
  ASSERT_TRUE(contest.RunToEnd());
  ExpectAllCounted(&contest);
}

TEST(CompetitionFormats, GauntletIsAboutItsFirstEntrant) {
  const std::vector<Player> players = Players(4);
  CompetitionFixture contest(players);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kGauntlet, Names(players)));
  ASSERT_TRUE(contest.RunToEnd());
  ExpectAllCounted(&contest);
  EXPECT_THAT(contest.blocks(), SizeIs(3));
}

TEST(CompetitionFormats, SwissPlaysItsRounds) {
  const std::vector<Player> players = Players(5);
  CompetitionFixture contest(players);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kSwiss, Names(players));
  spec.rounds = 3;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  ExpectAllCounted(&contest);
  EXPECT_THAT(contest.blocks(), SizeIs(6));
}

TEST(CompetitionFormats, KnockoutFindsAWinner) {
  const std::vector<Player> players = Players(5);
  CompetitionFixture contest(players);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kKnockout, Names(players)));
  ASSERT_TRUE(contest.RunToEnd());
  ExpectAllCounted(&contest);
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  EXPECT_EQ(table.standings.front().rank, 1);
  EXPECT_EQ(table.standings[1].rank, 2);
}

TEST(CompetitionFormats, LadderRanksNobodyThatIsProvisional) {
  const std::vector<Player> players = Players(3);
  CompetitionFixture contest(players);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, Names(players));
  spec.provisional_width = limits::kMaxProvisionalWidth;
  contest.Start(spec);
  ASSERT_TRUE(
      contest.RunUntil([&] { return contest.store().FindCompetition("cup")->counted >= 20; }));
  ASSERT_TRUE(contest.competitions().Join("cup", "newcomer", "local").ok());
  std::vector<competition::Standing> table =
      contest.competitions().Standings("cup").value().standings;
  ASSERT_THAT(table, SizeIs(4));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(table[i].provisional);
    EXPECT_EQ(table[i].rank, i + 1);
  }
  EXPECT_TRUE(table[3].provisional) << "it has not played";
  EXPECT_EQ(table[3].entrant.name, "newcomer");
  EXPECT_EQ(table[3].rank, 0);
}

TEST(CompetitionFormats, LadderOfProvisionalBotsHasNoRanks) {
  const std::vector<Player> players = Players(3);
  CompetitionFixture contest(players);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, Names(players));
  spec.provisional_width = 1;
  contest.Start(spec);
  ASSERT_TRUE(
      contest.RunUntil([&] { return contest.store().FindCompetition("cup")->counted >= 20; }));
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  for (const competition::Standing& line : table.standings) {
    EXPECT_TRUE(line.provisional);
    EXPECT_EQ(line.rank, 0);
    EXPECT_EQ(line.remark, "") << "the mark is beside the remark";
  }
}

TEST(CompetitionFormats, OthersMarkProvisionalBotsAndRankThemByPoints) {
  const std::vector<Player> players = Players(3);
  CompetitionFixture contest(players);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, Names(players));
  spec.provisional_width = 1;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  for (const competition::Standing& line : table.standings) {
    EXPECT_TRUE(line.provisional);
    EXPECT_GT(line.rank, 0);
  }
}

TEST(CompetitionFormats, LadderGoesOnUntilItIsFinished) {
  const std::vector<Player> players = Players(3);
  CompetitionFixture contest(players);
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, Names(players)));
  ASSERT_TRUE(
      contest.RunUntil([&] { return contest.store().FindCompetition("cup")->counted >= 20; }));
  ASSERT_TRUE(contest.competitions().Finish("cup", "local").ok());
  ASSERT_TRUE(contest.RunToEnd());
  ExpectAllCounted(&contest);
  const competition::StandingsView table = contest.competitions().Standings("cup").value();
  ASSERT_THAT(table.standings, SizeIs(3));
  EXPECT_TRUE(table.standings[0].superiority.has_value());
  EXPECT_FALSE(table.standings[2].superiority.has_value());
  EXPECT_GE(table.standings[0].elo, table.standings[1].elo);
}

}  // namespace
}  // namespace referee::testing
