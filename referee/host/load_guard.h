// Decides how many matches may run at once, from how late the referee's own threads wake up: a
// quarter fewer while they wake up too late, a sixteenth more while they do not. Pure;
// thread-compatible.
#ifndef REFEREE_HOST_LOAD_GUARD_H_
#define REFEREE_HOST_LOAD_GUARD_H_

#include "absl/time/time.h"

namespace referee::host {

class LoadGuard {
 public:
  // Allows 1 to `most` matches; always `most` if `max_stall` is infinite. A block of more matches
  // than are allowed begins when nothing runs (HostView::RoomForBlocks).
  LoadGuard(int most, absl::Duration max_stall) : most_(most), max_stall_(max_stall), now_(most) {}

  // Takes the measurement of one kPeriod, and returns how many matches may run from now on.
  // `running` is how many run.
  static constexpr absl::Duration kPeriod = absl::Seconds(1);
  int NextLimit(absl::Duration p99_stall, int running);

 private:
  const int most_;
  const absl::Duration max_stall_;
  int now_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LOAD_GUARD_H_
