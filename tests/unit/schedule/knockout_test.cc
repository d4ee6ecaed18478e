// Knockout: the bracket, ties of several blocks, walkovers.
#include "referee/schedule/knockout.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

class Bracket {
 public:
  explicit Bracket(int bots, int best_of = 1) : free_(bots, true) {
    Spec spec = SpecOf(Format::kKnockout, bots);
    spec.best_of = best_of;
    schedule_ = Schedule::Make(spec);
  }
  // Begins the next block and gives who plays it; none if there is none.
  std::vector<int> Begin() {
    const absl::optional<rating::Pairing> next = schedule_->Next(free_, Instant());
    return next.has_value() ? next->bots : std::vector<int>();
  }
  // Plays the next block: `winner` wins it, -1: it is drawn.
  void Play(int winner) {
    const absl::optional<rating::Pairing> next = schedule_->Next(free_, Instant());
    ASSERT_TRUE(next.has_value());
    const std::vector<int> standing = {next->bots[0] == winner ? 0 : 1,
                                       next->bots[1] == winner ? 0 : 1};
    schedule_->Played(number_++, OutcomeOf(*next, standing));
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

TEST(Knockout, ATieThatStaysLevelGoesToTheBetterSeed) {
  Bracket bracket(2);
  for (int block = 0; block < 1 + kExtraBlocks; ++block) {
    EXPECT_FALSE(bracket.schedule().done());
    bracket.Play(-1);
  }
  EXPECT_TRUE(bracket.schedule().done());
  EXPECT_EQ(LineOf(bracket.schedule(), 0).rank, 1);
}

TEST(Knockout, WhoseOpponentLeftGoesOn) {
  Bracket bracket(4);
  bracket.schedule().Withdraw(0);
  bracket.Play(2);
  EXPECT_EQ(bracket.Begin(), (Bots{3, 2})) << "3 did not have to play";
  EXPECT_EQ(LineOf(bracket.schedule(), 0).remark, "withdrawn");
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
