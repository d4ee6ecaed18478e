// How fast the bots of a ladder may begin blocks: so many a minute each (COMPETITION.md, "Pace").
// Time is cut into equal steps, and is what the caller says. Thread-compatible.
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
        most_saved_(std::max<int64_t>(1, std::llround(std::ceil(blocks_a_minute)))),
        most_at_once_(std::max<int64_t>(kPerStep, std::llround(kPerStep * blocks_a_minute / 10))) {}

  bool limited() const { return step_ > absl::ZeroDuration(); }

  void AddBot() { bots_.emplace_back(); }

  // It is `now`; that never falls.
  void Look(Instant now) {
    if (!limited()) return;
    if (!begun_) start_ = now;
    begun_ = true;
    absl::Duration rest;
    now_ = absl::IDivDuration(now - start_, step_, &rest);
  }

  // Whether the bot may begin a block now.
  bool Allows(int number) const {
    if (!limited()) return true;
    const Bot& bot = bots_[number];
    return bot.full_at - now_ < most_saved_ && bot.rested_at - kPerStep * now_ < most_at_once_;
  }

  // The bot begins one.
  void Begin(int number) {
    if (!limited()) return;
    Bot& bot = bots_[number];
    bot.full_at = std::max(bot.full_at, now_) + 1;
    bot.rested_at = std::max(bot.rested_at, kPerStep * now_) + 1;
  }

  // When the next step is. REQUIRES: it is limited, and Look was called.
  Instant next() const { return start_ + step_ * (now_ + 1); }

 private:
  // So many blocks a bot may begin in a step.
  static constexpr int64_t kPerStep = 2;

  struct Bot {
    int64_t full_at = 0;  // the step in which it may begin most_saved_ blocks, if it begins none
    // kPerStep times the step in which it may begin most_at_once_ blocks together, the same.
    int64_t rested_at = 0;
  };

  const absl::Duration step_;  // zero: there is no limit
  const int64_t most_saved_;
  // kPerStep, or what six seconds allow if that is more: with short steps nobody asks at each.
  const int64_t most_at_once_;
  bool begun_ = false;
  Instant start_;    // of the first step
  int64_t now_ = 0;  // which step it is
  std::vector<Bot> bots_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_PACE_H_
