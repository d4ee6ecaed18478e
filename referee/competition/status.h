// The status of a running competition, for people: progress, and why it is blocked. Pure.
#ifndef REFEREE_COMPETITION_STATUS_H_
#define REFEREE_COMPETITION_STATUS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/homes.h"
#include "referee/schedule/schedule.h"

namespace referee::competition {

// The state of a competition that is not in the store.
struct Progress {
  int blocks_running = 0;
  absl::optional<int64_t> blocks_left;
  int blocks_lately = 0;
  int64_t blocks_uncounted = 0;  // over, but an earlier block is not counted yet
  int64_t blocks_ended = 0;      // all matches have ended, but the store does not know yet
  std::string waits_for;
  // Increases when a step has changed the store or found it changed. Not set when another referee
  // owns the competition.
  absl::optional<int64_t> changes;

  friend bool operator!=(const Progress& a, const Progress& b) {
    return a.blocks_running != b.blocks_running || a.blocks_left != b.blocks_left ||
           a.blocks_lately != b.blocks_lately || a.waits_for != b.waits_for ||
           a.changes != b.changes;
  }
};

// Counts events in a sliding window of ten minutes, to the nearest five seconds. Thread-compatible.
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

  // Clears the slots that have left the window.
  void Forget(Instant now) {
    const int64_t slot = now.nanos() / kSlotNanos;
    if (slot - last_ >= kSlots) slots_.fill(0);
    for (int64_t i = last_ + 1; i <= slot && slot - last_ < kSlots; ++i) slots_[i % kSlots] = 0;
    if (slot > last_) last_ = slot;
  }

  std::array<int64_t, kSlots> slots_{};  // a ring, by time
  int64_t last_ = 0;                     // the latest slot
};

// Returns why a competition is blocked; empty if it makes progress, or is paused, new or finished.
std::string WaitsFor(const CompetitionNow& now, const OpenBlocks& open,
                     const schedule::Schedule& schedule);

// Says which referee plays a competition that is not played here.
std::string WhereItIsPlayed(const Home& home);

// The error of a call about a competition that another referee owns. REQUIRES: home.owner is known.
absl::Status OwnedElsewhere(absl::string_view competition, const Home& home);

// A message for the author of a connected bot.
struct BotNotice {
  std::string bot;  // its name
  std::string text;
};

// Returns what keeps connected bots from playing. REQUIRES: this referee is the owner.
std::vector<BotNotice> NoticesFor(const CompetitionNow& now, const OpenBlocks& open,
                                  const schedule::Schedule& schedule);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_STATUS_H_
