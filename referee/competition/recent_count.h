// A sliding count: how often something has happened in the last ten minutes, to the nearest five
// seconds. Thread-compatible.
#ifndef REFEREE_COMPETITION_RECENT_COUNT_H_
#define REFEREE_COMPETITION_RECENT_COUNT_H_

#include <array>
#include <cstdint>

#include "absl/time/time.h"
#include "referee/base/clock.h"

namespace referee::competition {

class RecentCount {
 public:
  void Add(Instant now, int64_t times = 1) {
    Forget(now);
    slots_[last_ % kSlots] += times;
  }

  int64_t Get(Instant now) {
    Forget(now);
    int64_t sum = 0;
    for (const int64_t slot : slots_) sum += slot;
    return sum;
  }

 private:
  static constexpr int64_t kSlots = 120;
  static constexpr int64_t kSlotNanos = 5'000'000'000;

  // Empties the slots of times that are over.
  void Forget(Instant now) {
    const int64_t slot = now.nanos() / kSlotNanos;
    if (slot - last_ >= kSlots) slots_.fill(0);
    for (int64_t i = last_ + 1; i <= slot && slot - last_ < kSlots; ++i) slots_[i % kSlots] = 0;
    if (slot > last_) last_ = slot;
  }

  std::array<int64_t, kSlots> slots_{};  // by time, in a ring
  int64_t last_ = 0;                     // the slot of now
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RECENT_COUNT_H_
