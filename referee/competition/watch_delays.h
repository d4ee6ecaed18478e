// The watch delays of competitions, for those who have to know one at once: in memory, as of the
// last time that each row of the store was seen.
#ifndef REFEREE_COMPETITION_WATCH_DELAYS_H_
#define REFEREE_COMPETITION_WATCH_DELAYS_H_

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"
#include "referee/base/mutex.h"
#include "referee/store/store.h"

namespace referee::competition {

// Thread-safe.
class WatchDelays {
 public:
  // A row was read.
  void Note(const store::Competition& competition) {
    const absl::Duration delay = competition.spec.watch_delay;
    MutexLock lock(&mutex_);
    if (delay == absl::ZeroDuration()) {
      delays_.erase(competition.id);
    } else {
      delays_[competition.id] = delay;
    }
  }

  // 0 of one that was not seen.
  absl::Duration Of(const store::CompetitionId& id) const {
    MutexLock lock(&mutex_);
    const auto found = delays_.find(id);
    return found == delays_.end() ? absl::ZeroDuration() : found->second;
  }

  // Whether any has one.
  bool any() const {
    MutexLock lock(&mutex_);
    return !delays_.empty();
  }

 private:
  mutable Mutex mutex_;
  absl::flat_hash_map<store::CompetitionId, absl::Duration> delays_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_WATCH_DELAYS_H_
