// The status of a running competition, for people: its progress, and what it waits for. Pure.
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

// What the store does not know of a competition.
struct Progress {
  int blocks_running = 0;
  absl::optional<int64_t> blocks_left;
  int blocks_lately = 0;
  int64_t blocks_uncounted = 0;  // over, and waiting for others before they count
  int64_t blocks_ended = 0;      // all matches have ended, which the store does not know yet
  std::string waits_for;
  // Rises whenever a step has changed something in the store, or found it changed; none when the
  // competition lives elsewhere.
  absl::optional<int64_t> changes;

  friend bool operator!=(const Progress& a, const Progress& b) {
    return a.blocks_running != b.blocks_running || a.blocks_left != b.blocks_left ||
           a.blocks_lately != b.blocks_lately || a.waits_for != b.waits_for ||
           a.changes != b.changes;
  }
};

// A sliding count: how often something has happened in the last ten minutes, to the nearest five
// seconds. Thread-compatible.
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

// Returns why a competition does not go on; empty if it goes on, or is paused, new or finished.
std::string WaitsFor(const CompetitionNow& now, const OpenBlocks& open,
                     const schedule::Schedule& schedule);

// Says which referee plays a competition that is not played here.
std::string WhereItIsPlayed(const Home& home);

// The error of a call about a competition that another referee owns. REQUIRES: home.owner is known.
absl::Status OwnedElsewhere(absl::string_view competition, const Home& home);

// What a connected bot's author should know.
struct BotNotice {
  std::string bot;  // its name
  std::string text;
};

// Returns what keeps connected bots from playing. REQUIRES: this daemon is the home.
std::vector<BotNotice> NoticesFor(const CompetitionNow& now, const OpenBlocks& open,
                                  const schedule::Schedule& schedule);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_STATUS_H_
