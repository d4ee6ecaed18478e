#include "referee/ctl/competition/crosstable.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Pairs = google::protobuf::RepeatedPtrField<v1::PairTotal>;
using Standings = google::protobuf::RepeatedPtrField<v1::Standing>;

// `blocks` by the points of `bot`: 0, 1/2, 1, 1 1/2, 2.
void AddPair(const std::string& bot, const std::string& opponent, std::vector<uint64_t> blocks,
             uint64_t draws, Pairs* pairs) {
  v1::PairTotal& pair = *pairs->Add();
  pair.set_bot(bot);
  pair.set_opponent(opponent);
  uint64_t half_points = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    pair.add_blocks_by_points(blocks[i]);
    pair.set_blocks(pair.blocks() + blocks[i]);
    half_points += i * blocks[i];
  }
  pair.set_draws(draws);
  pair.set_wins((half_points - draws) / 2);
  pair.set_losses(2 * pair.blocks() - pair.wins() - draws);
  pair.set_points(static_cast<double>(half_points) / 2);
}

Standings Table(const std::vector<std::string>& bots) {
  Standings standings;
  for (const std::string& bot : bots) {
    v1::Standing& line = *standings.Add();
    line.set_bot(bot);
    line.set_rank(static_cast<uint32_t>(standings.size()));
    line.set_elo(100 - 50 * standings.size());
    line.set_elo_error(40);
    line.set_elo_at_least(line.elo() - 40);
    line.set_elo_at_most(line.elo() + 40);
  }
  return standings;
}

// In the order in which they were entered.
Pairs TwoPairs() {
  Pairs pairs;
  AddPair("alice", "bob", {0, 1, 0, 0, 9}, 1, &pairs);
  AddPair("alice", "carol", {2, 0, 1, 0, 0}, 2, &pairs);
  return pairs;
}

TEST(Crosstable, IsAMatrixInTheOrderOfTheStandingsSeenFromBothSides) {
  EXPECT_EQ(CrosstableMatrix(Table({"carol", "alice", "bob"}), TwoPairs(), 80).value_or("none"),
            "   bot          all        1         2          3\n"
            "1  carol      4-2-0        *     4-2-0          -\n"
            "            5.0 (3)            5.0 (3)\n"
            "2  alice     18-3-5    0-2-4         *     18-1-1\n"
            "          19.5 (13)  1.0 (3)            18.5 (10)\n"
            "3  bob       1-1-18        -    1-1-18          *\n"
            "           1.5 (10)           1.5 (10)\n"
            "matches won-drawn-lost, below them points (blocks), of the line's bot\n");
}

TEST(Crosstable, IsNoMatrixWhereThatDoesNotFit) {
  const Standings three = Table({"carol", "alice", "bob"});
  EXPECT_TRUE(CrosstableMatrix(three, TwoPairs(), 49).has_value());
  EXPECT_FALSE(CrosstableMatrix(three, TwoPairs(), 48).has_value());
  std::vector<std::string> bots;
  for (int i = 0; i < kMostBotsInMatrix; ++i) bots.push_back(absl::StrCat("bot", i));
  EXPECT_TRUE(CrosstableMatrix(Table(bots), {}, 1'000).has_value());
  bots.push_back("one more");
  EXPECT_FALSE(CrosstableMatrix(Table(bots), {}, 1'000).has_value());
}

TEST(Crosstable, HasABotThatHasJoinedSinceTheStandingsWereMade) {
  const auto matrix = CrosstableMatrix(Table({"alice", "bob"}), TwoPairs(), 80);
  ASSERT_TRUE(matrix.has_value());
  EXPECT_THAT(*matrix, HasSubstr("3  carol      4-2-0     4-2-0          -        *"));
  EXPECT_THAT(OpponentsText(Table({"alice", "bob"}), TwoPairs()),
              HasSubstr("\n   -  carol          -       3           0-2-4     1.0  16.7%\n"));
}

TEST(Crosstable, IsAListOfPairsWhereItIsNoMatrix) {
  EXPECT_EQ(Printed(PairColumns(), TwoPairs(), Form::kTable),
            "bot    opponent  blocks  won-drawn-lost  points  share\n"
            "alice  bob           10          18-1-1    18.5  92.5%\n"
            "alice  carol          3           0-2-4     1.0  16.7%\n");
  EXPECT_EQ(Printed(PairColumns(), TwoPairs(), Form::kTable, false),
            "alice  bob    10  18-1-1  18.5  92.5%\n"
            "alice  carol   3   0-2-4   1.0  16.7%\n");
}

TEST(Crosstable, OfOneBotIsAListOfItsOpponentsWithTheirRatings) {
  Standings standings = Table({"carol", "alice", "bob"});
  standings.Mutable(2)->set_rank(0);
  standings.Mutable(2)->set_elo_error(std::numeric_limits<double>::infinity());
  standings.Mutable(2)->clear_elo_at_least();
  standings.Mutable(2)->clear_elo_at_most();
  EXPECT_EQ(OpponentsText(standings, TwoPairs()),
            "rank  opponent      elo  blocks  won-drawn-lost  points  share\n"
            "   1  carol     +50 ±40       3           0-2-4     1.0  16.7%\n"
            "   -  bob             -      10          18-1-1    18.5  92.5%\n"
            "      all                    13          18-3-5    19.5  75.0%\n");
  EXPECT_EQ(OpponentsText(standings, {}),
            "rank  opponent  elo  blocks  won-drawn-lost  points  share\n"
            "      all                 0           0-0-0     0.0      -\n");
}

TEST(Crosstable, AsCsvIsALineAPairWithItsBlocksByPoints) {
  EXPECT_EQ(Printed(PairColumns(), Pairs(), Form::kCsv),
            "bot,opponent,blocks,wins,draws,losses,points,blocks_0,blocks_half,blocks_1,"
            "blocks_1_half,blocks_2,bot_version,opponent_version\r\n");
  Pairs pairs;
  AddPair("=alice", "b,ob", {0, 1, 0, 0, 1'000'000}, 1, &pairs);
  EXPECT_EQ(Printed(PairColumns(), pairs, Form::kCsv, false),
            "\"=alice\",\"b,ob\",1000001,2000000,1,1,2000000.5,0,1,0,0,1000000,,\r\n");
}

TEST(Crosstable, NamesThatWouldHarmATerminalAreQuoted) {
  Pairs pairs;
  AddPair("a\x1b[2J", "bob", {0, 0, 1, 0, 0}, 0, &pairs);
  EXPECT_THAT(Printed(PairColumns(), pairs, Form::kTable, false), StartsWith("'a\\x1b[2J'  bob"));
}

TEST(Crosstable, TellsTheVersionsOfABotApart) {
  Standings standings = Table({"alice", "bob", "alice"});
  standings[0].set_version("2.0");
  standings[2].set_version("1.0");
  Pairs pairs = TwoPairs();
  pairs.DeleteSubrange(0, 2);
  AddPair("bob", "alice", {0, 0, 1, 0, 0}, 0, &pairs);
  pairs[0].set_opponent_version("1.0");
  AddPair("bob", "alice", {0, 0, 0, 0, 1}, 0, &pairs);
  pairs[1].set_opponent_version("2.0");
  const std::string matrix = CrosstableMatrix(standings, pairs, 80).value_or("none");
  EXPECT_THAT(matrix, HasSubstr("1  alice 2.0    0-0-2"));
  EXPECT_THAT(matrix, HasSubstr("3  alice 1.0    1-0-1"));
  EXPECT_THAT(Printed(PairColumns(), pairs, Form::kTable, false), HasSubstr("bob  alice 1.0"));
  EXPECT_THAT(OpponentsText(standings, pairs), HasSubstr("alice 2.0"));
  EXPECT_THAT(Printed(PairColumns(), pairs, Form::kCsv, false), HasSubstr(",,1.0\r\n"));
}

}  // namespace
}  // namespace referee::ctl
