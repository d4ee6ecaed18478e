// Counts how often bots have met, and sat right after each other, in blocks by pair.
//
// Memory is bounded: each bot keeps the kMaxOpponents opponents that it met most, so 10,000 bots
// take at most 62 MB. Thread-compatible.
#ifndef REFEREE_SCHEDULE_MEETINGS_H_
#define REFEREE_SCHEDULE_MEETINGS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "referee/rating/block.h"

namespace referee::schedule {

// The number of blocks in which two bots met. With more than two seats, also in how many of them
// one sat right after the other.
struct PairCount {
  int first = 0;
  int second = 0;
  int64_t blocks = 0;
  int64_t second_after_first = 0;
  int64_t first_after_second = 0;
};

// Returns the pairs of a block. At a table of two each bot sits after the other.
inline std::vector<PairCount> PairsOf(const rating::Pairing& pairing) {
  const std::vector<int>& bots = pairing.bots;
  std::vector<PairCount> pairs;
  for (size_t i = 0; i < bots.size(); ++i) {
    for (size_t k = i + 1; k < bots.size(); ++k) {
      const int64_t back = i == 0 && k + 1 == bots.size() ? 1 : 0;
      pairs.push_back({bots[i], bots[k], 1, k == i + 1 ? 1 : 0, back});
    }
  }
  return pairs;
}

class Meetings {
 public:
  static constexpr size_t kMaxOpponents = 512;

  // An opponent, how often it met the bot, and in how many of these blocks it sat right after the
  // bot.
  struct Met {
    int bot;
    int32_t times;
    int32_t after;
  };

  explicit Meetings(size_t bots) : of_(bots) {}

  void AddBot() { of_.emplace_back(); }

  // Adds meetings of two different bots.
  void Add(const PairCount& pair) {
    AddTo(&of_[pair.first], pair.second, pair.blocks, pair.second_after_first);
    AddTo(&of_[pair.second], pair.first, pair.blocks, pair.first_after_second);
  }

  // Undoes an Add.
  void Take(const PairCount& pair) {
    TakeFrom(&of_[pair.first], pair.second, pair.blocks, pair.second_after_first);
    TakeFrom(&of_[pair.second], pair.first, pair.blocks, pair.first_after_second);
  }

  // The opponents of a bot, in no order.
  absl::Span<const Met> Of(int bot) const { return of_[bot]; }

 private:
  static void AddTo(std::vector<Met>* all, int other, int64_t times, int64_t after) {
    static constexpr int64_t kMost = 1 << 30;
    const auto bounded = [](int64_t count) { return static_cast<int32_t>(std::min(kMost, count)); };
    const auto known = std::find_if(all->begin(), all->end(),
                                    [other](const Met& met) { return met.bot == other; });
    if (known != all->end()) {
      known->times = bounded(known->times + times);
      known->after = bounded(known->after + after);
      return;
    }
    if (all->size() == kMaxOpponents) {
      *std::min_element(all->begin(), all->end(),
                        [](const Met& a, const Met& b) { return a.times < b.times; }) = all->back();
      all->pop_back();
    }
    all->push_back({other, bounded(times), bounded(after)});
  }

  static void TakeFrom(std::vector<Met>* all, int other, int64_t times, int64_t after) {
    const auto known = std::find_if(all->begin(), all->end(),
                                    [other](const Met& met) { return met.bot == other; });
    if (known == all->end()) return;  // it was displaced by other opponents
    known->times -= static_cast<int32_t>(times);
    known->after -= static_cast<int32_t>(after);
    if (known->times > 0) return;
    *known = all->back();
    all->pop_back();
  }

  std::vector<std::vector<Met>> of_;  // by bot
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_MEETINGS_H_
