// Checks whether a server still answers, by connecting to it as a client does.
//
// A server may stop answering while its process and its matches live on. No client learns why then,
// and only a restart helps.
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

// Decides when a server counts as deaf: after several unanswered attempts in a row. The count
// starts anew if the process itself stood still during or before an attempt (suspended machine,
// debugger). Pure. Thread-compatible.
class Deafness {
 public:
  struct Limits {
    absl::Duration interval = limits::kSelfCheckInterval;  // between two attempts
    absl::Duration patience = limits::kSelfCheckPatience;  // of one attempt
    int attempts = limits::kSelfChecksUnanswered;
  };

  explicit Deafness(Limits limits) : limits_(limits) {}

  // Notes an attempt from `begin` to `end`. Returns whether the server is deaf.
  bool Note(bool answered, Instant begin, Instant end);

 private:
  const Limits limits_;
  int unanswered_ = 0;  // in a row
  Instant last_end_;    // of the last attempt; initially the distant past
};

// Makes one attempt on an HTTP/2 server at `listener`, with TLS if `tls`. Returns whether it
// answered within `patience`. Declares the connection to `connections` as the server's own, so that
// no limit refuses it.
bool Answers(const Listener& listener, bool tls, Connections* connections, absl::Duration patience);

// Makes attempts periodically on its own thread.
class SelfCheck {
 public:
  // `attempt` receives the patience; `on_deaf` is called at most once. Both run on the thread.
  // `clock` must outlive this.
  SelfCheck(const Clock* clock, Deafness::Limits limits,
            std::function<bool(absl::Duration)> attempt, std::function<void()> on_deaf);
  // Waits for an attempt in progress.
  ~SelfCheck();
  SelfCheck(const SelfCheck&) = delete;
  SelfCheck& operator=(const SelfCheck&) = delete;

 private:
  void Loop();
  // Returns false when the thread must stop.
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
