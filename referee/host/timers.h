// Timers, which call a function at an instant, and executors, which run work on other threads.
//
// The host uses threads only through these. A simulation implements both interfaces on one thread.
#ifndef REFEREE_HOST_TIMERS_H_
#define REFEREE_HOST_TIMERS_H_

#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"

namespace referee::host {

// A scheduled call of a function. Destroying the timer cancels the call:
//
//   Timer late = timers->At(clock->Now() + limit, [this] { Close(); });
//   late.SetTo(clock->Now() + limit);  // moves the call, or schedules it again
//
// SetTo may be called on any thread. Only the owner may move or destroy it.
class Timer {
 public:
  // A timer without a call.
  Timer() = default;
  Timer(Timer&&) noexcept = default;
  // Cancels the previous call, as the destructor does.
  Timer& operator=(Timer&& other) noexcept;
  // Cancels the call. When this returns, the call is not running and will not begin, so it may use
  // anything that outlives the timer. Waits for a call that another thread is running: do not hold
  // a lock that the call takes. The call may destroy its own timer, without waiting.
  ~Timer();

  // Moves the call to `when`, or schedules it again if it was made. Never waits for the call. It is
  // cheap to postpone a call. InfiniteFuture: no call until the next SetTo. REQUIRES: the timer has
  // a call, and its Timers still exists.
  void SetTo(Instant when);

 private:
  friend class Timers;
  class Call;
  explicit Timer(std::shared_ptr<Call> call) : call_(std::move(call)) {}

  std::shared_ptr<Call> call_;
};

// Makes scheduled calls, one at a time. Thread-safe.
class Timers {
 public:
  virtual ~Timers() = default;
  // Schedules `call` at `when` or soon after, never before this returns. InfiniteFuture: not until
  // SetTo. Calls must be short. If the timer outlives this, its call is not made.
  [[nodiscard]] Timer At(Instant when, std::function<void()> call);

 private:
  friend class Timer::Call;
  // Schedules `wake` at `when` or soon after, never before this returns. Two wake-ups never run at
  // the same time.
  virtual void Queue(Instant when, std::function<void()> wake) = 0;
};

// Timers on a thread of their own. The destructor drops calls that are not due.
class ThreadTimers final : public Timers {
 public:
  // `clock` must outlive this.
  explicit ThreadTimers(const Clock* clock);
  ~ThreadTimers() override;

 private:
  struct Entry {
    Instant when;
    std::function<void()> wake;
    friend bool operator<(const Entry& a, const Entry& b) { return b.when < a.when; }
  };
  void Queue(Instant when, std::function<void()> wake) override;
  void Loop();

  const Clock* const clock_;
  Mutex mutex_;
  CondVar changed_;
  std::priority_queue<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// Runs work that may take milliseconds, such as sealing a replay, so that the caller need not wait.
// Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void Run(std::function<void()> work) = 0;
};

// Threads of an executor whose work mostly waits for the disk, which can serve several at once.
inline constexpr int kSyncingThreads = 8;

// Threads of an executor that continues matches when their records are durable. They never wait.
inline constexpr int kMailboxThreads = 2;

// An executor with threads of its own. One thread runs work in order; several overlap waits for the
// disk. The destructor finishes all queued work.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(int threads = 1);
  ~ThreadExecutor() override;
  void Run(std::function<void()> work) override;

 private:
  void Loop();

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_TIMERS_H_
