// Cancels calls whose peer does not read the answer in time.
//
// Without a limit, a peer that sets its HTTP/2 window to 0 could keep its unread answers in memory
// forever.
#ifndef REFEREE_SERVICE_CALL_DEADLINES_H_
#define REFEREE_SERVICE_CALL_DEADLINES_H_

#include <grpc/grpc.h>

#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/timers.h"

namespace referee::service {

// Thread-safe.
class CallDeadlines {
 public:
  // Both must outlive this.
  CallDeadlines(const Clock* clock, host::Timers* timers, absl::Duration limit);
  ~CallDeadlines();

  // Starts the limit for `call`, which is cancelled when the limit expires. Returns a number for
  // Remove. REQUIRES: the call is not done.
  uint64_t Add(grpc_call* call);
  // Ends the limit of a call that was read in time. Does nothing for 0.
  void Remove(uint64_t number);

 private:
  struct Open {
    grpc_call* call;  // owns a reference
    Instant end;
  };
  void CancelLate();

  const Clock& clock_;
  const absl::Duration limit_;
  Mutex mutex_;
  uint64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Open> open_ ABSL_GUARDED_BY(mutex_);  // by number, so earliest end first
  host::Timer timer_;  // the last member: its callback uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CALL_DEADLINES_H_
