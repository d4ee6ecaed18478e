// Ends calls whose answer is not read in time. A peer that sets its HTTP/2 window to 0 and reads
// nothing would keep what is written to it in memory for as long as it likes.
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

  // From now on the call has the limit, or it is cancelled. Returns a number for Remove. REQUIRES:
  // the call is not done.
  uint64_t Add(grpc_call* call);
  // The call is in time. Does nothing for 0.
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
  std::map<uint64_t, Open> open_ ABSL_GUARDED_BY(mutex_);  // the first has the earliest end
  host::Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CALL_DEADLINES_H_
