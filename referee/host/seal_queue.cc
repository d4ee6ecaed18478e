#include "referee/host/seal_queue.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"

namespace referee::host {

std::shared_ptr<SealQueue> SealQueue::Make(Options options) {
  std::shared_ptr<SealQueue> queue(new SealQueue(std::move(options)));
  queue->timer_ = queue->options_.timers->At(
      Instant::InfiniteFuture(), [weak = std::weak_ptr<SealQueue>(queue)] {
        if (const std::shared_ptr<SealQueue> self = weak.lock()) self->BeginRound();
      });
  return queue;
}

bool SealQueue::Add(const MatchId& id, std::unique_ptr<replay::Recording> recording) {
  MutexLock lock(&mutex_);
  if (closed_ || queue_.size() >= limits::kMaxUnsealed) return false;
  const bool first = queue_.empty() && !trying_;
  queue_.push_back({id, std::move(recording)});
  if (!first) return true;
  wait_ = limits::kFirstSealRetry;
  SetTimer();
  return true;
}

void SealQueue::Close() {
  std::deque<Unsealed> dropped;
  MutexLock lock(&mutex_);
  closed_ = true;
  while (trying_) tried_.Wait(&mutex_);
  dropped.swap(queue_);
}

void SealQueue::SetTimer() { timer_.SetTo(options_.clock->Now() + wait_); }

void SealQueue::BeginRound() {
  {
    MutexLock lock(&mutex_);
    if (closed_ || left_in_round_ > 0 || queue_.empty()) return;
    left_in_round_ = queue_.size();
  }
  options_.executor->Run([self = shared_from_this()] { self->TryOne(); });
}

void SealQueue::TryOne() {
  TryFirst();
  {
    MutexLock lock(&mutex_);
    if (closed_) return;
    if (--left_in_round_ == 0) {
      wait_ = std::min(2 * wait_, limits::kLastSealRetry);
      if (!queue_.empty()) SetTimer();
      return;
    }
  }
  options_.executor->Run([self = shared_from_this()] { self->TryOne(); });
}

void SealQueue::TryAll() {
  while (TryFirst() == Tried::kSealed) continue;
}

SealQueue::Tried SealQueue::TryFirst() {
  Unsealed one;
  {
    MutexLock lock(&mutex_);
    while (trying_) tried_.Wait(&mutex_);
    if (closed_ || queue_.empty()) return Tried::kNone;
    trying_ = true;
    one = std::move(queue_.front());
    queue_.pop_front();
  }
  const bool sealed = one.recording->Seal().ok();
  if (sealed) options_.on_sealed(one.id);
  MutexLock lock(&mutex_);
  // A failed recording goes to the end of the queue. The recording never outlives Close.
  if (!sealed && !closed_) queue_.push_back(std::move(one));
  one.recording = nullptr;
  trying_ = false;
  tried_.NotifyAll();
  return sealed ? Tried::kSealed : Tried::kFailed;
}

}  // namespace referee::host
