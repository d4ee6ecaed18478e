#include "referee/host/stall_log.h"

#include <algorithm>

#include "referee/base/limits.h"

namespace referee::host {
namespace {

constexpr absl::Duration kBase = absl::Microseconds(10);
constexpr double kGrowth = 1.25;

// The part of a stall that lies in [from, until].
match::Stalls Overlap(Instant begin, Instant end, Instant from, Instant until) {
  const Instant first = std::max(begin, from);
  const Instant last = std::min(end, until);
  const absl::Duration length = first < last ? last - first : absl::ZeroDuration();
  return {length, length};
}

}  // namespace

void StallLog::ExpectAt(Instant when) {
  MutexLock lock(&mutex_);
  expected_.store(when.nanos());
}

void StallLog::Looked(Instant now, absl::Duration late, Instant next) {
  MutexLock lock(&mutex_);
  Rotate(now);
  absl::Duration below = kBase;
  size_t bucket = 0;
  while (late >= below && bucket + 1 < now_.size()) {
    below *= kGrowth;
    ++bucket;
  }
  ++now_[bucket];
  if (late >= kShortest) {
    stalls_.push_back({now + -late, now});
    if (stalls_.size() > limits::kMaxStalls) stalls_.pop_front();
    newest_end_.store(now.nanos());
    total_.fetch_add(absl::ToInt64Nanoseconds(late));
  }
  expected_.store(next.nanos());
}

match::Stalls StallLog::Between(Instant from, Instant until) const {
  if (!IsOverdue(expected(), until) && newest_end_.load() <= from.nanos()) {
    return {};
  }
  MutexLock lock(&mutex_);
  match::Stalls all;
  for (auto stall = stalls_.rbegin(); stall != stalls_.rend() && stall->until > from; ++stall) {
    all = all + Overlap(stall->from, stall->until, from, until);
  }
  if (IsOverdue(expected(), until)) all = all + Overlap(expected(), until, from, until);
  return all;
}

absl::Duration StallLog::P99(Instant now) {
  MutexLock lock(&mutex_);
  Rotate(now);
  uint64_t all = 0;
  for (size_t i = 0; i < now_.size(); ++i) all += now_[i] + before_[i];
  if (all == 0) return absl::ZeroDuration();
  uint64_t above = all / 100;  // how many delays may be longer
  absl::Duration below = kBase;
  for (size_t i = 1; i < now_.size(); ++i) below *= kGrowth;
  for (size_t i = now_.size(); i-- > 0; below /= kGrowth) {
    const uint64_t count = now_[i] + before_[i];
    if (count > above) return below;
    above -= count;
  }
  return below;
}

void StallLog::Rotate(Instant now) {
  if (now < window_end_) return;
  // Delays of a window that ended more than kWindow ago are too old.
  before_ = now - window_end_ < kWindow ? now_ : Counts{};
  now_ = Counts{};
  window_end_ = now + kWindow;
}

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
