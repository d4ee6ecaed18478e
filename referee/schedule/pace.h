// How fast the bots of a ladder may begin blocks: so many a minute each. Time is cut into equal
// steps, and with each step every bot may begin one block more, so that all that are held back
// are let go at once, and a ladder can choose among them. What a bot does not use is saved for a
// minute, and each begins with a minute's worth. Time is what its caller says. Thread-compatible.
#ifndef REFEREE_SCHEDULE_PACE_H_
#define REFEREE_SCHEDULE_PACE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/clock.h"

namespace referee::schedule {

class Pace {
 public:
  // 0 blocks a minute: as many as they like.
  explicit Pace(double blocks_a_minute)
      : step_(blocks_a_minute > 0 ? absl::Minutes(1) / blocks_a_minute : absl::ZeroDuration()),
        most_saved_(std::max<int64_t>(1, std::llround(std::ceil(blocks_a_minute)))) {}

  void AddBot() { full_at_.push_back(0); }

  // It is `now`; that never falls.
  void Look(Instant now) {
    if (!limited()) return;
    if (!begun_) start_ = now;
    begun_ = true;
    absl::Duration rest;
    now_ = absl::IDivDuration(now - start_, step_, &rest);
  }

  // Whether the bot may begin a block now.
  bool Allows(int bot) const { return !limited() || full_at_[bot] - now_ < most_saved_; }

  // The bot begins one.
  void Begin(int bot) {
    if (limited()) full_at_[bot] = std::max(full_at_[bot], now_) + 1;
  }

  // When the next step is. REQUIRES: it is limited, and Look was called.
  Instant next() const { return start_ + step_ * (now_ + 1); }

 private:
  bool limited() const { return step_ > absl::ZeroDuration(); }

  const absl::Duration step_;  // zero: there is no limit
  const int64_t most_saved_;
  bool begun_ = false;
  Instant start_;    // of the first step
  int64_t now_ = 0;  // which step it is
  // By bot: in which step it may begin most_saved_ blocks, if it begins none before.
  std::vector<int64_t> full_at_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_PACE_H_
