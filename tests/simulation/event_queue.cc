#include "tests/simulation/event_queue.h"

#include <algorithm>
#include <utility>

namespace referee::simulation {
namespace {

constexpr absl::Duration kLatestTimer = absl::Microseconds(200);

}  // namespace

void EventQueue::At(Instant when, std::function<void()> call, Life life) {
  entries_.push_back({std::max(when, now_), next_number_++, life, std::move(call)});
  std::push_heap(entries_.begin(), entries_.end(), Later());
}

bool EventQueue::Step(Instant until) {
  while (!entries_.empty() && entries_.front().when <= until) {
    std::pop_heap(entries_.begin(), entries_.end(), Later());
    Entry entry = std::move(entries_.back());
    entries_.pop_back();
    if (entry.life != 0 && entry.life <= ended_) continue;
    if (entry.life != 0 && entry.when < awake_) {
      At(awake_, std::move(entry.call), entry.life);
      continue;
    }
    now_ = entry.when;
    ++steps_;
    entry.call();
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
