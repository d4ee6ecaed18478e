// Puts the replays of competitions' matches on the shelf that a fleet shares (shelf/SHELF.md), and
// looks there for those of matches that another daemon played. What fails is tried again, after
// twice as long each time; a shelf that does not answer is asked for one match at a time meanwhile,
// and for several at once when it does. On the executor, whose threads wait for a disk or a
// network.
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
    // The bytes of a replay of this daemon's archive; NotFound if it is not there yet.
    std::function<absl::StatusOr<std::string>(const MatchId&)> read;
    log::Log log;
  };
  static std::shared_ptr<ShelfKeeper> Make(Options options);

  void Keep(const MatchId& match, std::function<void()> kept) override;
  void Find(const MatchId& match,
            std::function<void(const absl::StatusOr<std::string>&)> found) override;
  std::string WhyWaiting(const MatchId& match) const override;
  bool any_waits() const override;

  // Why the shelf fails, if it has failed for so long without a call that it answered; else empty.
  std::string WhyFailing(absl::Duration for_long) const;

  // The replay of a match is in the archive now: if it waited for that, it is put at once.
  void Archived(const MatchId& match);

  // Drops what waits. When this returns nothing is being tried, and nothing will be. Waits for a
  // call of the shelf that is under way.
  void Close();

 private:
  // What is asked for a match. One is set.
  struct Task {
    std::function<void()> kept;
    std::function<void(const absl::StatusOr<std::string>&)> found;
    absl::Duration pause = limits::kFirstShelfPause;  // after the next failure
    Instant not_before;
    std::string why;        // it failed the last time
    bool trying = false;    // now, or soon
    bool archived = false;  // since that was begun
  };
  using Tasks = std::map<MatchId, Task>;
  // What came of a try.
  struct Outcome {
    absl::Status status;    // OK: done
    bool of_shelf = false;  // it failed for the shelf, and would for other matches
    absl::StatusOr<std::string> file = absl::NotFoundError("");  // of what was looked for
  };

  explicit ShelfKeeper(Options options) : options_(std::move(options)) {}

  void Add(const MatchId& match, Task task);
  // Has the executor try what is due, as much as may be tried at once; or sets the timer.
  void GoOn();
  // Marks a match as being tried; nothing if none is to be.
  absl::optional<MatchId> TakeDue();
  void TryOne(const MatchId& match);
  Outcome Try(const MatchId& match, bool looks) const;
  // The oldest match that is due; the end if none is.
  Tasks::iterator FindDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Notes when the shelf and the match are tried again; returns an event if that is news.
  absl::optional<log::Event> Note(const MatchId& match, const Outcome& outcome)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar tried_;
  Tasks tasks_ ABSL_GUARDED_BY(mutex_);
  int asked_ ABSL_GUARDED_BY(mutex_) = 0;   // what the executor has to try
  int trying_ ABSL_GUARDED_BY(mutex_) = 0;  // of these, what it tries
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool fails_ ABSL_GUARDED_BY(mutex_) = false;     // the shelf, the last time
  std::string why_fails_ ABSL_GUARDED_BY(mutex_);  // if it does
  Instant fails_since_ ABSL_GUARDED_BY(mutex_);    // likewise
  absl::Duration pause_ ABSL_GUARDED_BY(mutex_) = limits::kFirstShelfPause;  // the same of it
  Instant not_before_ ABSL_GUARDED_BY(mutex_);                               // the same
  host::Timer timer_;  // set by Make, moved under mutex_
};

}  // namespace referee::node

#endif  // REFEREE_NODE_SHELF_KEEPER_H_
