// Drivers for ladders in tests: block by block, or with bots that are always free.
#ifndef REFEREE_TESTS_UNIT_SCHEDULE_LADDER_RUNS_H_
#define REFEREE_TESTS_UNIT_SCHEDULE_LADDER_RUNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "referee/rating/rating.h"
#include "referee/schedule/ladder.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/spec.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {

// The difference of the largest and the smallest count, from index `from` on.
inline int Spread(const std::vector<int>& counts, size_t from = 0) {
  const auto [least, most] = std::minmax_element(counts.begin() + from, counts.end());
  return *most - *least;
}

// Plays blocks one by one. Returns how many blocks each bot began.
inline std::vector<int> PlayAlone(Schedule* schedule, int64_t first, int blocks,
                                  const std::vector<bool>& free) {
  std::vector<int> begun(free.size(), 0);
  for (int i = 0; i < blocks; ++i) {
    const absl::optional<rating::Pairing> next = schedule->Next(free, Instant());
    if (!next.has_value()) break;
    for (const int bot : next->bots) ++begun[bot];
    schedule->Played(first + i, OutcomeOf(*next, {0, 1}));
  }
  return begun;
}

// A ladder of bots that are always free and whose blocks take no time.
class InstantLadder {
 public:
  explicit InstantLadder(const Spec& spec) : schedule_(Schedule::Make(spec)) {
    for (size_t i = 0; i < spec.entrants.size(); ++i) AddBot();
  }

  void Join() {
    ASSERT_EQ(schedule_->Join(), absl::OkStatus());
    AddBot();
  }

  // Plays all blocks that can begin now, then advances to the ladder's next wake-up. Returns false
  // if there is none.
  bool Step() {
    const std::vector<bool> free(ratings_.size(), true);
    while (const absl::optional<rating::Pairing> next = schedule_->Next(free, now_)) Play(*next);
    if (schedule_->asks_again() == Instant::InfiniteFuture()) return false;
    EXPECT_GT(schedule_->asks_again(), now_);
    now_ = schedule_->asks_again();
    return true;
  }

  Schedule& schedule() { return *schedule_; }
  absl::Duration time() const { return now_ - Instant(); }
  const std::vector<int>& begun() const { return begun_; }
  const std::vector<rating::Rating>& ratings() const { return ratings_; }
  int met(int a, int b) const { return met_.at({std::min(a, b), std::max(a, b)}); }

 private:
  void AddBot() {
    ratings_.emplace_back();
    begun_.push_back(0);
  }

  void Play(const rating::Pairing& pairing) {
    std::vector<rating::Rating> before;
    for (const int bot : pairing.bots) {
      ++begun_[bot];
      before.push_back(ratings_[bot]);
    }
    ++met_[{std::min(pairing.bots[0], pairing.bots[1]),
            std::max(pairing.bots[0], pairing.bots[1])}];
    const rating::BlockOutcome outcome =
        OutcomeOf(pairing, chance_.OneIn(2) ? std::vector<int>{0, 1} : std::vector<int>{1, 0});
    schedule_->Played(number_++, outcome);
    const std::vector<rating::Rating> after = rating::Update(before, outcome);
    for (size_t i = 0; i < after.size(); ++i) {
      ratings_[pairing.bots[i]] = after[i];
      schedule_->Rated(pairing.bots[i], after[i]);
    }
  }

  std::unique_ptr<Schedule> schedule_;
  Chance chance_{1};
  Instant now_;
  int64_t number_ = 0;
  std::vector<rating::Rating> ratings_;
  std::vector<int> begun_;
  std::map<std::pair<int, int>, int> met_;
};

}  // namespace referee::schedule

#endif  // REFEREE_TESTS_UNIT_SCHEDULE_LADDER_RUNS_H_
