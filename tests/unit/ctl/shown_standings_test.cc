#include "referee/ctl/competition/shown_standings.h"

#include <cmath>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/ctl/competition/text.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// What it says.
std::string Message(const absl::Status& status) { return std::string(status.message()); }

// alice +80, bob -20, carol -60, of 30, 4 and 9 blocks; dora has not played.
v1::GetStandingsResponse Table() {
  v1::GetStandingsResponse table;
  const auto add = [&](const char* bot, double elo, double error, uint64_t blocks) {
    v1::Standing& line = *table.add_standings();
    line.set_rank(static_cast<uint32_t>(table.standings_size()));
    line.set_bot(bot);
    line.set_elo(elo);
    line.set_elo_error(error);
    if (std::isfinite(error)) {
      line.set_elo_at_least(elo - error);
      line.set_elo_at_most(elo + error);
    }
    line.set_blocks(blocks);
    line.set_superiority(0.75);
    line.set_connected(true);
  };
  add("alice", 80, 25, 30);
  add("bob", -20.5, 90, 4);
  add("carol", -60, 60, 9);
  add("dora", 0, std::numeric_limits<double>::infinity(), 0);
  table.mutable_standings(3)->clear_superiority();
  return table;
}

TEST(Anchor, IsABotAndARating) {
  const Anchor anchor = ParseAnchor("alice=1500").value();
  EXPECT_EQ(anchor.bot, "alice");
  EXPECT_EQ(anchor.elo, 1500);
  EXPECT_EQ(ParseAnchor("a=b=-12.5")->bot, "a=b") << "names may have any sign";
  EXPECT_EQ(ParseAnchor("a=b=-12.5")->elo, -12.5);
  for (const char* bad :
       {"", "alice", "alice=", "=1500", "alice=strong", "alice=inf", "alice=nan", "alice=1500x"}) {
    const absl::Status refused = ParseAnchor(bad).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << bad;
    EXPECT_THAT(Message(refused),
                AllOf(StartsWith("--anchor: "), HasSubstr("BOT=ELO, such as alice=1500")));
  }
}

TEST(Anchor, MovesAllRatingsByAsMuchAndNoError) {
  v1::GetStandingsResponse table = Table();
  const v1::GetStandingsResponse before = table;
  EXPECT_EQ(Choose({Anchor{"bob", 1500}}, &table).value(),
            "elo: moved by +1520, so that bob has 1500; each ± is from the mean of all bots, as "
            "without the anchor\n");
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(table.standings(i).elo(), before.standings(i).elo() + 1520.5);
    EXPECT_EQ(table.standings(i).elo_error(), before.standings(i).elo_error());
    EXPECT_EQ(table.standings(i).has_superiority(), before.standings(i).has_superiority());
  }
  EXPECT_EQ(EloText(table.standings(1), /*anchored=*/true), "1500 ±90");
  EXPECT_EQ(EloText(table.standings(1)), "+1500 ±90");
  EXPECT_EQ(EloText(table.standings(3), /*anchored=*/true), "-") << "it has none";
}

TEST(Anchor, MovesTheOneBoundOfAWideInterval) {
  v1::GetStandingsResponse table = Table();
  table.mutable_standings(0)->set_elo_error(400);
  table.mutable_standings(0)->set_elo_at_least(-320);
  table.mutable_standings(0)->clear_elo_at_most();
  table.mutable_standings(2)->set_elo_error(500);
  table.mutable_standings(2)->clear_elo_at_least();
  table.mutable_standings(2)->set_elo_at_most(440);
  ASSERT_TRUE(Choose({Anchor{"bob", -1020.5}}, &table).ok());
  EXPECT_EQ(EloText(table.standings(0), /*anchored=*/true), "at least -1320");
  EXPECT_EQ(EloText(table.standings(2), /*anchored=*/true), "at most -560");
}

TEST(Anchor, IsRefusedIfItHasNoRating) {
  v1::GetStandingsResponse table = Table();
  EXPECT_THAT(Message(Choose({Anchor{"eva", 0}, 5}, &table).status()),
              StartsWith("--anchor: 'eva' is not a bot of this competition"));
  EXPECT_THAT(Message(Choose({Anchor{"dora", 0}, 5}, &table).status()),
              StartsWith("--anchor: 'dora' is not a bot with a rating"));
  EXPECT_EQ(table.SerializeAsString(), Table().SerializeAsString()) << "nothing was changed";
}

TEST(MinBlocks, TakesOutWhoHasFewerAndSaysSo) {
  v1::GetStandingsResponse table = Table();
  EXPECT_EQ(Choose({{}, 9}, &table).value(),
            "not shown: 2 bots with fewer than 9 blocks; ranks are those among all\n");
  ASSERT_EQ(table.standings_size(), 2);
  EXPECT_EQ(table.standings(0).bot(), "alice");
  EXPECT_EQ(table.standings(1).bot(), "carol");
  EXPECT_EQ(table.standings(1).rank(), 3u);
  EXPECT_FALSE(table.standings(0).has_superiority()) << "it was over bob";
  EXPECT_FALSE(table.standings(1).has_superiority()) << "nobody follows";
}

TEST(MinBlocks, LeavesWhatIsSaidOfTheNextWhereTheNextIsThere) {
  v1::GetStandingsResponse table = Table();
  EXPECT_EQ(Choose({{}, 1}, &table).value(),
            "not shown: 1 bot with fewer than 1 blocks; ranks are those among all\n");
  ASSERT_EQ(table.standings_size(), 3);
  EXPECT_TRUE(table.standings(0).has_superiority());
  EXPECT_TRUE(table.standings(1).has_superiority());
  EXPECT_FALSE(table.standings(2).has_superiority());
  EXPECT_EQ(Choose({{}, 0}, &table).value(), "");
  EXPECT_EQ(Choose({{}, 1'000}, &table).value(),
            "not shown: 3 bots with fewer than 1000 blocks; ranks are those among all\n");
  EXPECT_EQ(table.standings_size(), 0);
}

TEST(MinBlocks, MayTakeOutTheAnchor) {
  v1::GetStandingsResponse table = Table();
  ASSERT_TRUE(Choose({Anchor{"bob", 0}, 5}, &table).ok());
  ASSERT_EQ(table.standings_size(), 2);
  EXPECT_EQ(table.standings(0).elo(), 100.5);
}

}  // namespace
}  // namespace referee::ctl
