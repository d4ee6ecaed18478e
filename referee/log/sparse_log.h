// A log for events that an attacker can cause at will: writes at most one of a kind per minute.
//
// The first event of a kind is written at once. The next has the number of events dropped since. A
// kind is an event name and an account; all callers without an account share one.
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
  // Drops nothing. For events that clients cannot cause in large numbers.
  void TellEach(const Event& event) const { log::Tell(log_, event); }

 private:
  struct Heard {
    Instant again;  // when the next event may be written
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
