// A queue of matches that are over but could not be archived, because a disk was full or failed.
//
// It retries all of them in rounds: first after limits::kFirstSealRetry (1 s), then after twice as
// long each time, up to limits::kLastSealRetry (1 min). It retries once more when the referee
// stops. The records stay meanwhile, so the next start finds them.
#ifndef REFEREE_HOST_SEAL_QUEUE_H_
#define REFEREE_HOST_SEAL_QUEUE_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/timers.h"
#include "referee/replay/recorder.h"

namespace referee::host {

// Thread-safe.
class SealQueue : public std::enable_shared_from_this<SealQueue> {
 public:
  struct Options {
    // All must outlive Close.
    const Clock* clock = nullptr;
    Timers* timers = nullptr;
    Executor* executor = nullptr;
    // Called, on the executor or by TryAll, when a match is archived at last.
    std::function<void(const MatchId&)> on_sealed;
  };
  static std::shared_ptr<SealQueue> Make(Options options);

  // Adds a recording whose Seal has failed. Returns false, and drops the recording, if
  // limits::kMaxUnsealed are queued already, or after Close.
  bool Add(const MatchId& id, std::unique_ptr<replay::Recording> recording);
  // Tries all queued recordings now, on the calling thread, until one fails.
  void TryAll();
  // Drops the queue. When this returns nothing is being sealed, and nothing will be.
  void Close();

 private:
  struct Unsealed {
    MatchId id;
    std::unique_ptr<replay::Recording> recording;
  };

  explicit SealQueue(Options options) : options_(std::move(options)) {}

  void SetTimer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginRound();
  // Tries the first recording of the round, and makes the executor go on with the next.
  void TryOne();
  enum class Tried { kSealed, kFailed, kNone };
  // Tries the first recording; kNone if the queue is empty or closed.
  Tried TryFirst();

  const Options options_;
  Mutex mutex_;
  CondVar tried_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool trying_ ABSL_GUARDED_BY(mutex_) = false;
  size_t left_in_round_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Duration wait_ ABSL_GUARDED_BY(mutex_);  // before the next round
  std::deque<Unsealed> queue_ ABSL_GUARDED_BY(mutex_);
  Timer timer_;  // set by Make, moved under mutex_
};

}  // namespace referee::host

#endif  // REFEREE_HOST_SEAL_QUEUE_H_
