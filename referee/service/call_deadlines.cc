#include "referee/service/call_deadlines.h"

#include <vector>

namespace referee::service {

CallDeadlines::CallDeadlines(const Clock* clock, host::Timers* timers, absl::Duration limit)
    : clock_(*clock), limit_(limit) {
  timer_ = timers->At(Instant::InfiniteFuture(), [this] { CancelLate(); });
}

CallDeadlines::~CallDeadlines() {
  timer_ = host::Timer();
  MutexLock lock(&mutex_);
  for (const auto& [number, open] : open_) grpc_call_unref(open.call);
}

uint64_t CallDeadlines::Add(grpc_call* call) {
  grpc_call_ref(call);
  const Instant end = clock_.Now() + limit_;
  MutexLock lock(&mutex_);
  if (open_.empty()) timer_.SetTo(end);
  open_.emplace(++last_, Open{call, end});
  return last_;
}

void CallDeadlines::Remove(uint64_t number) {
  grpc_call* call;
  {
    MutexLock lock(&mutex_);
    const auto open = open_.find(number);
    if (open == open_.end()) return;
    call = open->second.call;
    open_.erase(open);
  }
  grpc_call_unref(call);
}

void CallDeadlines::CancelLate() {
  std::vector<grpc_call*> late;
  {
    MutexLock lock(&mutex_);
    const Instant now = clock_.Now();
    while (!open_.empty() && open_.begin()->second.end <= now) {
      late.push_back(open_.begin()->second.call);
      open_.erase(open_.begin());
    }
    if (!open_.empty()) timer_.SetTo(open_.begin()->second.end);
  }
  // Cancels without the lock: gRPC may report the end of a call on this thread, which takes the
  // lock.
  for (grpc_call* const call : late) {
    grpc_call_cancel(call, nullptr);
    grpc_call_unref(call);
  }
}

}  // namespace referee::service
