// What the pages of a site say.
#include "referee/view/site_contents.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::view {
namespace {

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

v1::SiteCompetition League() {
  v1::SiteCompetition league;
  v1::CompetitionSpec* const spec = league.mutable_competition()->mutable_spec();
  spec->set_name("a/b");
  spec->set_seats(2);
  spec->add_positions("a position");
  spec->mutable_options()->mutable_hypnosia()->set_turn_limit(5);
  league.mutable_competition()->set_blocks_lately(7);
  for (const char* bot : {"Ann", "bob"}) {
    v1::Standing* const standing = league.add_standings();
    standing->set_bot(bot);
    standing->set_connected(true);
    v1::RatingHistory* const history = league.add_histories();
    history->set_bot(bot);
    history->add_points()->set_elo(25);
  }
  league.add_histories()->set_bot("cyd");  // who has left the table
  v1::PairTotal* const pair = league.add_pairs();
  pair->set_bot("Ann");
  pair->set_opponent("bob");
  pair->set_blocks(2);
  pair->set_wins(3);
  pair->set_losses(1);
  pair->set_points(3);
  for (const uint64_t count : {0, 0, 1, 0, 1}) pair->add_blocks_by_points(count);
  return league;
}

std::map<std::string, v1::SitePage> PagesOf(const SiteContents& contents,
                                            const std::set<std::string>& has_page = {}) {
  std::map<std::string, v1::SitePage> pages;
  contents.ForEachPage(has_page, [&pages](const std::string& path, const v1::SitePage& page) {
    EXPECT_TRUE(pages.emplace(path, page).second) << path;
  });
  return pages;
}

TEST(SiteContents, HasAPageForEachCompetitionAndBot) {
  SiteContents contents("Games");
  contents.Begin(League());
  contents.Add(WonBlock(0, "Ann", "bob"));
  const auto pages = PagesOf(contents, {"1000001"});
  EXPECT_THAT(pages, SizeIs(5));
  const v1::SiteCompetition& league = pages.at("competitions/a=2fb.html").competition();
  EXPECT_EQ(league.histories_size(), 2);
  ASSERT_EQ(league.matches_size(), 2);
  EXPECT_EQ(league.matches(0).match_id(), "1000001") << "newest first";
  EXPECT_TRUE(league.matches(0).has_page());
  EXPECT_FALSE(league.matches(1).has_page());
  // In rotation 1 the seats are changed.
  EXPECT_THAT(league.matches(0).bots(), ElementsAre("bob", "Ann"));
  EXPECT_THAT(league.matches(1).bots(), ElementsAre("Ann", "bob"));
  EXPECT_EQ(pages.at("index.html").index().competitions_size(), 1);
  EXPECT_EQ(pages.at("index.html").title(), "Games");
  EXPECT_EQ(pages.at("archive.html").archive().matches_size(), 2);
}

TEST(SiteContents, DrawsTheFirstOfTheTable) {
  v1::SiteCompetition league = League();
  for (int i = 0; i < 20; ++i) {
    const std::string bot = "bot" + std::to_string(i);
    league.add_standings()->set_bot(bot);
    v1::RatingHistory* const history = league.add_histories();
    history->set_bot(bot);
    if (i > 0) history->add_points()->set_elo(i);
  }
  SiteContents contents("");
  contents.Begin(league);
  const auto pages = PagesOf(contents);
  const v1::SiteCompetition& shown = pages.at("competitions/a=2fb.html").competition();
  ASSERT_EQ(static_cast<size_t>(shown.histories_size()), SiteContents::kDrawnBots);
  EXPECT_EQ(shown.histories(0).bot(), "Ann");
  EXPECT_EQ(shown.histories(2).bot(), "bot1") << "who has not played has no line";
  const v1::SiteEntry& bot19 = pages.at("bots/bot19.html").bot().entries(0);
  ASSERT_EQ(bot19.histories_size(), 1);
  EXPECT_EQ(bot19.histories(0).points(0).elo(), 19);
}

TEST(SiteContents, SeesPairsFromTheSideOfTheBot) {
  SiteContents contents("");
  contents.Begin(League());
  const auto pages = PagesOf(contents);
  const v1::PairTotal& bob = pages.at("bots/bob.html").bot().entries(0).pairs(0);
  EXPECT_EQ(bob.bot(), "bob");
  EXPECT_EQ(bob.opponent(), "Ann");
  EXPECT_EQ(bob.wins(), 1u);
  EXPECT_EQ(bob.losses(), 3u);
  EXPECT_EQ(bob.points(), 1.0);
  EXPECT_THAT(bob.blocks_by_points(), ElementsAre(1, 0, 1, 0, 0));
  EXPECT_EQ(pages.at("bots/=41nn.html").bot().entries(0).pairs(0).points(), 3.0);
}

TEST(SiteContents, LeavesOutWhatChangesThoughNothingHappened) {
  SiteContents contents("");
  contents.Begin(League());
  const v1::SiteCompetition page = PagesOf(contents).at("competitions/a=2fb.html").competition();
  EXPECT_FALSE(page.standings(0).connected());
  EXPECT_EQ(page.competition().blocks_lately(), 0u);
  EXPECT_EQ(page.competition().spec().positions_size(), 0);
  EXPECT_TRUE(page.competition().spec().options().has_hypnosia()) << "the game is still named";
}

TEST(SiteContents, BoundsItsLists) {
  SiteContents contents("");
  contents.Begin(League());
  const size_t blocks = SiteContents::kArchivedMatches / 2 + 10;
  for (size_t i = 0; i < blocks; ++i) contents.Add(WonBlock(i, "Ann", "bob"));
  const auto pages = PagesOf(contents);
  EXPECT_EQ(static_cast<size_t>(pages.at("archive.html").archive().matches_size()),
            SiteContents::kArchivedMatches);
  EXPECT_EQ(pages.at("archive.html").archive().left_out(), 20u);
  EXPECT_EQ(static_cast<size_t>(pages.at("bots/bob.html").bot().matches_size()),
            SiteContents::kShownMatches);
}

// A ladder that goes on for months leaves those of an older cup their pages.
TEST(SiteContents, HasReplaysOfEachCompetition) {
  SiteContents contents("", 4);
  v1::SiteCompetition ladder = League();
  ladder.mutable_competition()->mutable_spec()->set_name("ladder");
  contents.Begin(ladder);
  for (uint64_t i = 10; i < 30; ++i) contents.Add(WonBlock(i, "Ann", "bob"));
  contents.Begin(League());
  for (uint64_t i = 0; i < 5; ++i) contents.Add(WonBlock(i, "Ann", "bob"));
  EXPECT_THAT(contents.Replays(), ElementsAre("1000059", "1000058", "1000057", "1000056", "1000009",
                                              "1000008", "1000007", "1000006"));
}

TEST(SiteContents, HasTheReplaysOfTheLastRoundBesideTheNewest) {
  v1::SiteCompetition cup = League();
  cup.mutable_competition()->set_state(v1::COMPETITION_STATE_FINISHED);
  for (const auto& [round, block] : std::map<uint32_t, uint64_t>{{1, 0}, {2, 1}}) {
    v1::RoundPairing* const pairing = cup.add_pairings();
    pairing->set_round(round);
    pairing->add_blocks(block);
  }
  cup.add_pairings()->set_round(3);  // which has not begun
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
  v1::SiteCompetition cup = League();
  cup.mutable_competition()->set_state(v1::COMPETITION_STATE_RUNNING);
  v1::RoundPairing* const pairing = cup.add_pairings();
  pairing->set_round(1);
  pairing->add_blocks(0);
  SiteContents contents("", 1);
  contents.Begin(cup);
  contents.Add(WonBlock(0, "Ann", "bob"));
  EXPECT_THAT(contents.Replays(), ElementsAre("1000001"));
}

TEST(SiteContents, HasTheReplaysOfTheBlockThatDecidedATest) {
  SiteContents contents("", 1);
  v1::SiteCompetition test = League();
  test.mutable_competition()->mutable_spec()->set_format(v1::COMPETITION_FORMAT_TEST);
  test.mutable_competition()->set_state(v1::COMPETITION_STATE_FINISHED);
  contents.Begin(test);
  contents.Add(WonBlock(0, "Ann", "bob"));
  contents.Add(WonBlock(1, "Ann", "bob"));
  v1::Block dropped = WonBlock(2, "Ann", "bob");
  dropped.set_state(v1::BLOCK_STATE_DROPPED);
  contents.Add(dropped);
  EXPECT_THAT(contents.Replays(), ElementsAre("1000005", "1000003", "1000002"));
}

TEST(MatchesOfBlock, HasThoseOfAttemptsThatCameToNothing) {
  v1::Block block = WonBlock(3, "Ann", "bob");
  v1::BlockAttempt* const attempt = block.add_attempts();
  attempt->set_state(v1::MATCH_STATE_CANCELLED);
  attempt->add_matches()->set_match_id("7");
  const std::vector<v1::SiteMatch> matches = MatchesOf(block, "league");
  ASSERT_THAT(matches, SizeIs(3));
  EXPECT_EQ(matches[2].state(), v1::MATCH_STATE_CANCELLED);
  EXPECT_EQ(matches[0].state(), v1::MATCH_STATE_UNSPECIFIED);
  block.set_state(v1::BLOCK_STATE_RUNNING);
  block.mutable_matches(1)->clear_ranks();
  EXPECT_THAT(MatchesOf(block, "league"), SizeIs(2)) << "one is still played";
}

}  // namespace
}  // namespace referee::view
