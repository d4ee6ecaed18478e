#include "referee/host/timers.h"

#include <chrono>
#include <utility>

#include "absl/time/time.h"

namespace referee::host {

ThreadTimers::ThreadTimers(const Clock* clock) : clock_(clock), thread_([this] { Loop(); }) {}

ThreadTimers::~ThreadTimers() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void ThreadTimers::At(Instant when, std::function<void()> call) {
  bool first;
  {
    MutexLock lock(&mutex_);
    first = entries_.empty() || when < entries_.top().when;
    entries_.push({when, std::move(call)});
  }
  if (first) changed_.NotifyAll();
}

void ThreadTimers::Loop() {
  for (;;) {
    std::function<void()> call;
    {
      MutexLock lock(&mutex_);
      for (;;) {
        if (stopping_) return;
        if (entries_.empty()) {
          changed_.Wait(&mutex_);
          continue;
        }
        const absl::Duration wait = entries_.top().when - clock_->Now();
        if (wait <= absl::ZeroDuration()) break;
        changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(wait));
      }
      // priority_queue gives only const access; the entry is popped at once.
      call = std::move(const_cast<Entry&>(entries_.top()).call);
      entries_.pop();
    }
    call();
  }
}

ThreadExecutor::ThreadExecutor(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Loop(); });
}

ThreadExecutor::~ThreadExecutor() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadExecutor::Run(std::function<void()> work) {
  {
    MutexLock lock(&mutex_);
    queue_.push_back(std::move(work));
  }
  changed_.NotifyOne();
}

void ThreadExecutor::Loop() {
  for (;;) {
    std::function<void()> work;
    {
      MutexLock lock(&mutex_);
      while (queue_.empty() && !stopping_) changed_.Wait(&mutex_);
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

}  // namespace referee::host
