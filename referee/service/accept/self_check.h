// Finds out whether a server still answers, by connecting to it as a client does. A server may be
// deaf while its process, and the matches in it, live on: then nobody is told, and only a restart
// helps.
#ifndef REFEREE_SERVICE_ACCEPT_SELF_CHECK_H_
#define REFEREE_SERVICE_ACCEPT_SELF_CHECK_H_

#include <functional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/service/accept/connections.h"
#include "referee/service/accept/listener.h"

namespace referee::service {

// When a server is deaf: after so many attempts in a row that nobody answered. Attempts between
// which, or in which, the process itself stood still (a suspended machine, a debugger) say nothing.
// Pure. Thread-compatible.
class Deafness {
 public:
  struct Limits {
    absl::Duration interval = limits::kSelfCheckInterval;  // between two attempts
    absl::Duration patience = limits::kSelfCheckPatience;  // of one
    int attempts = limits::kSelfChecksUnanswered;
  };

  explicit Deafness(Limits limits) : limits_(limits) {}

  // An attempt has been made from `begin` to `end`. Returns whether the server is deaf.
  bool Note(bool answered, Instant begin, Instant end);

 private:
  const Limits limits_;
  int unanswered_ = 0;  // in a row
  Instant last_end_;    // of the attempt before; before the first: long ago
};

// Makes one attempt on a server that listens there, and speaks HTTP/2, behind TLS or not. Returns
// whether it has answered within `patience`. `connections` are told that it is the server's own, so
// that no limit keeps it out.
bool Answers(const Listener& listener, bool tls, Connections* connections, absl::Duration patience);

// Makes attempts from time to time on a thread of its own.
class SelfCheck {
 public:
  // `attempt` is given the patience; `on_deaf` is called at most once. Both on the thread. `clock`
  // must outlive this.
  SelfCheck(const Clock* clock, Deafness::Limits limits,
            std::function<bool(absl::Duration)> attempt, std::function<void()> on_deaf);
  // Waits for an attempt that is under way.
  ~SelfCheck();
  SelfCheck(const SelfCheck&) = delete;
  SelfCheck& operator=(const SelfCheck&) = delete;

 private:
  void Loop();
  // Returns false when it is time to stop.
  bool WaitForInterval();

  const Clock& clock_;
  const Deafness::Limits limits_;
  const std::function<bool(absl::Duration)> attempt_;
  const std::function<void()> on_deaf_;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_SELF_CHECK_H_
