#include "referee/host/load_watch.h"

#include <utility>

namespace referee::host {

LoadWatch::LoadWatch(Options options)
    : options_(std::move(options)),
      guard_(options_.most, options_.max_stall),
      now_(options_.most),
      timer_(options_.timers->At(Instant::InfiniteFuture(), [this] { Look(); })) {
  timer_.SetTo(options_.clock->Now() + LoadGuard::kPeriod);
}

void LoadWatch::Look() {
  const absl::Duration p99 = options_.stalls->P99(options_.clock->Now());
  const int limit = guard_.NextLimit(p99, options_.host->running());
  if (limit != now_) {
    now_ = limit;
    options_.host->SetMaxRunning(limit);
    if (options_.on_change) options_.on_change(limit, p99);
  }
  timer_.SetTo(options_.clock->Now() + LoadGuard::kPeriod);
}

}  // namespace referee::host
