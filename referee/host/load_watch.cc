#include "referee/host/load_watch.h"

#include <utility>

namespace referee::host {

LoadWatch::LoadWatch(Options options)
    : options_(std::move(options)),
      alive_(std::make_shared<Alive>()),
      guard_(options_.most, options_.max_stall),
      now_(options_.most) {
  {
    MutexLock lock(&alive_->mutex);
    alive_->watch = this;
  }
  Arm();
}

LoadWatch::~LoadWatch() {
  MutexLock lock(&alive_->mutex);
  alive_->watch = nullptr;
}

void LoadWatch::Arm() {
  options_.timers->At(options_.clock->Now() + LoadGuard::kPeriod, [alive = alive_] {
    MutexLock lock(&alive->mutex);
    if (alive->watch != nullptr) alive->watch->Look();
  });
}

void LoadWatch::Look() {
  const absl::Duration p99 = options_.stalls->P99(options_.clock->Now());
  const int limit = guard_.Take(p99, options_.host->running());
  if (limit != now_) {
    now_ = limit;
    options_.host->SetMaxRunning(limit);
    if (options_.on_change) options_.on_change(limit, p99);
  }
  Arm();
}

}  // namespace referee::host
