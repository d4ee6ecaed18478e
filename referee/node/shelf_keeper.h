// Uploads replays of competitions' matches to the replay store, and finds those of other referees.
//
// The replay store is shared by a fleet (shelf/SHELF.md). A failed task is retried after pauses
// that double. While the replay store fails, one match is tried at a time; otherwise several at
// once. All work runs on the executor, whose threads may wait for a disk or a network.
#ifndef REFEREE_NODE_SHELF_KEEPER_H_
#define REFEREE_NODE_SHELF_KEEPER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/competition/shared_replays.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/shelf/limits.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::node {

// Thread-safe.
class ShelfKeeper final : public competition::SharedReplays,
                          public std::enable_shared_from_this<ShelfKeeper> {
 public:
  struct Options {
    // All must outlive Close.
    shelf::SharedShelf* shelf = nullptr;
    const Clock* clock = nullptr;
    host::Timers* timers = nullptr;
    host::Executor* executor = nullptr;
    // Reads the bytes of a replay from this referee's archive; NotFound if it is not there yet.
    std::function<absl::StatusOr<std::string>(const MatchId&)> read;
    log::Log log;
  };
  static std::shared_ptr<ShelfKeeper> Make(Options options);

  void Keep(const MatchId& match, std::function<void()> kept) override;
  void Find(const MatchId& match,
            std::function<void(const absl::StatusOr<std::string>&)> found) override;
  std::string WhyWaiting(const MatchId& match) const override;
  bool any_waits() const override;

  // Why the replay store fails, if it has failed for at least `for_long`; otherwise empty.
  std::string WhyFailing(absl::Duration for_long) const;

  // Reports that the archive now has the replay of a match. If its upload waited for that, tries it
  // at once.
  void Archived(const MatchId& match);

  // Drops all tasks. Waits for a call of the replay store that is under way; nothing is tried after
  // this returns.
  void Close();

 private:
  // A task for one match: an upload (`kept`) or a search (`found`). One callback is set.
  struct Task {
    std::function<void()> kept;
    std::function<void(const absl::StatusOr<std::string>&)> found;
    absl::Duration pause = limits::kFirstShelfPause;  // the pause after the next failure
    Instant not_before;
    std::string why;        // the last error
    bool trying = false;    // now, or as soon as a thread is free
    bool archived = false;  // archived since this attempt started
  };
  using Tasks = std::map<MatchId, Task>;
  // The result of an attempt.
  struct Outcome {
    absl::Status status;    // OK: done
    bool of_shelf = false;  // the replay store failed, not this match
    absl::StatusOr<std::string> file = absl::NotFoundError("");  // the replay, for a search
  };

  explicit ShelfKeeper(Options options) : options_(std::move(options)) {}

  void Add(const MatchId& match, Task task);
  // Starts as many due tasks on the executor as may run at once, or sets the timer.
  void GoOn();
  // Marks a due match as being tried and returns it; unset if no attempt is possible now.
  absl::optional<MatchId> TakeDue();
  void TryOne(const MatchId& match);
  Outcome Try(const MatchId& match, bool looks) const;
  // The oldest match that is due; end() if none.
  Tasks::iterator FindDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Sets the times of the next attempts for the match and the replay store. Returns an event if the
  // state of the replay store changed.
  absl::optional<log::Event> Note(const MatchId& match, const Outcome& outcome)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar tried_;
  Tasks tasks_ ABSL_GUARDED_BY(mutex_);
  int asked_ ABSL_GUARDED_BY(mutex_) = 0;   // attempts given to the executor
  int trying_ ABSL_GUARDED_BY(mutex_) = 0;  // of these, attempts that run
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool fails_ ABSL_GUARDED_BY(mutex_) = false;     // the last call failed
  std::string why_fails_ ABSL_GUARDED_BY(mutex_);  // the error, while fails_
  Instant fails_since_ ABSL_GUARDED_BY(mutex_);    // while fails_
  absl::Duration pause_ ABSL_GUARDED_BY(mutex_) = limits::kFirstShelfPause;  // next pause
  Instant not_before_ ABSL_GUARDED_BY(mutex_);                               // for all matches
  host::Timer timer_;  // set by Make, moved under mutex_
};

}  // namespace referee::node

#endif  // REFEREE_NODE_SHELF_KEEPER_H_
