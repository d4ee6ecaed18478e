// Looks from time to time what of a node serves, and tells it: one source for the gRPC health
// service, for the service manager and, when it is asked, for /readyz.
#ifndef REFEREE_NODE_HEALTH_WATCH_H_
#define REFEREE_NODE_HEALTH_WATCH_H_

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"

namespace referee::node {

// Why something does not serve, each in one line; empty: it does.
struct Readiness {
  std::string any;      // nothing does
  std::string matches;  // none begins
  std::string store;    // no competition goes on, and no account changes

  // Why not all of it serves; empty: all does.
  const std::string& why_not() const {
    return !any.empty() ? any : !matches.empty() ? matches : store;
  }
};

// Thread-safe.
class HealthWatch {
 public:
  static constexpr std::chrono::seconds kPeriod{1};

  // Looks once on this thread, then every kPeriod on one of its own, until it is destroyed. `look`
  // may wait for a disk or a network.
  explicit HealthWatch(std::function<void()> look);
  ~HealthWatch();
  HealthWatch(const HealthWatch&) = delete;
  HealthWatch& operator=(const HealthWatch&) = delete;

  // Has it look without waiting for the period to end.
  void LookSoon();

 private:
  void Work();

  const std::function<void()> look_;
  Mutex mutex_;
  CondVar changed_;
  bool soon_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_HEALTH_WATCH_H_
