// The scheduling loop of all competitions that go on in a process: it lets each take its step
// (runner.h) when something has happened or its time has come, and tells who watches. One step at a
// time, on the executor; whoever wakes it returns at once.
#ifndef REFEREE_COMPETITION_COMPETITION_LOOP_H_
#define REFEREE_COMPETITION_COMPETITION_LOOP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/competition/runner.h"
#include "referee/host/timers.h"
#include "referee/store/store.h"

namespace referee::competition {

// Thread-safe. Held by a shared pointer: timers and work that is on its way may outlive Close.
class CompetitionLoop : public std::enable_shared_from_this<CompetitionLoop> {
 public:
  // `environment` has all but the host and `post`. Everything must outlive Close.
  CompetitionLoop(CompetitionRunner::Environment environment, host::Timers* timers,
                  host::Executor* executor);

  // See Competitions.
  absl::Status Open(host::Host* host);
  void MatchFinished(const host::MatchRunner& runner);
  void Wake();
  void Drain();
  void Close();

  // The competition was changed in the store: by a call, or by another daemon.
  void Changed(const store::Competition& competition);
  // None when the competition does not go on here.
  absl::optional<Planner::Progress> progress(const store::CompetitionId& id) const;
  // Rises whenever a step has changed something in the store, or found it changed; none when it
  // does not go on here.
  absl::optional<int64_t> changes(const store::CompetitionId& id) const;
  // What its schedule counts; none when it does not go on here. Waits for a step that is being
  // taken.
  absl::optional<std::vector<schedule::ScoreLine>> Scores(const store::CompetitionId& id) const;

  // What it has paired, in the same way.
  absl::optional<std::vector<schedule::RoundPairing>> Pairings(
      const store::CompetitionId& id) const;

  // See Competitions. Returns ResourceExhausted when there are too many.
  absl::StatusOr<int64_t> Watch(const store::CompetitionId& id, std::function<void()> changed);
  void Unwatch(int64_t watch);

 private:
  struct Entry {
    Entry(const store::CompetitionId& id, const CompetitionRunner::Environment* environment)
        : runner(id, environment) {}
    Mutex mutex;
    CompetitionRunner runner ABSL_GUARDED_BY(mutex);
  };
  using MatchEnds = std::vector<std::pair<MatchId, MatchEnd>>;
  struct Known {  // what may be read without waiting for a step
    std::shared_ptr<Entry> entry;
    bool stale = false;
    MatchEnds ends;       // since its last step
    int64_t version = 0;  // of what the store has, as seen last
    int priority = 0;     // the same
    Planner::Progress progress;
    int64_t changes = 0;  // CompetitionRunner::changes
  };
  // What has happened to a competition since its last step.
  struct News {
    store::CompetitionId id;
    std::shared_ptr<Entry> entry;
    bool stale = false;
    MatchEnds ends;
    int priority = 0;
  };
  // Whether a competition may begin blocks in a step.
  struct Begins {
    bool may = false;
    bool yields = false;  // one of higher priority goes first
  };
  // What a step leads to.
  struct Outcome {
    Instant next;                    // the next step is wanted
    bool takes_next_places = false;  // those of lower priority yield
  };

  // Null when the competition does not go on here.
  std::shared_ptr<Entry> EntryOf(const store::CompetitionId& id) const;
  // Keeps the end of a match for the next step of its competition.
  void Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // A step of each competition, and before it, when that is due, a look at the store.
  void Step();
  void LookIfDue();
  // By priority, then oldest first: so they take free places.
  std::vector<News> TakeNews();
  Outcome StepOf(News news, Begins begins);
  // Says that this daemon is there, takes over blocks of those that are not, and looks for what
  // others have made or changed.
  absl::Status LookAtStore();
  // Takes a turn at `when`, or earlier if that was asked for.
  void WakeAt(Instant when) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Tell(const store::CompetitionId& id);

  CompetitionRunner::Environment environment_;  // complete when opened; then constant
  host::Executor* const executor_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool asked_ ABSL_GUARDED_BY(mutex_) = false;     // the executor has a step to take
  bool stepping_ ABSL_GUARDED_BY(mutex_) = false;  // and takes it
  bool wanted_ ABSL_GUARDED_BY(mutex_) = false;    // something has happened since it began
  Instant wake_at_ ABSL_GUARDED_BY(mutex_) = Instant::InfiniteFuture();
  std::map<store::CompetitionId, Known> known_ ABSL_GUARDED_BY(mutex_);

  // Touched in steps only.
  Instant next_look_;
  bool leased_ = false;  // blocks may be begun
  bool look_failed_ = false;

  Mutex watch_mutex_;
  int64_t last_watch_ ABSL_GUARDED_BY(watch_mutex_) = 0;
  std::map<int64_t, std::pair<store::CompetitionId, std::function<void()>>> watches_
      ABSL_GUARDED_BY(watch_mutex_);

  host::Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_LOOP_H_
