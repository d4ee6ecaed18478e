// A log for what happens over and over while somebody does harm: each kind of event is heard at
// once, and then at most once a minute, with how many were left out meanwhile. Events are of one
// kind by their name and account: whoever has no account is one with all others.
#ifndef REFEREE_LOG_SPARSE_LOG_H_
#define REFEREE_LOG_SPARSE_LOG_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/log/event.h"

namespace referee::log {

// Thread-safe.
class SparseLog {
 public:
  // `clock` must outlive this; `log` may be null.
  SparseLog(const Clock* clock, Log log) : clock_(*clock), log_(std::move(log)) {}

  void Tell(Event event);
  // Leaves none out. For events of which nobody can cause many.
  void TellEach(const Event& event) const { log::Tell(log_, event); }

 private:
  struct Heard {
    Instant again;  // when it may be heard next
    int64_t left_out = 0;
  };
  Heard& Find(const Event& event, Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock& clock_;
  const Log log_;
  Mutex mutex_;
  absl::flat_hash_map<std::string, Heard> heard_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::log

#endif  // REFEREE_LOG_SPARSE_LOG_H_
