// How long a ladder may leave room for blocks unused, waiting for better opponents: a fixed share
// of the time that blocks have taken. Time is what its caller says. Thread-compatible.
#ifndef REFEREE_SCHEDULE_IDLE_BUDGET_H_
#define REFEREE_SCHEDULE_IDLE_BUDGET_H_

#include <algorithm>

#include "absl/time/time.h"
#include "referee/base/clock.h"

namespace referee::schedule {

class IdleBudget {
 public:
  // Idle may be this share of the time that blocks take, ...
  static constexpr double kShare = 0.03;
  // ... and no more than this is saved up, so that nobody sees a ladder stand still for long.
  static constexpr absl::Duration kMost = absl::Minutes(1);

  // It is `now`, and from now on `open` blocks are being played. Ends a wait.
  void Look(Instant now, int open) {
    if (waiting_ > 0)
      saved_ -= std::max(absl::ZeroDuration(), std::min(now, until_) - since_) * waiting_;
    saved_ += std::max(absl::ZeroDuration(), now - since_) * (open_ * kShare);
    saved_ = std::min(saved_, kMost);
    since_ = now;
    open_ = open;
    waiting_ = 0;
  }

  // How long room for `blocks` blocks may be left unused from the last Look on.
  absl::Duration left(int blocks) const {
    return std::max(absl::ZeroDuration(), saved_ / std::max(1, blocks));
  }

  // It is left unused, until the next Look. Returns when that must be over.
  Instant Wait(int blocks) {
    waiting_ = std::max(1, blocks);
    until_ = since_ + left(waiting_);
    return until_;
  }

 private:
  absl::Duration saved_;
  Instant since_;
  int open_ = 0;
  int waiting_ = 0;  // blocks that could be played instead; 0: it does not wait
  Instant until_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_IDLE_BUDGET_H_
