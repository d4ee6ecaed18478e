// How often bots have met: counts of blocks, by pair. Bounded: of each bot the kMaxOpponents that
// it met most are kept, so that 10,000 bots take 40 MB at most. Thread-compatible.
#ifndef REFEREE_SCHEDULE_MEETINGS_H_
#define REFEREE_SCHEDULE_MEETINGS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace referee::schedule {

// So many blocks of two bots.
struct PairCount {
  int first = 0;
  int second = 0;
  int64_t blocks = 0;
};

class Meetings {
 public:
  static constexpr size_t kMaxOpponents = 512;

  // A bot and how often another has met it.
  struct Met {
    int bot;
    int32_t times;
  };

  explicit Meetings(size_t bots) : of_(bots) {}

  void AddBot() { of_.emplace_back(); }

  // Two different bots have met, in so many blocks more.
  void Add(int a, int b, int64_t times = 1) {
    AddTo(&of_[a], b, times);
    AddTo(&of_[b], a, times);
  }

  // The opponents of a bot, in no order.
  absl::Span<const Met> Of(int bot) const { return of_[bot]; }

 private:
  static void AddTo(std::vector<Met>* all, int other, int64_t times) {
    constexpr int64_t kMost = 1 << 30;
    const auto known = std::find_if(all->begin(), all->end(),
                                    [other](const Met& met) { return met.bot == other; });
    if (known != all->end()) {
      known->times = static_cast<int32_t>(std::min(kMost, known->times + times));
      return;
    }
    if (all->size() == kMaxOpponents) {
      *std::min_element(all->begin(), all->end(),
                        [](const Met& a, const Met& b) { return a.times < b.times; }) = all->back();
      all->pop_back();
    }
    all->push_back({other, static_cast<int32_t>(std::min(kMost, times))});
  }

  std::vector<std::vector<Met>> of_;  // by bot
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_MEETINGS_H_
