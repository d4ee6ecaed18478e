#include "referee/host/disk_watch.h"

#include <utility>

#include "absl/strings/str_format.h"

namespace referee::host {
namespace {

std::string Gibibytes(uint64_t bytes) {
  return absl::StrFormat("%.2f GiB", static_cast<double>(bytes) / (1 << 30));
}

}  // namespace

bool HoldsBack(uint64_t free_bytes, uint64_t min_free, bool held) {
  return free_bytes < (held ? min_free + min_free / 16 : min_free);
}

DiskWatch::DiskWatch(Options options)
    : options_(std::move(options)), timer_(options_.timers->At(Instant::InfiniteFuture(), [this] {
        {
          const MutexLock lock(&mutex_);
          if (stopping_) return;
          looking_ = true;
        }
        options_.executor->Run([this] {
          Look();
          const MutexLock lock(&mutex_);
          looking_ = false;
          changed_.NotifyAll();
        });
      })) {
  Look();
}

DiskWatch::~DiskWatch() {
  const MutexLock lock(&mutex_);
  stopping_ = true;
  while (looking_) changed_.Wait(&mutex_);
}

void DiskWatch::Look() {
  const absl::StatusOr<uint64_t> free = options_.free_bytes();
  const bool holds = free.ok() ? HoldsBack(*free, options_.min_free, held_) : held_;
  if (holds != held_) {
    held_ = holds;
    std::string why;
    if (holds) {
      why = absl::StrFormat("the referee's disk has %s free, less than %s (refereed --min-free)",
                            Gibibytes(*free), Gibibytes(options_.min_free));
    }
    options_.host->HoldBack(why);
    if (options_.on_change) options_.on_change(why);
  }
  timer_.SetTo(options_.clock->Now() + kPeriod);
}

}  // namespace referee::host
