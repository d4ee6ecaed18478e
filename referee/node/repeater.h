// Calls a function periodically, on a thread of its own, until it is destroyed.
#ifndef REFEREE_NODE_REPEATER_H_
#define REFEREE_NODE_REPEATER_H_

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"

namespace referee::node {

// Thread-safe.
class Repeater {
 public:
  // Calls `work` at once, then every `period`. `work` may wait for a disk or a network.
  Repeater(std::chrono::milliseconds period, std::function<void()> work)
      : period_(period), work_(std::move(work)) {
    thread_ = std::thread([this] {
      while (!stopping()) {
        work_();
        const MutexLock lock(&mutex_);
        if (!soon_ && !stopping_) changed_.WaitFor(&mutex_, period_);
        soon_ = false;
      }
    });
  }
  // Waits for the current call of `work` to return.
  ~Repeater() {
    {
      const MutexLock lock(&mutex_);
      stopping_ = true;
    }
    changed_.NotifyAll();
    thread_.join();
  }
  Repeater(const Repeater&) = delete;
  Repeater& operator=(const Repeater&) = delete;

  // Makes the next call at once instead of at the end of the period.
  void RunSoon() {
    {
      const MutexLock lock(&mutex_);
      soon_ = true;
    }
    changed_.NotifyAll();
  }
  // Whether the destructor is running: `work` should return soon.
  bool stopping() {
    const MutexLock lock(&mutex_);
    return stopping_;
  }

 private:
  const std::chrono::milliseconds period_;
  const std::function<void()> work_;
  Mutex mutex_;
  CondVar changed_;
  bool soon_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_REPEATER_H_
