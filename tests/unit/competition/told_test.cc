// Tests of what observers see of a competition with a watch delay.
//
// All readers see the state of that much earlier, and nothing newer. The competition itself is not
// delayed.
#include "referee/competition/told_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::Board;
using competition::ToldBlock;
using schedule::Format;
using store::BlockState;
using store::CompetitionState;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr absl::Duration kDelay = absl::Seconds(10);
constexpr absl::Duration kLook = absl::Milliseconds(100);

// --- One block ---

absl::Time BlockTime(int seconds) { return absl::FromUnixSeconds(1'700'000'000 + seconds); }

store::BlockMatch Won(absl::string_view id) {
  store::BlockMatch match;
  match.id = MatchId::Parse(id).value();
  match.verdict.ranks = {1, 2};
  match.verdict.scores = {7, 3};
  return match;
}

// Its first attempt was void at 10, its second ended at 20.
store::Block PlayedBlock() {
  store::Block block;
  block.pairing.bots = {0, 1};
  block.attempt = 1;
  block.state = BlockState::kPlayed;
  block.block_id = "second";
  block.matches = {Won("01hf00000000000000000000ac"), Won("01hf00000000000000000000ad")};
  block.reason = "why";
  store::Attempt first;
  first.block_id = "first";
  first.matches = {Won("01hf00000000000000000000aa"), Won("01hf00000000000000000000ab")};
  first.matches[1].verdict.ranks.clear();
  first.end_time = BlockTime(10);
  block.attempts = {first};
  block.begin_time = BlockTime(0);
  block.end_time = BlockTime(20);
  return block;
}

TEST(ToldBlock, IsWholeFromItsEndOn) {
  const store::Block told = ToldBlock(PlayedBlock(), BlockTime(20), true);
  EXPECT_EQ(told.state, BlockState::kPlayed);
  EXPECT_EQ(told.matches[0].verdict.ranks, std::vector<int>({1, 2}));
  EXPECT_EQ(told.reason, "why");
}

TEST(ToldBlock, IsBeingPlayedBeforeItsEnd) {
  const store::Block told = ToldBlock(PlayedBlock(), BlockTime(20) - absl::Nanoseconds(1), false);
  EXPECT_EQ(told.state, BlockState::kRunning);
  EXPECT_EQ(told.attempt, 1);
  EXPECT_EQ(told.end_time, absl::nullopt);
  EXPECT_THAT(told.reason, IsEmpty());
  ASSERT_THAT(told.matches, SizeIs(2));
  EXPECT_EQ(told.matches[0].id.text(), "01hf00000000000000000000ac");
  EXPECT_THAT(told.matches[0].verdict.ranks, IsEmpty());
  EXPECT_THAT(told.matches[0].verdict.scores, IsEmpty());
  ASSERT_THAT(told.attempts, SizeIs(1)) << "that it was void was told";
  EXPECT_THAT(told.attempts[0].matches[0].verdict.ranks, SizeIs(2));
}

TEST(ToldBlock, IsAtItsFirstAttemptUntilThatWasVoid) {
  const store::Block told = ToldBlock(PlayedBlock(), BlockTime(9), false);
  EXPECT_EQ(told.state, BlockState::kRunning);
  EXPECT_EQ(told.attempt, 0);
  EXPECT_EQ(told.block_id, "first");
  EXPECT_THAT(told.attempts, IsEmpty());
  ASSERT_THAT(told.matches, SizeIs(2));
  EXPECT_EQ(told.matches[0].id.text(), "01hf00000000000000000000aa");
  EXPECT_THAT(told.matches[0].verdict.ranks, IsEmpty()) << "what was decided in it";
}

TEST(ToldBlock, AfterTheDecisionOfATestIsBeingPlayedUntilTheCountIsTold) {
  store::Block surplus = PlayedBlock();
  surplus.state = BlockState::kDropped;
  EXPECT_EQ(ToldBlock(surplus, BlockTime(30), false).state, BlockState::kRunning);
  EXPECT_EQ(ToldBlock(surplus, BlockTime(30), true).state, BlockState::kDropped);
}

// --- Whole competitions ---

std::vector<Player> SlowField() {
  return {{"ada", 8, false, absl::Milliseconds(40)},
          {"bea", 8, true, absl::Milliseconds(10)},
          {"cleo", 8, false, absl::Milliseconds(25)},
          {"dora", 8, true, absl::Milliseconds(60)}};
}

std::string TextOf(const competition::StandingsView& table) {
  const store::Competition& row = table.view.competition;
  std::string text = absl::StrCat(store::StateName(row.state), " counted ", row.counted, " begun ",
                                  row.next_block, " season ", table.season, "\n");
  for (const competition::Standing& line : table.standings) {
    const store::Tally& tally = line.entrant.tally;
    absl::StrAppend(&text, line.rank, " ", line.entrant.name, " ", line.entrant.version, " ",
                    line.points, " ", tally.blocks, " ", tally.wins, "-", tally.draws, "-",
                    tally.losses, " ", tally.half_points, " mu ", tally.rating.mu, " sigma ",
                    tally.rating.sigma, " elo ", line.elo, " ", line.remark, "\n");
  }
  if (table.view.evenness.has_value()) {
    absl::StrAppend(&text, "meet ", table.view.evenness->least_met, " to ",
                    table.view.evenness->most_met, "\n");
  }
  if (table.view.test.has_value()) {
    absl::StrAppend(&text, "LLR ", table.view.test->sprt.log_likelihood_ratio(), "\n");
  }
  return text;
}

std::string TextOf(const competition::BlockPage& page) {
  std::string text;
  for (const store::Block& block : page.blocks) {
    absl::StrAppend(&text, "block ", block.number, ": ", absl::StrJoin(block.pairing.bots, " "),
                    " state ", static_cast<int>(block.state), " attempt ", block.attempt);
    for (const store::BlockMatch& match : block.matches) {
      absl::StrAppend(&text, " ", match.id.text(), "=", absl::StrJoin(match.verdict.ranks, ","));
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

// All that a board says.
std::string TextOf(const Board& board) {
  std::string text = TextOf(board.Standings("cup").value());
  absl::StrAppend(&text, TextOf(board.Blocks("cup", "", 0, 1000).value()));
  absl::StrAppend(&text, TextOf(board
                                    .Blocks("cup", "ada", std::numeric_limits<int64_t>::max(), 5,
                                            competition::BlockOrder::kNewestFirst)
                                    .value()));
  const competition::PairPage pairs = board.Pairs("cup", "", {0, 0}, 1000).value();
  for (const competition::PairResult& pair : pairs.pairs) {
    absl::StrAppend(&text, "pair ", pair.bot, "-", pair.opponent, " ", pair.wins, " ", pair.draws,
                    " ", pair.losses, "\n");
  }
  const competition::RatingPage ratings = board.Ratings("cup", "", 0, 1000).value();
  for (const competition::RatingPage::History& history : ratings.histories) {
    absl::StrAppend(&text, "ratings of ", history.bot, " ", history.version, ":");
    for (const competition::RatingPoint& point : history.points) {
      absl::StrAppend(&text, " ", point.blocks, " ", point.elo, " ", point.error);
    }
    absl::StrAppend(&text, "\n");
  }
  const absl::StatusOr<competition::RoundPage> rounds = board.Rounds("cup", 0, 0, 1000);
  if (!rounds.ok()) return text;  // of a ladder or a test
  for (const competition::RoundLine& line : rounds->lines) {
    absl::StrAppend(&text, "round ", line.pairing.round, ": ",
                    absl::StrJoin(line.pairing.bots, " "), " points ",
                    absl::StrJoin(line.pairing.points, " "), "\n");
  }
  return text;
}

class Told : public ::testing::TestWithParam<Format> {
 protected:
  schedule::Spec Spec() const {
    const Format format = GetParam();
    std::vector<std::string> field = {"ada", "bea", "cleo", "dora"};
    if (format == Format::kTest) field.resize(2);
    schedule::Spec spec = CompetitionFixture::SpecOf(format, field);
    if (format == Format::kTest) {
      spec.sprt = rating::SprtTerms{0, 5, 0.05, 0.05, rating::EloScale::kLogistic};
      spec.rounds = 12;
    }
    if (format == Format::kRoundRobin || format == Format::kGauntlet) spec.rounds = 3;
    spec.max_running = 2;
    spec.watch_delay = kDelay;
    return spec;
  }
  // Lets the competition go on for so many steps, and checks at each what is told.
  void RunAndCompare(int steps) {
    for (int i = 0; i < steps; ++i) {
      contest_.RunFor(kLook);
      was_.push_back(TextOf(contest_.competitions()));
      if (was_.size() <= static_cast<size_t>(kDelay / kLook)) continue;
      ASSERT_EQ(TextOf(contest_.competitions().told()), was_.front()) << "after step " << i;
      changes_ += was_[0] == was_[1] ? 0 : 1;
      was_.pop_front();
    }
  }

  CompetitionFixture contest_{SlowField()};
  std::deque<std::string> was_;  // a step apart
  int changes_ = 0;              // that were told
};

TEST_P(Told, IsWhatWasSoMuchEarlier) {
  contest_.Boot();
  contest_.Start(Spec());
  RunAndCompare(250);
  EXPECT_GT(changes_, 3) << "something was to be told";
  if (GetParam() == Format::kLadder) return;
  ASSERT_TRUE(contest_.RunToEnd());
  contest_.RunFor(kDelay);
  EXPECT_EQ(TextOf(contest_.competitions().told()), TextOf(contest_.competitions()));
  EXPECT_EQ(contest_.competitions().told().Get("cup").value().competition.state,
            CompetitionState::kFinished);
}

TEST_P(Told, IsTheSameAfterARestart) {
  contest_.Boot();
  contest_.Start(Spec());
  contest_.RunFor(absl::Seconds(25));
  const std::string before = TextOf(contest_.competitions().told());
  contest_.Kill();
  contest_.Boot();
  EXPECT_EQ(TextOf(contest_.competitions().told()), before);
}

INSTANTIATE_TEST_SUITE_P(Formats, Told,
                         ::testing::Values(Format::kRoundRobin, Format::kGauntlet, Format::kSwiss,
                                           Format::kKnockout, Format::kLadder, Format::kTest),
                         [](const auto& info) {
                           std::string name(schedule::FormatName(info.param));
                           if (name == "round-robin") name = "round_robin";
                           return name;
                         });

class WatchDelay : public ::testing::Test {
 protected:
  static schedule::Spec Cup(absl::Duration delay) {
    schedule::Spec spec =
        CompetitionFixture::SpecOf(Format::kRoundRobin, {"ada", "bea", "cleo", "dora"});
    spec.max_running = 1;
    spec.watch_delay = delay;
    return spec;
  }
  int64_t Counted(const Board& board) { return board.Get("cup").value().competition.counted; }
  absl::Status SetWatchDelay(competition::Competitions* competitions, absl::Duration delay) {
    const auto change = [delay](schedule::Spec* spec) {
      spec->watch_delay = delay;
      return absl::OkStatus();
    };
    return competitions->Update("cup", change, "olga").status();
  }
};

// When it was over, since it began; infinite if it never was.
absl::Duration TimeOf(const schedule::Spec& spec) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  contest.Start(spec);
  if (!contest.RunToEnd()) return absl::InfiniteDuration();
  return *contest.Row().finish_time - *contest.Row().start_time;
}

TEST_F(WatchDelay, SlowsNothingThoughOneBlockIsPlayedAtATime) {
  const absl::Duration without = TimeOf(Cup(absl::ZeroDuration()));
  EXPECT_LT(without, absl::Minutes(10));
  EXPECT_EQ(TimeOf(Cup(absl::Hours(24))), without);
}

TEST_F(WatchDelay, OfNoneTellsAllAtOnce) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  contest.Start(Cup(absl::ZeroDuration()));
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(TextOf(contest.competitions().told()), TextOf(contest.competitions()));
  EXPECT_FALSE(contest.competitions().told().Get("cup").value().lags);
}

TEST_F(WatchDelay, MayBeChangedWhileItRunsAndWhenItIsOver) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  contest.Start(Cup(absl::Hours(1)));
  ASSERT_TRUE(contest.RunToEnd());
  competition::Competitions& all = contest.competitions();
  EXPECT_EQ(Counted(all), 6);
  EXPECT_EQ(Counted(all.told()), 0);
  EXPECT_TRUE(all.told().Get("cup").value().lags);
  EXPECT_TRUE(
      absl::IsInvalidArgument(SetWatchDelay(&all, limits::kMaxWatchDelay + absl::Nanoseconds(1))));
  ASSERT_TRUE(SetWatchDelay(&all, absl::ZeroDuration()).ok());
  EXPECT_EQ(Counted(all.told()), 6);
  EXPECT_EQ(contest.store().ListAudit(0, 1).value()[0].detail, "watch_delay 0, was 1h");
  ASSERT_TRUE(SetWatchDelay(&all, absl::Hours(2)).ok());
  EXPECT_EQ(Counted(all.told()), 0);
}

TEST_F(WatchDelay, IsKnownOfTheMatchesOfACompetitionAlsoAfterARestart) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  const store::CompetitionId id = contest.Start(Cup(absl::Hours(1)));
  const std::string request_id = absl::StrCat("c/", id.text(), "/0/0");
  EXPECT_EQ(contest.competitions().WatchDelayOf(request_id), absl::Hours(1));
  EXPECT_EQ(contest.competitions().WatchDelayOf("request-1"), absl::ZeroDuration());
  EXPECT_TRUE(contest.competitions().any_watch_delay());
  ASSERT_TRUE(contest.RunToEnd());
  contest.Kill();
  contest.Boot();
  EXPECT_EQ(contest.competitions().WatchDelayOf(request_id), absl::Hours(1)) << "it is FINISHED";
  ASSERT_TRUE(SetWatchDelay(&contest.competitions(), absl::Seconds(5)).ok());
  EXPECT_EQ(contest.competitions().WatchDelayOf(request_id), absl::Seconds(5));
  ASSERT_TRUE(SetWatchDelay(&contest.competitions(), absl::ZeroDuration()).ok());
  EXPECT_FALSE(contest.competitions().any_watch_delay());
}

TEST_F(WatchDelay, OfACompetitionThatAnOrganiserFinishesLeavesNothingPlanned) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  contest.Start(Cup(kDelay));
  contest.RunFor(absl::Milliseconds(500));
  competition::Competitions& all = contest.competitions();
  ASSERT_TRUE(all.Finish("cup", "olga").ok());
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_LT(contest.Row().counted, 6) << "there was more to come";
  contest.RunFor(kDelay / 2);
  EXPECT_NE(TextOf(all.told()), TextOf(all));
  contest.RunFor(kDelay);
  EXPECT_EQ(TextOf(all.told()), TextOf(all));
}

// Pauses the ladder, and waits until all is told: of tallies that were reckoned anew.
TEST_F(WatchDelay, ReckonsRatingsAnewAcrossVersionsAndSeasons) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(Format::kLadder, {"ada", "bea", "cleo", "dora"});
  spec.watch_delay = kDelay;
  contest.Start(spec);
  competition::Competitions& all = contest.competitions();
  contest.RunFor(absl::Seconds(20));
  (void)TextOf(all.told());  // begins to reckon before there are other entrants
  store::Account ada;
  ada.name = "ada";
  ada.role = store::Role::kBot;
  ASSERT_TRUE(contest.store().AddAccount(ada, {}).ok());
  for (const char* version : {"2.0", "3.0"}) {
    ASSERT_TRUE(contest.store()
                    .SetVersion("ada", version, contest.clock().WallNow(),
                                store::VersionSource::kOrganiser, {})
                    .ok());
    all.VersionChanged("ada");
    contest.RunFor(absl::Seconds(20));
  }
  ASSERT_TRUE(all.BeginSeason("cup", "", "olga").ok());
  contest.RunFor(absl::Seconds(20));
  ASSERT_TRUE(all.Pause("cup", "olga").ok());
  contest.RunFor(absl::Minutes(1));
  EXPECT_FALSE(all.told().Get("cup").value().lags);
  EXPECT_EQ(TextOf(all.told()), TextOf(all));
  EXPECT_EQ(TextOf(all.told().Standings("cup", 1).value()),
            TextOf(all.Standings("cup", 1).value()));
  contest.Kill();
  contest.Boot();
  EXPECT_EQ(TextOf(contest.competitions().told()), TextOf(contest.competitions()));
}

TEST_F(WatchDelay, TellsWhoPlaysNextOnlyWithWhatThatFollowsFrom) {
  CompetitionFixture contest(SlowField());
  contest.Boot();
  schedule::Spec spec =
      CompetitionFixture::SpecOf(Format::kKnockout, {"ada", "bea", "cleo", "dora"});
  spec.watch_delay = absl::Hours(1);
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_THAT(contest.blocks(), SizeIs(::testing::Ge(3)));
  const Board& told = contest.competitions().told();
  EXPECT_THAT(told.Blocks("cup", "", 0, 100).value().blocks, IsEmpty());
  const competition::RoundPage rounds = told.Rounds("cup", 0, 0, 100).value();
  for (const competition::RoundLine& line : rounds.lines) {
    if (line.pairing.round > 1) {
      EXPECT_THAT(line.pairing.bots, ::testing::Each(schedule::kNoBot));
    }
  }
  contest.RunFor(absl::Hours(1));
  EXPECT_EQ(TextOf(told), TextOf(contest.competitions()));
}

}  // namespace
}  // namespace referee::testing
