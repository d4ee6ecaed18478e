// Tests of a ladder with a goal for its ratings: which bots rest, also after it is loaded again.
#include "referee/schedule/ladder.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/rating.h"
#include "tests/unit/schedule/ladder_runs.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

TEST(Ladder, RestsWhenAllAreKnownAndGoesOnForABotThatJoins) {
  Spec spec = SpecOf(Format::kLadder, 6);
  spec.goal_width = 200;
  InstantLadder ladder(spec);
  while (ladder.Step()) {
  }
  // (2 * 1.96 * 173.7 / 200)^2 * 4 blocks against equals.
  for (const int begun : ladder.begun()) {
    EXPECT_GE(begun, 47);
    EXPECT_LE(begun, 60) << "it plays no longer than that needs";
  }
  EXPECT_EQ(ladder.schedule().rests(),
            "all strengths are known as well as the goal of 200 Elo asks; it goes on when a bot "
            "joins");
  const std::vector<int> before = ladder.begun();
  ladder.Join();
  while (ladder.Step()) {
  }
  EXPECT_GE(ladder.begun()[6], 47) << "those that rest do not hold it back";
  int more = 0;
  for (int bot = 0; bot < 6; ++bot) more += ladder.begun()[bot] - before[bot];
  EXPECT_EQ(more, ladder.begun()[6]) << "the others play with it alone";
}

TEST(Ladder, MadeAgainKnowsWhoIsAtTheGoal) {
  Spec spec = SpecOf(Format::kLadder, 3);
  spec.goal_width = 200;
  const std::vector<PairCount> met = {{0, 1, 30}, {0, 2, 30}, {1, 2, 30}};
  const auto rests = Schedule::MakeLadder(spec, std::vector<Entrant>(3), met, 90);
  EXPECT_EQ(rests->Next(std::vector<bool>(3, true), Instant()), absl::nullopt);
  EXPECT_EQ(rests->asks_again(), Instant::InfiniteFuture());
  spec.goal_width = 100;
  const auto goes_on = Schedule::MakeLadder(spec, std::vector<Entrant>(3), met, 90);
  EXPECT_TRUE(goes_on->Next(std::vector<bool>(3, true), Instant()).has_value());
}

// A ladder that is played by chance, and all that a store keeps of it.
class StoredLadder {
 public:
  StoredLadder(const Spec& spec, uint64_t seed)
      : spec_(spec), chance_(seed), entrants_(spec.entrants.size()), ladder_(MadeAgain()) {}

  // A block begins, if the goal lets one, and the oldest of several that run ends.
  void Step() {
    const std::vector<bool> all(entrants_.size(), true);
    if (const absl::optional<rating::Pairing> next = ladder_->Next(all, Instant())) {
      blocks_.push_back({static_cast<int64_t>(blocks_.size()), *next, true});
      for (const int bot : next->bots) ++entrants_[bot].blocks_begun;
    }
    if (chance_.OneIn(2) && ended_ < blocks_.size()) End(ended_++);
    const int bot = chance_.Below(static_cast<int>(entrants_.size()));
    entrants_[bot].rating = {22.0 + chance_.Below(7), 1.0};
    ladder_->Rated(bot, entrants_[bot].rating);
  }
  // One that knows what the store does.
  std::unique_ptr<Ladder> MadeAgain() const {
    const auto next = static_cast<int64_t>(blocks_.size());
    std::vector<PairCount> met;
    std::vector<RecentBlock> recent;
    std::vector<Entrant> entrants = entrants_;
    for (const RecentBlock& block : blocks_) {
      const bool came_to_nothing = nothing_.count(block.number) > 0;
      if (came_to_nothing) continue;
      for (const int bot : block.pairing.bots) ++entrants[bot].blocks;
      if (block.running || (spec_.seats > 2 && block.number >= next - kLadderMemory)) {
        recent.push_back(block);
      } else if (spec_.seats == 2) {
        for (const PairCount& pair : PairsOf(block.pairing)) met.push_back(pair);
      }
    }
    return std::make_unique<Ladder>(spec_, entrants, met, next, recent);
  }
  int64_t blocks() const { return static_cast<int64_t>(blocks_.size()); }
  static std::vector<bool> AtGoal(Ladder* ladder, size_t bots) {
    std::vector<bool> at_goal;
    for (size_t bot = 0; bot < bots; ++bot) {
      at_goal.push_back(ladder->IsAtGoal(static_cast<int>(bot)));
    }
    return at_goal;
  }
  std::vector<bool> AtGoal() { return AtGoal(ladder_.get(), entrants_.size()); }

 private:
  void End(size_t number) {
    RecentBlock& block = blocks_[number];
    block.running = false;
    if (chance_.OneIn(3)) {
      nothing_.insert(block.number);
      return chance_.OneIn(2) ? ladder_->Dropped(block.number) : ladder_->Voided(block.number);
    }
    const std::vector<int> standing(block.pairing.bots.size(), 0);
    ladder_->Played(block.number, OutcomeOf(block.pairing, standing));
  }

  const Spec spec_;
  Chance chance_;
  std::vector<Entrant> entrants_;
  std::vector<RecentBlock> blocks_;  // by number
  std::set<int64_t> nothing_;        // numbers of blocks that came to nothing
  size_t ended_ = 0;                 // of them, the first ones
  std::unique_ptr<Ladder> ladder_;
};

TEST(Ladder, MadeAgainAtAnyBlockMeasuresTheSameForItsGoal) {
  for (const int seats : {2, 3}) {
    Spec spec = SpecOf(Format::kLadder, 8, seats);
    spec.goal_width = seats == 2 ? 60 : 26;  // of three after more blocks than it remembers
    StoredLadder kept(spec, 1);
    int at_goal = 0;
    int not_at_goal = 0;
    for (int step = 0; step < (seats == 2 ? 5'000 : 14'000); ++step) {
      kept.Step();
      if (step % 97 != 0) continue;
      const std::vector<bool> kept_at_goal = kept.AtGoal();
      ASSERT_EQ(StoredLadder::AtGoal(kept.MadeAgain().get(), 8), kept_at_goal)
          << seats << " seats, after " << kept.blocks() << " blocks";
      const auto count = std::count(kept_at_goal.begin(), kept_at_goal.end(), true);
      at_goal += static_cast<int>(count);
      not_at_goal += 8 - static_cast<int>(count);
    }
    EXPECT_GT(at_goal, 50) << seats;
    EXPECT_GT(not_at_goal, 50) << seats;
    EXPECT_GT(kept.blocks(), seats > 2 ? kLadderMemory : 1'000);
  }
}

TEST(Ladder, GoesOnWhenOneThatFellBehindComesOffTheGoal) {
  Spec spec = SpecOf(Format::kLadder, 7);
  spec.goal_width = 50;
  const auto schedule =
      Schedule::MakeLadder(spec, std::vector<Entrant>(7), {{0, 1, 10'000}}, /*next_number=*/0);
  // Its block lasts for long, and the other bot of it leaves: it is there, and nobody waits for it.
  const rating::Pairing slow =
      *schedule->Next({true, false, true, false, false, false, false}, Instant());
  schedule->Withdraw(2);
  const std::vector<int> others =
      PlayAlone(schedule.get(), 1, 200, {false, false, false, true, true, true, true});
  ASSERT_GT(*std::min_element(others.begin() + 3, others.end()), 4 * kLadderLead);
  schedule->Played(0, OutcomeOf(slow, {0, 1}));
  schedule->Rated(0, rating::Rating{300.0, 8.0});  // far from whom it met: that told little
  const std::vector<int> more = PlayAlone(schedule.get(), 201, 500, std::vector<bool>(7, true));
  EXPECT_EQ(std::accumulate(more.begin(), more.end(), 0), 1000);
}

TEST(Ladder, OfBotsThatAreNotAtTheGoalNobodyGetsFurtherAheadThanTheLead) {
  Spec spec = SpecOf(Format::kLadder, 5);
  spec.goal_width = 200;
  const auto schedule =
      Schedule::MakeLadder(spec, std::vector<Entrant>(5), {{0, 1, 1000}}, /*next_number=*/0);
  std::vector<bool> free = {true, true, false, true, true};
  const rating::Pairing slow = *schedule->Next({false, true, true, false, false}, Instant());
  EXPECT_EQ(std::set<int>(slow.bots.begin(), slow.bots.end()), (std::set<int>{1, 2}));
  free[1] = false;
  const std::vector<int> begun = PlayAlone(schedule.get(), 1, 1000, free);
  for (const int bot : {3, 4}) {
    EXPECT_GE(begun[bot], kLadderLead) << bot;
    EXPECT_LE(begun[bot], kLadderLead + 1) << bot;
  }
}

TEST(Ladder, MadeAgainKeepsWhoIsBehind) {
  std::vector<Entrant> entrants(4);
  const int64_t begun[] = {100, 92, 90, 7};
  for (int bot = 0; bot < 4; ++bot) entrants[bot].blocks_begun = begun[bot];
  const auto schedule = Schedule::MakeLadder(SpecOf(Format::kLadder, 4), entrants, {}, 150);
  std::vector<int> more = PlayAlone(schedule.get(), 150, 200, std::vector<bool>(4, true));
  const std::vector<int> of_first = {100 + more[0], 92 + more[1], 90 + more[2]};
  EXPECT_LE(Spread(of_first), kLadderLead);
  EXPECT_LE(more[3], more[0] + 2 * kLadderLead) << "it is not given what it missed";
}

}  // namespace
}  // namespace referee::schedule
