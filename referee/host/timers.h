// Calls at an instant, and calls elsewhere: what the host needs of threads, behind a contract that
// a simulation can implement on one.
#ifndef REFEREE_HOST_TIMERS_H_
#define REFEREE_HOST_TIMERS_H_

#include <deque>
#include <functional>
#include <queue>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"

namespace referee::host {

// Thread-safe.
class Timers {
 public:
  virtual ~Timers() = default;
  // Calls `call` at `when` or soon after, never before this returns. Calls must be short.
  virtual void At(Instant when, std::function<void()> call) = 0;
};

// Timers on a thread of their own. Destroying it drops what is not due.
class ThreadTimers final : public Timers {
 public:
  // `clock` must outlive this.
  explicit ThreadTimers(const Clock* clock);
  ~ThreadTimers() override;
  void At(Instant when, std::function<void()> call) override;

 private:
  struct Entry {
    Instant when;
    std::function<void()> call;
    friend bool operator<(const Entry& a, const Entry& b) { return b.when < a.when; }
  };
  void Loop();

  const Clock* const clock_;
  Mutex mutex_;
  CondVar changed_;
  std::priority_queue<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// Runs work that may take milliseconds (sealing a replay) away from whoever asks for it.
// Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void Run(std::function<void()> work) = 0;
};

// Threads of a executor that seals replays, when they are to be on the disk: they wait for it most
// of the time, and what several wait for it writes at once.
inline constexpr int kSyncingThreads = 8;

// A executor with threads of its own: with one, in order; with more, what waits for the disk waits
// together. Destroying it finishes what was asked for.
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
