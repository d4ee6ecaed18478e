#include "referee/host/disk_watch.h"

#include <utility>

#include "absl/strings/str_format.h"

namespace referee::host {
namespace {

std::string Mebibytes(uint64_t bytes) { return absl::StrFormat("%d MiB", bytes >> 20); }

}  // namespace

bool HoldsBack(uint64_t free_bytes, uint64_t min_free, bool held) {
  if (free_bytes < min_free) return true;
  return held && free_bytes - min_free < min_free / 16;
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
          timer_.SetTo(options_.clock->Now() + kPeriod);
          changed_.NotifyAll();
        });
      })) {
  Look();
  timer_.SetTo(options_.clock->Now() + kPeriod);
}

DiskWatch::~DiskWatch() {
  const MutexLock lock(&mutex_);
  stopping_ = true;
  while (looking_) changed_.Wait(&mutex_);
}

void DiskWatch::Look() {
  const absl::StatusOr<uint64_t> free = options_.free_bytes();
  const bool failed = !free.ok();
  if (failed != failed_ && options_.on_answer) options_.on_answer(free.status());
  failed_ = failed;
  if (failed) return;
  const bool holds = HoldsBack(*free, options_.min_free, held_);
  if (holds == held_) return;
  held_ = holds;
  std::string why;
  if (holds) {
    why = absl::StrFormat("the referee's disk has %s free, less than %s (refereed --min-free)",
                          Mebibytes(*free), Mebibytes(options_.min_free));
  }
  options_.host->HoldBack(why);
  if (options_.on_change) options_.on_change(why);
}

}  // namespace referee::host
