// Tests of the contents of a site's pages.
#include "referee/gate/site_contents.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace referee::gate {
namespace {

using ::nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A block of two matches, both of which the first bot wins, from the seat that it has.
v1::Block WonBlock(uint64_t number, const std::string& winner, const std::string& loser) {
  v1::Block block;
  block.set_number(number);
  block.add_bots(winner);
  block.add_bots(loser);
  block.set_state(v1::BLOCK_STATE_PLAYED);
  for (uint32_t rotation = 0; rotation < 2; ++rotation) {
    v1::BlockMatch* const match = block.add_matches();
    match->set_match_id(std::to_string(1'000'000 + 2 * number + rotation));
    match->set_rotation(rotation);
    for (const uint32_t rank : {1 + rotation, 2 - rotation}) {
      match->add_ranks(rank);
      match->add_scores(2 - static_cast<int>(rank));
    }
  }
  return block;
}

PublishedCompetition League() {
  PublishedCompetition league;
  v1::Competition* const competition = league.table.mutable_competition();
  competition->mutable_spec()->set_name("a/b");
  competition->mutable_spec()->add_positions("a position");
  competition->mutable_spec()->mutable_options()->mutable_hypnosia()->set_turn_limit(5);
  competition->set_blocks_lately(7);
  for (const char* bot : {"Ann", "bob"}) {
    v1::Standing* const standing = league.table.add_standings();
    standing->set_bot(bot);
    standing->set_connected(true);
    v1::RatingHistory* const history = league.ratings.add_histories();
    history->set_bot(bot);
    history->add_points()->set_elo(25);
  }
  v1::PairTotal* const pair = league.pairs.add_pairs();
  pair->set_bot("Ann");
  pair->set_opponent("bob");
  return league;
}

// What each page holds, by where it lies.
std::map<std::string, json> PagesOf(const SiteContents& contents,
                                    const std::set<std::string>& has_page = {}) {
  std::map<std::string, json> pages;
  contents.ForEachPage(has_page,
                       [&pages](const std::string& path, view::SiteKind, const std::string& data) {
                         EXPECT_TRUE(pages.emplace(path, json::parse(data)).second) << path;
                       });
  return pages;
}

TEST(SiteContents, HasAPageForEachCompetitionAndBot) {
  SiteContents contents("Games");
  contents.Begin(League());
  contents.Add(WonBlock(0, "Ann", "bob"));
  const auto pages = PagesOf(contents, {"1000001"});
  EXPECT_THAT(pages, SizeIs(5));
  const json& league = pages.at("competitions/a=2fb.html");
  EXPECT_EQ(league.at("title"), "Games");
  EXPECT_EQ(league.at("name"), "a/b");
  EXPECT_EQ(league.at("replays"), json::array({"1000001"}));
  std::vector<std::string> routes;
  for (const auto& answer : league.at("answers").items()) routes.push_back(answer.key());
  EXPECT_THAT(routes, ElementsAre("competitions/a%2Fb/blocks?order=newest",
                                  "competitions/a%2Fb/pairs", "competitions/a%2Fb/ratings?bot=Ann",
                                  "competitions/a%2Fb/ratings?bot=bob", "competitions/a%2Fb/rounds",
                                  "competitions/a%2Fb/standings"));
  EXPECT_THAT(pages.at("index.html").at("answers").at("competitions").at("competitions"),
              SizeIs(1));
  EXPECT_THAT(pages.at("archive.html")
                  .at("answers")
                  .at("competitions/a%2Fb/blocks?order=newest")
                  .at("blocks")
                  .at(0)
                  .at("matches"),
              SizeIs(2));
}

TEST(SiteContents, HasTheRatingsOfTheFirstOfTheTable) {
  PublishedCompetition league = League();
  for (int i = 0; i < 20; ++i) {
    const std::string bot = "bot" + std::to_string(i);
    league.table.add_standings()->set_bot(bot);
    league.ratings.add_histories()->set_bot(bot);
  }
  SiteContents contents("");
  contents.Begin(league);
  const auto pages = PagesOf(contents);
  const json& shown = pages.at("competitions/a=2fb.html").at("answers");
  EXPECT_TRUE(shown.contains("competitions/a%2Fb/ratings?bot=bot7"));
  EXPECT_FALSE(shown.contains("competitions/a%2Fb/ratings?bot=bot8"));
  const json& bot19 = pages.at("bots/bot19.html").at("answers");
  EXPECT_EQ(bot19.at("competitions/a%2Fb/ratings?bot=bot19").at("histories").at(0).at("bot"),
            "bot19");
}

TEST(SiteContents, HasOfEachBotOnlyWhatItTookPartIn) {
  PublishedCompetition league = League();
  v1::PairTotal* const other = league.pairs.add_pairs();
  other->set_bot("Ann");
  other->set_opponent("cyd");
  PublishedCompetition cup;
  cup.table.mutable_competition()->mutable_spec()->set_name("cup");
  SiteContents contents("");
  contents.Begin(league);
  contents.Add(WonBlock(0, "Ann", "bob"));
  contents.Begin(cup);
  contents.Add(WonBlock(1, "Ann", "c d"));
  const auto pages = PagesOf(contents);
  const json& bob = pages.at("bots/bob.html").at("answers");
  EXPECT_THAT(bob.at("competitions?bot=bob").at("competitions"), SizeIs(1));
  EXPECT_THAT(bob.at("competitions/a%2Fb/pairs?bot=bob").at("pairs"), SizeIs(1));
  EXPECT_EQ(bob.at("competitions/a%2Fb/standings").at("standings"),
            json::array({json::object({{"bot", "bob"}})}));
  // One that has left the table has its matches still.
  const json& late = pages.at("bots/c=20d.html").at("answers");
  EXPECT_EQ(late.at("competitions?bot=c%20d").at("competitions").at(0).at("spec").at("name"),
            "cup");
  EXPECT_THAT(late.at("competitions/cup/blocks?order=newest&bot=c%20d").at("blocks"), SizeIs(1));
}

TEST(SiteContents, LeavesOutWhatChangesThoughNothingHappened) {
  SiteContents contents("");
  contents.Begin(League());
  const auto pages = PagesOf(contents);
  const json& shown =
      pages.at("competitions/a=2fb.html").at("answers").at("competitions/a%2Fb/standings");
  EXPECT_FALSE(shown.at("standings").at(0).contains("connected"));
  const json& competition = shown.at("competition");
  EXPECT_FALSE(competition.contains("blocksLately"));
  EXPECT_FALSE(competition.at("spec").contains("positions"));
  EXPECT_EQ(competition.at("spec").at("options"), json::object({{"hypnosia", json::object()}}))
      << "the game is still named";
}

TEST(SiteContents, BoundsItsLists) {
  SiteContents contents("");
  contents.Begin(League());
  const size_t blocks = SiteContents::kArchivedMatches / 2 + 10;
  for (size_t i = 0; i < blocks; ++i) contents.Add(WonBlock(i, "Ann", "bob"));
  const auto pages = PagesOf(contents);
  const json& archive = pages.at("archive.html");
  EXPECT_THAT(archive.at("answers").at("competitions/a%2Fb/blocks?order=newest").at("blocks"),
              SizeIs(SiteContents::kArchivedMatches / 2));
  EXPECT_EQ(archive.at("leftOut"), 20);
  EXPECT_THAT(pages.at("bots/bob.html")
                  .at("answers")
                  .at("competitions/a%2Fb/blocks?order=newest&bot=bob")
                  .at("blocks"),
              SizeIs(SiteContents::kShownMatches / 2));
}

TEST(SiteContents, HasNoMatchesThatAreStillPlayed) {
  v1::Block block = WonBlock(3, "Ann", "bob");
  block.set_state(v1::BLOCK_STATE_RUNNING);
  block.mutable_matches(1)->clear_ranks();
  v1::BlockAttempt* const attempt = block.add_attempts();
  attempt->set_state(v1::MATCH_STATE_CANCELLED);
  attempt->add_matches()->set_match_id("7");
  SiteContents contents("", 9);
  contents.Begin(League());
  contents.Add(block);
  EXPECT_THAT(contents.Replays(), ElementsAre("7", "1000006"));
  const auto pages = PagesOf(contents);
  const json& shown = pages.at("archive.html")
                          .at("answers")
                          .at("competitions/a%2Fb/blocks?order=newest")
                          .at("blocks")
                          .at(0);
  EXPECT_THAT(shown.at("matches"), SizeIs(1));
  EXPECT_THAT(shown.at("attempts").at(0).at("matches"), SizeIs(1));
}

// A ladder that goes on for months leaves those of an older cup their pages.
TEST(SiteContents, HasReplaysOfEachCompetition) {
  SiteContents contents("", 4);
  PublishedCompetition ladder = League();
  ladder.table.mutable_competition()->mutable_spec()->set_name("ladder");
  contents.Begin(ladder);
  for (uint64_t i = 10; i < 30; ++i) contents.Add(WonBlock(i, "Ann", "bob"));
  contents.Begin(League());
  for (uint64_t i = 0; i < 5; ++i) contents.Add(WonBlock(i, "Ann", "bob"));
  EXPECT_THAT(contents.Replays(), ElementsAre("1000059", "1000058", "1000057", "1000056", "1000009",
                                              "1000008", "1000007", "1000006"));
}

TEST(SiteContents, HasTheReplaysOfTheLastRoundBesideTheNewest) {
  PublishedCompetition cup = League();
  cup.table.mutable_competition()->set_state(v1::COMPETITION_STATE_FINISHED);
  for (const auto& [round, block] : std::map<uint32_t, uint64_t>{{1, 0}, {2, 1}}) {
    v1::RoundPairing* const pairing = cup.rounds.add_pairings();
    pairing->set_round(round);
    pairing->add_blocks(block);
  }
  cup.rounds.add_pairings()->set_round(3);  // which has not begun
  for (const size_t replays : {0, 1}) {
    SiteContents contents("", replays);
    contents.Begin(cup);
    contents.Add(WonBlock(0, "Ann", "bob"));
    contents.Add(WonBlock(1, "Ann", "bob"));
    v1::Block late = WonBlock(2, "Ann", "bob");
    contents.Add(late);
    if (replays == 0) {
      EXPECT_THAT(contents.Replays(), IsEmpty());
    } else {
      EXPECT_THAT(contents.Replays(), ElementsAre("1000005", "1000003", "1000002"));
    }
  }
}

// A round that goes on decides nothing, and its matches would come and go.
TEST(SiteContents, HasNoReplaysBesideTheNewestOfACompetitionThatGoesOn) {
  PublishedCompetition cup = League();
  cup.table.mutable_competition()->set_state(v1::COMPETITION_STATE_RUNNING);
  v1::RoundPairing* const pairing = cup.rounds.add_pairings();
  pairing->set_round(1);
  pairing->add_blocks(0);
  SiteContents contents("", 1);
  contents.Begin(cup);
  contents.Add(WonBlock(0, "Ann", "bob"));
  EXPECT_THAT(contents.Replays(), ElementsAre("1000001"));
}

TEST(SiteContents, HasTheReplaysOfTheBlockThatDecidedATest) {
  SiteContents contents("", 1);
  PublishedCompetition test = League();
  test.table.mutable_competition()->mutable_spec()->set_format(v1::COMPETITION_FORMAT_TEST);
  test.table.mutable_competition()->set_state(v1::COMPETITION_STATE_FINISHED);
  contents.Begin(test);
  contents.Add(WonBlock(0, "Ann", "bob"));
  contents.Add(WonBlock(1, "Ann", "bob"));
  v1::Block dropped = WonBlock(2, "Ann", "bob");
  dropped.set_state(v1::BLOCK_STATE_DROPPED);
  contents.Add(dropped);
  EXPECT_THAT(contents.Replays(), ElementsAre("1000005", "1000003", "1000002"));
}

}  // namespace
}  // namespace referee::gate
