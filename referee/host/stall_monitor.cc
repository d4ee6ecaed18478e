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
  Instant due = clock_->Now() + kPeriod;
  log_.ExpectAt(due);
  while (!stopping_) {
    changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(kPeriod));
    const Instant now = clock_->Now();
    const absl::Duration late = std::max(absl::ZeroDuration(), now - due);
    due = now + kPeriod;
    log_.Looked(now, late, due);
  }
}

}  // namespace referee::host
