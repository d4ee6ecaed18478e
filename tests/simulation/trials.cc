#include "tests/simulation/trials.h"

#include <utility>

namespace referee::simulation {
namespace {

constexpr int kAheadOfEach = 32;

}  // namespace

Trials::Trials(uint64_t first, int jobs, Attempt attempt)
    : attempt_(attempt),
      ahead_(static_cast<uint64_t>(jobs) * kAheadOfEach),
      next_to_try_(first),
      next_(first) {
  for (int i = 0; i < jobs; ++i) threads_.emplace_back([this] { Work(); });
}

Trials::~Trials() {
  {
    MutexLock lock(&mutex_);
    stops_ = true;
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

Trial Trials::Next() {
  MutexLock lock(&mutex_);
  while (done_.count(next_) == 0) changed_.Wait(&mutex_);
  const auto found = done_.find(next_++);
  Trial trial = std::move(found->second);
  done_.erase(found);
  changed_.NotifyAll();
  return trial;
}

void Trials::Work() {
  for (;;) {
    uint64_t seed;
    {
      MutexLock lock(&mutex_);
      while (!stops_ && next_to_try_ - next_ >= ahead_) changed_.Wait(&mutex_);
      if (stops_) return;
      seed = next_to_try_++;
    }
    Trial trial = attempt_(seed, nullptr);
    MutexLock lock(&mutex_);
    done_.emplace(seed, std::move(trial));
    changed_.NotifyAll();
  }
}

}  // namespace referee::simulation
