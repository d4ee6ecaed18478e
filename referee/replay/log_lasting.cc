// The part of Log that puts on the disk what is to last.
#include <utility>

#include "referee/replay/log.h"

namespace referee::replay {
namespace {

size_t NextPage(size_t offset) {
  return (offset + kLogPageBytes - 1) / kLogPageBytes * kLogPageBytes;
}

}  // namespace

void Log::WhenLasting(Then then) {
  {
    MutexLock lock(&mutex_);
    waiting_.push_back(std::move(then));
  }
  sync_wanted_.NotifyOne();
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

void Log::SyncLoop() {
  Instant next = SystemClock().Now();
  for (;;) {
    std::vector<Then> waiting;
    {
      MutexLock lock(&mutex_);
      while (!syncing_stops_ && waiting_.empty()) sync_wanted_.Wait(&mutex_);
      if (waiting_.empty()) return;
      GatherUntil(next);
      waiting.swap(waiting_);
    }
    next = SystemClock().Now() + options_.gather;
    const absl::Status synced = SyncAll();
    for (const Then& then : waiting) then(synced);
  }
}

void Log::GatherUntil(Instant end) {
  while (!tending_stops_) {
    const Instant now = SystemClock().Now();
    if (now >= end) return;
    stops_.WaitFor(&mutex_, absl::ToChronoNanoseconds(end - now));
  }
}

absl::Status Log::SyncAll() {
  std::vector<Segment> due;
  uint64_t written = 0;
  {
    MutexLock lock(&mutex_);
    written = written_.load(std::memory_order_relaxed);
    LeavePage();
    for (const Segment& segment : used_) {
      if (segment.synced < segment.end) due.push_back(segment);
    }
  }
  absl::Status status;
  for (const Segment& segment : due) {
    status.Update(segment.bytes->Sync(segment.synced, segment.end));
  }
  MutexLock lock(&mutex_);
  synced_ = status;
  if (!status.ok()) return status;
  lasting_.store(written, std::memory_order_release);
  for (Segment& segment : used_) {
    for (const Segment& one : due) {
      if (one.head.number == segment.head.number) segment.synced = one.end;
    }
  }
  return status;
}

void Log::LeavePage() {
  Segment& segment = used_.back();
  const size_t next = NextPage(segment.end);
  if (next + ToClose() > segment.bytes->size()) return;
  segment.end = next;
  segment.bytes->Write(segment.end, kNoFrame).IgnoreError();
}

// What stands for segments elsewhere must last before they go.
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

// A disk that does not take what matches wait for takes no more of them, until it does.
absl::Status Log::CheckSyncs() {
  if (!synced_.ok()) {
    if (waiting_.empty()) waiting_.emplace_back([](const absl::Status&) {});
    sync_wanted_.NotifyOne();
    return synced_;
  }
  if (!sealed_synced_.ok()) {
    tend_due_ = true;
    tending_wanted_.NotifyOne();
  }
  return sealed_synced_;
}

}  // namespace referee::replay
