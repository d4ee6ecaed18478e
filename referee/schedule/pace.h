// Limits how many blocks a minute each bot of a ladder may begin (COMPETITION.md, "Pace").
//
// Time is divided into equal steps; the caller supplies it. Thread-compatible.
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
  // 0 blocks a minute: no limit.
  explicit Pace(double blocks_a_minute)
      : step_(blocks_a_minute > 0 ? absl::Minutes(1) / blocks_a_minute : absl::ZeroDuration()),
        most_saved_(std::max<int64_t>(1, std::llround(std::ceil(blocks_a_minute)))),
        most_at_once_(std::max<int64_t>(kPerStep, std::llround(kPerStep * blocks_a_minute / 10))) {}

  bool limited() const { return step_ > absl::ZeroDuration(); }

  void AddBot() { bots_.emplace_back(); }

  // Sets the time, which never goes back.
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

  // Records that the bot begins a block.
  void Begin(int number) {
    if (!limited()) return;
    Bot& bot = bots_[number];
    bot.full_at = std::max(bot.full_at, now_) + 1;
    bot.rested_at = std::max(bot.rested_at, kPerStep * now_) + 1;
  }

  // When the next step begins. REQUIRES: limited(), and Look was called.
  Instant next() const { return start_ + step_ * (now_ + 1); }

 private:
  // Blocks that a bot may begin in one step.
  static constexpr int64_t kPerStep = 2;

  struct Bot {
    // The step in which it has saved most_saved_ blocks, if it begins none until then.
    int64_t full_at = 0;
    // kPerStep times the step in which it may begin most_at_once_ blocks at once, if it begins none
    // until then.
    int64_t rested_at = 0;
  };

  const absl::Duration step_;  // zero: no limit
  const int64_t most_saved_;
  // kPerStep, or the blocks of six seconds if these are more: with short steps the caller need not
  // ask at each one.
  const int64_t most_at_once_;
  bool begun_ = false;
  Instant start_;    // of the first step
  int64_t now_ = 0;  // the current step
  std::vector<Bot> bots_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_PACE_H_
