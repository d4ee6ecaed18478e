#include "referee/host/timers.h"

#include <chrono>
#include <utility>

#include "absl/time/time.h"

namespace referee::host {

// The state that a timer shares with its queued wake-ups. A wake-up that comes before the call is
// due queues the next one. A wake-up that an earlier one has replaced does nothing.
class Timer::Call : public std::enable_shared_from_this<Timer::Call> {
 public:
  Call(Timers* timers, std::function<void()> call) : timers_(timers), call_(std::move(call)) {}

  void SetTo(Instant when);
  void Cancel();

 private:
  void Queue(Instant when) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Wake(Instant queued_for);

  Timers* const timers_;
  Mutex mutex_;
  CondVar made_;
  std::function<void()> call_ ABSL_GUARDED_BY(mutex_);  // empty while it is being made
  Instant due_ ABSL_GUARDED_BY(mutex_) = Instant::InfiniteFuture();
  Instant queued_ ABSL_GUARDED_BY(mutex_) = Instant::InfiniteFuture();  // the next wake-up
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_by_itself_ ABSL_GUARDED_BY(mutex_) = false;
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread::id runs_on_ ABSL_GUARDED_BY(mutex_);
};

void Timer::Call::SetTo(Instant when) {
  MutexLock lock(&mutex_);
  if (cancelled_) return;
  due_ = when;
  if (due_ < queued_) Queue(due_);
}

void Timer::Call::Queue(Instant when) {
  queued_ = when;
  timers_->Queue(when, [self = shared_from_this(), when] { self->Wake(when); });
}

void Timer::Call::Wake(Instant queued_for) {
  std::function<void()> call;  // destroyed without the lock, since it may own what takes the lock
  {
    MutexLock lock(&mutex_);
    if (queued_for != queued_) return;
    queued_ = Instant::InfiniteFuture();
    if (cancelled_) return;
    if (due_ > queued_for) {
      if (due_ < Instant::InfiniteFuture()) Queue(due_);
      return;
    }
    due_ = Instant::InfiniteFuture();
    call = std::move(call_);
    running_ = true;
    runs_on_ = std::this_thread::get_id();
  }
  call();
  MutexLock lock(&mutex_);
  running_ = false;
  if (!cancelled_by_itself_) call_ = std::move(call);
  made_.NotifyAll();
}

void Timer::Call::Cancel() {
  std::function<void()> call;  // as in Wake
  MutexLock lock(&mutex_);
  cancelled_ = true;
  cancelled_by_itself_ = running_ && runs_on_ == std::this_thread::get_id();
  if (cancelled_by_itself_) return;
  while (running_) made_.Wait(&mutex_);
  call = std::move(call_);
}

Timer& Timer::operator=(Timer&& other) noexcept {
  const Timer before(std::move(*this));
  call_ = std::move(other.call_);
  return *this;
}

Timer::~Timer() {
  if (call_ != nullptr) call_->Cancel();
}

void Timer::SetTo(Instant when) { call_->SetTo(when); }

Timer Timers::At(Instant when, std::function<void()> call) {
  Timer timer(std::make_shared<Timer::Call>(this, std::move(call)));
  timer.SetTo(when);
  return timer;
}

ThreadTimers::ThreadTimers(const Clock* clock) : clock_(clock), thread_([this] { Loop(); }) {}

ThreadTimers::~ThreadTimers() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void ThreadTimers::Queue(Instant when, std::function<void()> wake) {
  bool first;
  {
    MutexLock lock(&mutex_);
    first = entries_.empty() || when < entries_.top().when;
    entries_.push({when, std::move(wake)});
  }
  if (first) changed_.NotifyAll();
}

void ThreadTimers::Loop() {
  for (;;) {
    std::function<void()> wake;
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
      wake = std::move(const_cast<Entry&>(entries_.top()).wake);
      entries_.pop();
    }
    wake();
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
