// Change callbacks for watchers of competitions, and watch delays in memory.
#ifndef REFEREE_COMPETITION_WATCHES_H_
#define REFEREE_COMPETITION_WATCHES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/store/store.h"

namespace referee::competition {

// Calls watchers when a competition may have changed. Thread-safe.
class Watches {
 public:
  // `changed` must be short and must not call back. Returns ResourceExhausted if there are too many
  // watches.
  absl::StatusOr<int64_t> Add(const store::CompetitionId& id, std::function<void()> changed) {
    MutexLock lock(&mutex_);
    if (watches_.size() >= static_cast<size_t>(limits::kMaxCompetitionWatches)) {
      return absl::ResourceExhaustedError(
          absl::StrCat("competitions are watched ", limits::kMaxCompetitionWatches,
                       " times already, which is the most; close some, or ask for the standings"));
    }
    watches_.emplace(++last_, std::pair(id, std::move(changed)));
    return last_;
  }

  // After this returns, the watch is not called any more.
  void Remove(int64_t watch) {
    MutexLock lock(&mutex_);
    watches_.erase(watch);
  }

  void Notify(const store::CompetitionId& id) const {
    MutexLock lock(&mutex_);
    for (const auto& [watch, followed] : watches_) {
      if (followed.first == id) followed.second();
    }
  }

 private:
  mutable Mutex mutex_;
  int64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, std::pair<store::CompetitionId, std::function<void()>>> watches_
      ABSL_GUARDED_BY(mutex_);
};

// The watch delays of competitions, in memory, for callers that must not block on the store. As of
// the last time that each row was read. Thread-safe.
class WatchDelays {
 public:
  // Call when a row was read.
  void Note(const store::Competition& competition) {
    const absl::Duration delay = competition.spec.watch_delay;
    MutexLock lock(&mutex_);
    if (delay == absl::ZeroDuration()) {
      delays_.erase(competition.id);
    } else {
      delays_[competition.id] = delay;
    }
  }

  // Returns 0 for an unknown competition.
  absl::Duration Of(const store::CompetitionId& id) const {
    MutexLock lock(&mutex_);
    const auto found = delays_.find(id);
    return found == delays_.end() ? absl::ZeroDuration() : found->second;
  }

  // Whether any competition has a delay.
  bool any() const {
    MutexLock lock(&mutex_);
    return !delays_.empty();
  }

 private:
  mutable Mutex mutex_;
  absl::flat_hash_map<store::CompetitionId, absl::Duration> delays_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_WATCHES_H_
