// Tests of versions of bots and seasons of ladders, as played and as shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/rating/rating.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::PairPage;
using competition::Standing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Succeeded : public ::testing::Test {
 protected:
  // A ladder that has counted some blocks.
  void Play(schedule::Format format = schedule::Format::kLadder, int seats = 2) {
    for (const char* name : {"ada", "bea", "cleo"}) {
      store::Account account;
      account.name = name;
      account.token_hash[0] = static_cast<uint8_t>(name[0]);
      ASSERT_TRUE(contest_.store().AddAccount(account, {}).ok());
    }
    contest_.Boot();
    schedule::Spec spec = CompetitionFixture::SpecOf(format, {"ada", "bea", "cleo"}, seats);
    spec.max_running = 2;
    id_ = contest_.Start(spec);
    Go(12);
  }
  // Until so many blocks more are counted.
  void Go(int64_t blocks) {
    const int64_t to = contest_.Row().counted + blocks;
    ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted >= to; }));
  }
  void SetVersion(const std::string& bot, const std::string& version) {
    ASSERT_TRUE(contest_.store()
                    .SetVersion(bot, version, contest_.clock().WallNow(),
                                store::VersionSource::kOrganiser, {})
                    .ok());
    contest_.competitions().VersionChanged(bot);
  }
  void BeginSeason() {
    const auto begun = contest_.competitions().BeginSeason("cup", "", "olga");
    ASSERT_TRUE(begun.ok()) << begun.status();
  }
  std::vector<store::Block> OpenBlocks() { return contest_.store().ListOpenBlocks(id_).value(); }
  std::vector<store::Entrant> Entrants() { return contest_.store().ReadEntrants(id_).value(); }
  // "1 ada 2.0", the rank first.
  std::vector<std::string> Table(int season = 0) {
    std::vector<std::string> lines;
    for (const Standing& line : Lines(season)) {
      lines.push_back(absl::StrCat(line.rank, " ", line.entrant.name, " ", line.entrant.version));
    }
    return lines;
  }
  std::vector<Standing> Lines(int season = 0) {
    return contest_.competitions().Standings("cup", season).value().standings;
  }
  std::set<std::string> PairsOf(int season, const std::string& bot = "") {
    std::set<std::string> pairs;
    std::pair<int, int> from = {0, 0};
    for (;;) {
      const PairPage page = contest_.competitions().Pairs("cup", bot, from, 1, season).value();
      for (const competition::PairResult& pair : page.pairs) {
        const bool added =
            pairs.insert(absl::StrCat(NameOf(page, pair.bot), "-", NameOf(page, pair.opponent)))
                .second;
        EXPECT_TRUE(added);
      }
      if (!page.next) return pairs;
      from = *page.next;
      season = 0;  // the token says it
    }
  }
  static std::string NameOf(const PairPage& page, int bot) {
    const auto at = static_cast<size_t>(bot);
    return page.entrants[at] + page.labels[at].version;
  }

  CompetitionFixture contest_{{{"ada"}, {"bea", 8, true}, {"cleo"}}};
  store::CompetitionId id_;
};

TEST_F(Succeeded, VersionPlaysOnWithARatingAndATallyOfItsOwn) {
  Play();
  const store::Entrant before = Entrants()[0];
  SetVersion("ada", "2.0");
  Go(12);
  const std::vector<store::Entrant> entrants = Entrants();
  ASSERT_EQ(entrants.size(), 4u);
  EXPECT_GT(entrants[3].tally.blocks, 2);
  EXPECT_LT(entrants[3].tally.rating.sigma, rating::Succeed(before.tally.rating).sigma);
  // Nothing that began since is the old one's.
  for (const store::Block& block : contest_.blocks()) {
    for (const int bot : block.pairing.bots) {
      EXPECT_FALSE(bot == 0 && block.number >= entrants[0].out_from) << block.number;
    }
  }
  const std::vector<std::string> table = Table();
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[3], "0 ada ") << "behind all others, without a rank";
  EXPECT_TRUE(Lines()[3].succeeded);
  EXPECT_EQ(Lines()[3].remark, "succeeded by version 2.0");
  EXPECT_THAT(PairsOf(0, "ada"), ElementsAre("ada-bea", "ada-cleo", "ada2.0-bea", "ada2.0-cleo"));
}

TEST_F(Succeeded, BlocksOfTheOldVersionGoOnAndCountForIt) {
  for (const char* slow : {"ada", "bea"}) contest_.player(slow).thinks = absl::Milliseconds(10);
  Play();
  const int64_t counted = Entrants()[0].tally.blocks;
  ASSERT_TRUE(contest_.RunUntil([&] {
    for (const store::Block& block : OpenBlocks()) {
      if (block.pairing.bots[0] == 0 || block.pairing.bots[1] == 0) return true;
    }
    return false;
  }));
  const int64_t begun = Entrants()[0].blocks_begun;
  SetVersion("ada", "2.0");
  ASSERT_TRUE(contest_.RunUntil([&] { return Entrants()[0].tally.blocks == begun; }));
  EXPECT_GT(begun, counted);
  EXPECT_EQ(Entrants()[0].blocks_begun, begun) << "and no more";
}

TEST_F(Succeeded, SurvivesAKillBetweenAnyTwoSteps) {
  Play();
  SetVersion("ada", "2.0");
  contest_.Kill();
  contest_.Boot();
  Go(6);
  BeginSeason();
  contest_.Kill();
  contest_.Boot();
  Go(12);
  EXPECT_EQ(Entrants().size(), 7u);
  EXPECT_GT(Entrants()[4].tally.blocks, 0);
}

TEST_F(Succeeded, VersionHasMetNobody) {
  contest_.player("bea").thinks = absl::Milliseconds(1);
  Play();
  Go(30);
  SetVersion("ada", "2.0");
  const int64_t from = contest_.Row().next_block;
  Go(8);
  // The pair that tells most is one of the new version: it is in most blocks.
  int with_new = 0;
  int all = 0;
  for (const store::Block& block : contest_.blocks()) {
    if (block.number < from) continue;
    ++all;
    for (const int bot : block.pairing.bots) with_new += bot == 3 ? 1 : 0;
  }
  EXPECT_GT(2 * with_new, all);
}

TEST_F(Succeeded, SeasonBeginsFromNothingAndTheFormerTableStays) {
  Play();
  BeginSeason();
  ASSERT_TRUE(contest_.RunUntil([&] {
    for (const store::Block& block : OpenBlocks()) {
      if (block.pairing.bots[0] < 3) return false;
    }
    return contest_.Row().counted >= contest_.Row().season_block + 12;
  }));
  const std::vector<std::string> former = Table(1);
  const double elo = Lines(1)[0].elo;
  Go(12);
  EXPECT_EQ(Table(1), former);
  EXPECT_EQ(Lines(1)[0].elo, elo) << "the fit is over its own blocks only";
  ASSERT_EQ(former.size(), 3u);
  for (const Standing& line : Lines(1)) {
    EXPECT_GT(line.rank, 0) << line.entrant.name;
    EXPECT_FALSE(line.succeeded);
    EXPECT_EQ(line.remark, "");
    EXPECT_EQ(line.entrant.season, 1);
  }
  int64_t blocks = 0;
  for (const Standing& line : Lines()) {
    EXPECT_EQ(line.entrant.season, 2);
    blocks += line.entrant.tally.blocks;
  }
  EXPECT_LE(blocks, 2 * (contest_.Row().counted - contest_.Row().season_block));
  EXPECT_THAT(PairsOf(1), ElementsAre("ada-bea", "ada-cleo", "bea-cleo"));
  EXPECT_THAT(PairsOf(2), ElementsAre("ada-bea", "ada-cleo", "bea-cleo"));
  EXPECT_TRUE(absl::IsNotFound(contest_.competitions().Standings("cup", 3).status()));
  EXPECT_TRUE(absl::IsNotFound(contest_.competitions().Pairs("cup", "", {0, 0}, 9, 3).status()));
}

TEST_F(Succeeded, SeasonOfMoreSeatsIsFittedOverItsOwnBlocks) {
  Play(schedule::Format::kLadder, 3);
  const double before = Lines()[0].elo_error;
  BeginSeason();
  Go(30);
  EXPECT_EQ(Lines(1).size(), 3u);
  EXPECT_NEAR(Lines(1)[0].elo_error, before, before) << "what was open has counted since";
  EXPECT_EQ(Lines(2).size(), 3u);
}

TEST_F(Succeeded, BlocksOfABotAreThoseOfAllItsVersionsInOrder) {
  Play();
  SetVersion("ada", "2.0");
  Go(8);
  BeginSeason();
  Go(8);
  std::vector<int64_t> expected;
  for (const store::Block& block : contest_.blocks()) {
    for (const int bot : block.pairing.bots) {
      if (contest_.Row().spec.entrants[static_cast<size_t>(bot)] == "ada") {
        expected.push_back(block.number);
      }
    }
  }
  std::vector<int64_t> read;
  int64_t from = 0;
  for (;;) {
    const auto page = contest_.competitions().Blocks("cup", "ada", from, 5).value();
    for (const store::Block& block : page.blocks) read.push_back(block.number);
    if (!page.next) break;
    from = *page.next;
  }
  EXPECT_EQ(read, expected);
  read.clear();
  int64_t below = std::numeric_limits<int64_t>::max();
  for (;;) {
    const auto page = contest_.competitions()
                          .Blocks("cup", "ada", below, 5, competition::BlockOrder::kNewestFirst)
                          .value();
    for (const store::Block& block : page.blocks) read.push_back(block.number);
    if (!page.next) break;
    below = *page.next;
  }
  std::reverse(read.begin(), read.end());
  EXPECT_EQ(read, expected);
}

TEST_F(Succeeded, OtherFormatsKeepTheVersionsTheyWereMadeWith) {
  for (const char* name : {"ada", "bea"}) {
    store::Account account;
    account.name = name;
    account.token_hash[0] = static_cast<uint8_t>(name[0]);
    account.version = "1.0";
    ASSERT_TRUE(contest_.store().AddAccount(account, {}).ok());
  }
  contest_.Boot();
  id_ = contest_.Start(
      CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bea", "cleo"}));
  SetVersion("ada", "2.0");
  ASSERT_TRUE(contest_.RunToEnd());
  ASSERT_EQ(Entrants().size(), 3u);
  EXPECT_EQ(Entrants()[0].version, "1.0");
  const absl::Status refused = contest_.competitions().BeginSeason("cup", "", "olga").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
}

TEST_F(Succeeded, BotThatLeavesIsGoneFromWhatItsOldVersionHasBegun) {
  Play();
  SetVersion("ada", "2.0");
  ASSERT_TRUE(contest_.competitions().Leave("cup", "ada", "ada").ok());
  ASSERT_TRUE(contest_.RunUntil([&] {
    for (const store::Block& block : OpenBlocks()) {
      for (const int bot : block.pairing.bots) {
        if (bot == 0 || bot == 3) return false;
      }
    }
    return true;
  }));
  const int64_t begun = Entrants()[0].blocks_begun + Entrants()[3].blocks_begun;
  Go(4);
  EXPECT_EQ(Entrants()[0].blocks_begun + Entrants()[3].blocks_begun, begun);
}

}  // namespace
}  // namespace referee::testing
