#include "tests/simulation/event_queue.h"

#include <algorithm>
#include <utility>

namespace referee::simulation {
namespace {

constexpr absl::Duration kLatestTimer = absl::Microseconds(200);

}  // namespace

void EventQueue::At(Instant when, std::function<void()> call, Life life) {
  entries_.push_back({std::max(when, now_), next_number_++, life, Keep(std::move(call))});
  std::push_heap(entries_.begin(), entries_.end(), Later());
}

uint32_t EventQueue::Keep(std::function<void()> call) {
  if (free_calls_.empty()) {
    calls_.push_back(std::move(call));
    return static_cast<uint32_t>(calls_.size() - 1);
  }
  const uint32_t index = free_calls_.back();
  free_calls_.pop_back();
  calls_[index] = std::move(call);
  return index;
}

std::function<void()> EventQueue::Take(uint32_t call) {
  free_calls_.push_back(call);
  return std::exchange(calls_[call], nullptr);
}

bool EventQueue::Step(Instant until) {
  while (!entries_.empty() && entries_.front().when <= until) {
    std::pop_heap(entries_.begin(), entries_.end(), Later());
    const Entry entry = entries_.back();
    entries_.pop_back();
    std::function<void()> call = Take(entry.call);
    if (entry.life != 0 && entry.life <= ended_) continue;
    if (entry.life != 0 && entry.when < awake_) {
      At(awake_, std::move(call), entry.life);
      continue;
    }
    now_ = entry.when;
    ++steps_;
    call();
    return true;
  }
  return false;
}

// Lateness is addressed by the time, so that it is the same whatever else has timers.
void LifeTimers::Queue(Instant when, std::function<void()> wake) {
  Random random(seed_, For::kLateTimer, when.nanos());
  queue_->At(when + random.Between(absl::ZeroDuration(), kLatestTimer), std::move(wake), life_);
}

void LifeExecutor::Run(std::function<void()> work) {
  HeldExecutor::Run(std::move(work));
  if (!held()) return;
  queue_->At(
      queue_->Now() + takes_, [this] { Step(); }, life_);
}

}  // namespace referee::simulation
