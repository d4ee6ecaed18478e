// Tests of the knockout: the bracket, ties of several blocks, walkovers.
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

class Bracket {
 public:
  explicit Bracket(int bots, int best_of = 1) : Bracket(SpecFor(bots, best_of)) {}
  explicit Bracket(const Spec& spec, Lot lot = nullptr)
      : schedule_(Schedule::Make(spec, std::move(lot))), free_(spec.entrants.size(), true) {}
  static Spec SpecFor(int bots, int best_of = 1) {
    Spec spec = SpecOf(Format::kKnockout, bots);
    spec.best_of = best_of;
    return spec;
  }
  // Begins the next block and gives who plays it; none if there is none.
  std::vector<int> Begin() {
    const absl::optional<rating::Pairing> next = schedule_->Next(free_, Instant());
    return next.has_value() ? next->bots : std::vector<int>();
  }
  // Plays the next block: `winner` wins it, -1: it is drawn. In its games the better seed gets
  // `scores.first` together, the other `scores.second`.
  void Play(int winner, std::pair<int, int> scores = {0, 0}) {
    const absl::optional<rating::Pairing> next = schedule_->Next(free_, Instant());
    ASSERT_TRUE(next.has_value());
    const std::vector<int> standing = {next->bots[0] == winner ? 0 : 1,
                                       next->bots[1] == winner ? 0 : 1};
    rating::BlockOutcome outcome = OutcomeOf(*next, standing);
    outcome.scores = {scores.first, scores.second};
    if (next->bots[0] > next->bots[1]) std::swap(outcome.scores[0], outcome.scores[1]);
    schedule_->Played(number_++, outcome);
  }
  Schedule& schedule() { return *schedule_; }

 private:
  std::unique_ptr<Schedule> schedule_;
  std::vector<bool> free_;
  int64_t number_ = 0;
};

using Bots = std::vector<int>;

TEST(Knockout, SeedsMeetAsLateAsTheyCan) {
  Bracket bracket(8);
  EXPECT_EQ(bracket.Begin(), (Bots{0, 7}));
  EXPECT_EQ(bracket.Begin(), (Bots{3, 4}));
  EXPECT_EQ(bracket.Begin(), (Bots{1, 6}));
  EXPECT_EQ(bracket.Begin(), (Bots{2, 5}));
}

TEST(Knockout, TheBestSeedsHaveByesWhenTheBracketIsNotFull) {
  Bracket bracket(5);
  EXPECT_EQ(bracket.Begin(), (Bots{3, 4})) << "only these play in the first round";
  EXPECT_EQ(bracket.Begin(), (Bots{1, 2})) << "who need not wait for the others";
  EXPECT_EQ(bracket.Begin(), Bots());
}

TEST(Knockout, ScoresSayHowFarEachCame) {
  Bracket bracket(8);
  for (const int winner : {0, 3, 1, 2, 0, 1, 1}) bracket.Play(winner);
  EXPECT_TRUE(bracket.schedule().done());
  const int ranks[] = {2, 1, 3, 3, 5, 5, 5, 5};
  for (int bot = 0; bot < 8; ++bot)
    EXPECT_EQ(LineOf(bracket.schedule(), bot).rank, ranks[bot]) << bot;
  EXPECT_EQ(LineOf(bracket.schedule(), 1).remark, "");
  EXPECT_EQ(LineOf(bracket.schedule(), 0).remark, "out in round 3");
  EXPECT_EQ(LineOf(bracket.schedule(), 7).remark, "out in round 1");
}

TEST(Knockout, ATieIsOverWhenItIsDecided) {
  Bracket bracket(2, 5);
  EXPECT_EQ(bracket.schedule().blocks_left(), 5);
  for (const int winner : {1, 1, 0, -1}) {
    EXPECT_FALSE(bracket.schedule().done());
    bracket.Play(winner);
  }
  EXPECT_FALSE(bracket.schedule().done()) << "2 : 1, and one to be played";
  bracket.Play(1);
  EXPECT_TRUE(bracket.schedule().done());
  EXPECT_EQ(LineOf(bracket.schedule(), 1).rank, 1);
}

TEST(Knockout, ALevelTieGoesOnUntilABlockIsWon) {
  Bracket bracket(2, 3);
  for (const int winner : {0, 1, -1}) bracket.Play(winner);
  EXPECT_FALSE(bracket.schedule().done());
  EXPECT_EQ(bracket.schedule().blocks_left(), 1);
  bracket.Play(1);
  EXPECT_TRUE(bracket.schedule().done());
  EXPECT_EQ(LineOf(bracket.schedule(), 1).rank, 1);
}

TEST(Knockout, ALevelTieGoesOnForAsManyBlocksAsTheSpecSays) {
  for (const int extra : {0, 1, 7}) {
    Spec spec = Bracket::SpecFor(2);
    spec.extra_blocks = extra;
    Bracket bracket(spec);
    for (int block = 0; block < 1 + extra; ++block) {
      EXPECT_FALSE(bracket.schedule().done()) << extra;
      bracket.Play(-1);
    }
    EXPECT_TRUE(bracket.schedule().done()) << extra;
  }
}

// Draws the same lot for all.
Lot Draws(int drawn) {
  return [drawn](int, int, int64_t) { return drawn; };
}

TEST(Knockout, ATieThatStaysLevelGoesToTheBetterScoresInItsGames) {
  Spec spec = Bracket::SpecFor(2);
  spec.extra_blocks = 1;
  Bracket bracket(spec, Draws(0));
  bracket.Play(-1, {10, 12});
  bracket.Play(-1, {5, 4});
  EXPECT_EQ(LineOf(bracket.schedule(), 1).rank, 1);
  EXPECT_EQ(LineOf(bracket.schedule(), 1).remark, "round 1 won by scores 16:15");
  EXPECT_EQ(LineOf(bracket.schedule(), 0).remark, "out in round 1 by scores 15:16");
}

TEST(Knockout, ATieThatIsLevelInScoresTooGoesByLot) {
  for (const int drawn : {0, 1}) {
    Spec spec = Bracket::SpecFor(2);
    spec.extra_blocks = 0;
    Bracket bracket(spec, Draws(drawn));
    bracket.Play(-1, {7, 7});
    EXPECT_EQ(LineOf(bracket.schedule(), drawn).rank, 1);
    EXPECT_EQ(LineOf(bracket.schedule(), drawn).remark, "round 1 won by lot");
    EXPECT_EQ(LineOf(bracket.schedule(), 1 - drawn).remark, "out in round 1 by lot");
  }
}

TEST(Knockout, EachTieHasALotOfItsOwn) {
  std::vector<std::pair<int, int>> drawn;
  Spec spec = Bracket::SpecFor(4);
  spec.extra_blocks = 0;
  Bracket bracket(spec, [&drawn](int round, int tie, int64_t last_block) {
    EXPECT_EQ(last_block, static_cast<int64_t>(drawn.size()));
    drawn.emplace_back(round, tie);
    return tie;
  });
  for (int tie = 0; tie < 3; ++tie) bracket.Play(-1);
  EXPECT_EQ(drawn, (std::vector<std::pair<int, int>>{{1, 0}, {1, 1}, {2, 0}}));
  EXPECT_EQ(LineOf(bracket.schedule(), 0).remark, "round 1 won by lot; round 2 won by lot");
  EXPECT_EQ(LineOf(bracket.schedule(), 2).remark, "round 1 won by lot; out in round 2 by lot");
}

TEST(Knockout, WhoseOpponentLeftGoesOn) {
  Bracket bracket(4);
  bracket.schedule().Withdraw(0);
  bracket.Play(2);
  EXPECT_EQ(bracket.Begin(), (Bots{3, 2})) << "3 did not have to play";
  EXPECT_EQ(LineOf(bracket.schedule(), 0).remark, "withdrawn");
  EXPECT_EQ(LineOf(bracket.schedule(), 3).remark, "round 1 won by walkover");
}

TEST(Knockout, WhereBothLeftTheNextGoesOn) {
  Bracket bracket(4);
  bracket.schedule().Withdraw(0);
  bracket.schedule().Withdraw(3);
  bracket.Play(2);
  EXPECT_TRUE(bracket.schedule().done());
  EXPECT_EQ(LineOf(bracket.schedule(), 2).rank, 1);
}

TEST(Knockout, ABlockThatWasPlayedCountsThoughItsWinnerLeftMeanwhile) {
  Bracket bracket(4);
  const Bots first = bracket.Begin();
  ASSERT_EQ(first, (Bots{0, 3}));
  bracket.schedule().Withdraw(0);
  bracket.schedule().Played(0, OutcomeOf(rating::Pairing{first}, {0, 1}));
  EXPECT_EQ(LineOf(bracket.schedule(), 3).remark, "out in round 1");
  EXPECT_EQ(bracket.Begin(), (Bots{1, 2}));
  bracket.schedule().Played(1, OutcomeOf(rating::Pairing{{1, 2}}, {1, 0}));
  EXPECT_TRUE(bracket.schedule().done()) << "the final is not played";
  EXPECT_EQ(LineOf(bracket.schedule(), 2).rank, 1);
}

}  // namespace
}  // namespace referee::schedule
