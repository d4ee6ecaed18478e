#include "referee/host/load_guard.h"

#include <algorithm>

namespace referee::host {

int LoadGuard::NextLimit(absl::Duration p99_stall, int running) {
  if (p99_stall > max_stall_) {
    // From what runs: a limit that is not reached is not what costs.
    const int from = std::min(now_, std::max(running, 1));
    now_ = std::max(1, from - std::max(1, from / 4));
  } else {
    now_ = std::min(most_, now_ + std::max(1, now_ / 16));
  }
  return now_;
}

}  // namespace referee::host
