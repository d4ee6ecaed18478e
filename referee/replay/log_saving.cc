// The part of Log that saves segments to the disk.
#include <utility>

#include "referee/replay/log.h"

namespace referee::replay {
namespace {

// How often bytes are saved if no callback waits for them.
constexpr absl::Duration kSaveEvery = absl::Seconds(1);

}  // namespace

void Log::WhenLasting(Then then) {
  {
    MutexLock lock(&mutex_);
    waiting_.push_back(std::move(then));
  }
  save_wanted_.NotifyOne();
}

absl::Status Log::Last() {
  if (!lasts()) return absl::OkStatus();
  Mutex mutex;
  CondVar done;
  bool is_done = false;
  absl::Status result;
  WhenLasting([&](const absl::Status& status) {
    MutexLock lock(&mutex);
    is_done = true;
    result = status;
    done.NotifyAll();
  });
  MutexLock lock(&mutex);
  while (!is_done) done.Wait(&mutex);
  return result;
}

void Log::SaveLoop() {
  Instant next = SystemClock().Now();
  Instant unasked = next + kSaveEvery;
  for (;;) {
    std::vector<Then> waiting;
    {
      MutexLock lock(&mutex_);
      AwaitWork(unasked);
      if (waiting_.empty() && saving_stops_) return;
      if (!waiting_.empty()) GatherUntil(next);
      waiting.swap(waiting_);
    }
    const Instant begun = SystemClock().Now();
    unasked = begun + kSaveEvery;
    const absl::Status saved = SaveAll(lasts());
    next = options_.gather ? begun + options_.gather(SystemClock().Now() - begun) : begun;
    for (const Then& then : waiting) then(saved);
  }
}

void Log::AwaitWork(Instant at) {
  while (!saving_stops_ && waiting_.empty()) {
    const Instant now = SystemClock().Now();
    if (!unsaved_) {
      save_wanted_.Wait(&mutex_);
    } else if (now < at) {
      save_wanted_.WaitFor(&mutex_, absl::ToChronoNanoseconds(at - now));
    } else {
      return;
    }
  }
}

void Log::GatherUntil(Instant end) {
  while (!tending_stops_) {
    const Instant now = SystemClock().Now();
    if (now >= end) return;
    stops_.WaitFor(&mutex_, absl::ToChronoNanoseconds(end - now));
  }
}

absl::Status Log::SaveAll(bool lasts) {
  MutexLock saving(&saving_mutex_);
  std::vector<Segment> due;
  uint64_t written = 0;
  {
    MutexLock lock(&mutex_);
    written = written_.load(std::memory_order_relaxed);
    unsaved_ = false;
    for (const Segment& segment : used_) {
      if (segment.saved < segment.end) due.push_back(segment);
    }
  }
  absl::Status status;
  for (const Segment& segment : due) {
    status.Update(segment.bytes->Save(segment.saved, segment.end, lasts));
  }
  std::vector<std::shared_ptr<void>> released;  // destroyed after the mutex is released
  MutexLock lock(&mutex_);
  saved_ = status;
  if (!status.ok()) {
    unsaved_ = true;
    return status;
  }
  lasting_.store(written, std::memory_order_release);
  for (Segment& segment : used_) {
    for (const Segment& one : due) {
      if (one.head.number == segment.head.number) segment.saved = one.end;
    }
    const bool full = &segment != &used_.back();
    if (full && segment.saved == segment.end) released.push_back(segment.bytes->Release());
  }
  return status;
}

// Records that close matches, or copy them elsewhere, must be on the disk before segments are
// freed.
bool Log::SyncSealed() {
  if (!Last().ok()) return false;
  if (!options_.sync_sealed) return true;
  const absl::Status synced = options_.sync_sealed();
  MutexLock lock(&mutex_);
  sealed_synced_ = synced;
  return synced.ok();
}

absl::Status Log::Check() {
  MutexLock lock(&mutex_);
  return CheckSyncs();
}

// After a failed save or sync, no match can be opened until one succeeds.
absl::Status Log::CheckSyncs() {
  if (!saved_.ok()) {
    if (waiting_.empty()) waiting_.emplace_back([](const absl::Status&) {});
    save_wanted_.NotifyOne();
    return saved_;
  }
  if (!sealed_synced_.ok()) {
    tend_due_ = true;
    tending_wanted_.NotifyOne();
  }
  return sealed_synced_;
}

}  // namespace referee::replay
