#include "referee/host/load_watch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace referee::host {

namespace {

std::string LoadText(absl::Duration max_stall) {
  return absl::StrCat(
      "the referee is under load, and plays fewer matches at once: its own threads wake up later "
      "than ",
      absl::FormatDuration(max_stall), " (refereed --max-stall)");
}

}  // namespace

int LoadGuard::NextLimit(absl::Duration p99_stall, int running) {
  if (p99_stall > max_stall_) {
    // Reduce what runs, not the limit: a limit that is not reached causes no load.
    const int from = std::min(now_, std::max(running, 1));
    now_ = std::max(1, from - std::max(1, from / 4));
  } else {
    now_ = std::min(most_, now_ + std::max(1, now_ / 16));
  }
  return now_;
}

LoadWatch::LoadWatch(Options options)
    : options_(std::move(options)),
      guard_(options_.most, options_.max_stall),
      now_(options_.most),
      reported_(options_.most),
      timer_(options_.timers->At(Instant::InfiniteFuture(), [this] { Look(); })) {
  timer_.SetTo(options_.clock->Now() + LoadGuard::kPeriod);
}

void LoadWatch::Look() {
  const absl::Duration p99 = options_.stalls->P99(options_.clock->Now());
  const int limit = guard_.NextLimit(p99, options_.host->running());
  if (limit != now_) {
    now_ = limit;
    options_.host->SetMaxRunning(limit, limit < options_.most ? LoadText(options_.max_stall) : "");
  }
  if (limit < reported_ || (limit == options_.most && reported_ < limit)) {
    reported_ = limit;
    if (options_.on_change) options_.on_change(limit, p99);
  }
  timer_.SetTo(options_.clock->Now() + LoadGuard::kPeriod);
}

}  // namespace referee::host
