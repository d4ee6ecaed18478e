// Timers, which call a function at an instant, and executors, which run work on other threads: all
// that the host needs of threads. A simulation implements both interfaces on one thread.
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

// A call that is to be made at an instant. Destroying the timer cancels the call:
//
//   Timer late = timers->At(clock->Now() + limit, [this] { Close(); });
//   late.SetTo(clock->Now() + limit);  // moves the call, or makes it again
//
// SetTo may be called on any thread. Only the owner may move or destroy it.
class Timer {
 public:
  // Without a call.
  Timer() = default;
  Timer(Timer&&) noexcept = default;
  // Destroys what this was, as the destructor does.
  Timer& operator=(Timer&& other) noexcept;
  // Cancels the call. When this returns the call is not running and will not begin, so it may use
  // whatever outlives the timer. This waits for a call that another thread is running: do not hold
  // a lock that the call takes. The call may destroy its own timer; that does not wait.
  ~Timer();

  // Moves the call to `when`, or makes it again if it was made. Never waits for the call.
  // Postponing it costs next to nothing. InfiniteFuture: no call until this is called again.
  // REQUIRES: the timer has a call, and its Timers still exists.
  void SetTo(Instant when);

 private:
  friend class Timers;
  class Call;
  explicit Timer(std::shared_ptr<Call> call) : call_(std::move(call)) {}

  std::shared_ptr<Call> call_;
};

// Makes calls at instants, one at a time. Thread-safe.
class Timers {
 public:
  virtual ~Timers() = default;
  // Calls `call` at `when` or soon after, never before this returns; InfiniteFuture: not until
  // SetTo. Calls must be short. The timer may outlive this, and then its call is not made.
  [[nodiscard]] Timer At(Instant when, std::function<void()> call);

 private:
  friend class Timer::Call;
  // Calls `wake` at `when` or soon after, never before this returns, and never at the same time as
  // another.
  virtual void Queue(Instant when, std::function<void()> wake) = 0;
};

// Timers on a thread of their own. Destroying it drops what is not due.
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

// Runs work that may take milliseconds (such as sealing a replay), so that its caller need not
// wait. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void Run(std::function<void()> work) = 0;
};

// Threads of an executor of which the work mostly waits for the disk, which serves several at once.
inline constexpr int kSyncingThreads = 8;

// Threads of an executor that goes on with matches when their records last. They wait for nothing.
inline constexpr int kMailboxThreads = 2;

// An executor with threads of its own. One thread does work in order; several let waits for the
// disk overlap. Destroying it finishes all queued work.
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
