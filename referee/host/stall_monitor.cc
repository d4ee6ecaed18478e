#include "referee/host/stall_monitor.h"

#include <algorithm>

namespace referee::host {

StallMonitor::StallMonitor(const Clock* clock) : clock_(clock), thread_([this] { Loop(); }) {}

StallMonitor::~StallMonitor() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void StallMonitor::Loop() {
  MutexLock lock(&mutex_);
  while (!stopping_) {
    const Instant due = clock_->Now() + kPeriod;
    log_.ExpectAt(due);
    changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(kPeriod));
    const Instant now = clock_->Now();
    log_.Looked(now, std::max(absl::ZeroDuration(), now - due));
  }
}

}  // namespace referee::host
