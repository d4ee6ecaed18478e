// The scheduling loop of all competitions that go on in a process: it lets each take its step
// (runner.h) when something has happened or its time has come, and notifies watchers (watches.h).
// One step at a time, on the executor; a call that wakes it returns at once.
//
// From time to time it looks at the store: keeps its place in the fleet (fleet.h), takes up what
// others have made or changed, and says where bots dial the other referees.
#ifndef REFEREE_COMPETITION_COMPETITION_LOOP_H_
#define REFEREE_COMPETITION_COMPETITION_LOOP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/competition/fleet.h"
#include "referee/competition/homes.h"
#include "referee/competition/runner.h"
#include "referee/competition/watches.h"
#include "referee/host/timers.h"
#include "referee/store/store.h"

namespace referee::competition {

// How the competitions of a process fare together.
struct Vitals {
  int64_t homed = 0;                // that go on and live here
  int64_t blocks_uncounted = 0;     // over, and waiting for others before they count
  absl::Duration lease_remaining;   // by the own clock; zero: it has lapsed, or none was needed
  int64_t leases_lost = 0;          // that another daemon has ended, since the start
  bool store_takes_changes = true;  // as far as the latest looks and changes say
};

// Thread-safe. Held by a shared pointer: timers and work that is on its way may outlive Close.
class CompetitionLoop : public std::enable_shared_from_this<CompetitionLoop> {
 public:
  explicit CompetitionLoop(CompetitionsOptions options);

  // See Competitions.
  absl::Status Open(host::Host* host);
  void MatchFinished(const host::MatchRunner& runner);
  void Wake();
  void Drain();
  bool AwaitHandOver(absl::Duration limit);
  bool AwaitEnds(absl::Duration limit);
  void Close();
  void Advertise(std::string address);
  Vitals vitals() const;

  // The competition was changed in the store: by a call, or by another daemon.
  void Changed(const store::Competition& competition);
  // Of all competitions that are not finished, those that were changed here, and those that were
  // noted.
  WatchDelays& watch_delays() { return watch_delays_; }
  Watches& watches() { return watches_; }
  // See CompetitionRunner. Waits for a step that is being taken.
  absl::Status GiveUp(const store::CompetitionId& id, int64_t number, const std::string& reason,
                      const store::AuditEntry& audit);
  // None when the competition does not go on. Of one that lives elsewhere what the store says.
  absl::optional<Progress> progress(const store::CompetitionId& id) const;
  // Reads its schedule if it goes on here. Waits for a step that is being taken.
  void ReadSchedule(const store::CompetitionId& id,
                    absl::FunctionRef<void(const schedule::Schedule&)> read) const;

 private:
  // The next look after one that failed, or since which the store has refused something, and while
  // homes are being handed over.
  static constexpr absl::Duration kLookSoon = absl::Seconds(1);

  struct Entry {
    Entry(const store::CompetitionId& id, const CompetitionRunner::Environment* environment)
        : runner(id, environment) {}
    Mutex mutex;
    CompetitionRunner runner ABSL_GUARDED_BY(mutex);
  };
  // Which competition takes free places before another.
  struct Precedence {
    int priority = 0;
    bool ladder = false;
    uint64_t began_last = 0;  // the step in which it began blocks last; 0: none

    bool IsBefore(const Precedence& other) const {
      if (priority != other.priority) return priority > other.priority;
      if (ladder != other.ladder) return other.ladder;
      return ladder && began_last < other.began_last;
    }
  };
  using MatchEnds = std::vector<std::pair<MatchId, MatchEnd>>;
  struct Known {                   // what may be read without waiting for a step
    std::shared_ptr<Entry> entry;  // null while nothing of it is done here
    Home home = {false};
    bool stale = false;
    MatchEnds ends;           // since its last step
    int64_t version = 0;      // of what the store has, as seen last
    int64_t progress_at = 0;  // blocks begun and counted, the same
    Precedence precedence;    // the same, but for its last member
    Progress progress;
    bool store_fails = false;  // as in CompetitionRunner
  };
  // What a step leads to.
  struct Outcome {
    Instant next;                    // the next step is wanted
    bool takes_next_places = false;  // those of lower priority yield
    bool refused = false;            // something, by the store
  };

  // As CompetitionRunner::Environment::post_played.
  void PostPlayed(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // Keeps the end of a match for the next step of its competition.
  void Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // A step of each competition, and before it, when that is due, a look at the store.
  void Step();
  void LookIfDue();
  // Notes what came of a look, and logs it when it is news.
  void NoteLook(const absl::Status& looked);
  // Those that go on here, with what has happened since their last step, in the order in which they
  // take free places; of those that are level the oldest first.
  std::vector<std::pair<store::CompetitionId, Known>> TakeNews();
  // `may_begin` and `yields` as in CompetitionRunner::Step.
  Outcome StepOf(const store::CompetitionId& id, Known news, bool may_begin, bool yields);
  absl::Status LookAtStore();
  void TakeUp(const FleetLook& look);
  void PlanNextLook(const FleetLook& look);
  // Takes a turn at `when`, or earlier if that was asked for.
  void WakeAt(Instant when) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Waits until it is done, or not open, for so long at most. Returns false if that was not enough.
  bool Await(absl::Duration limit, absl::FunctionRef<bool()> done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether matches have ended here of which the store may not know the end yet.
  bool HasEnds() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  CompetitionRunner::Environment environment_;  // complete when opened; then constant
  WatchDelays watch_delays_;
  Watches watches_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool settled_ ABSL_GUARDED_BY(mutex_) = false;  // draining, and nothing waits for others
  std::string address_ ABSL_GUARDED_BY(mutex_);   // where bots dial this daemon; empty: unknown
  bool look_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool asked_ ABSL_GUARDED_BY(mutex_) = false;     // the executor has a step to take
  bool stepping_ ABSL_GUARDED_BY(mutex_) = false;  // and takes it
  bool wanted_ ABSL_GUARDED_BY(mutex_) = false;    // something has happened since it began
  Instant wake_at_ ABSL_GUARDED_BY(mutex_) = Instant::InfiniteFuture();
  std::map<store::CompetitionId, Known> known_ ABSL_GUARDED_BY(mutex_);
  Instant lease_end_ ABSL_GUARDED_BY(mutex_);          // of fleet_
  int64_t leases_lost_ ABSL_GUARDED_BY(mutex_) = 0;    // the same
  bool store_silent_ ABSL_GUARDED_BY(mutex_) = false;  // at the latest look

  // Touched in steps only.
  uint64_t step_ = 0;
  Instant next_look_;
  Instant last_look_;
  Fleet fleet_;
  bool lease_held_ = false;  // as it was logged last
  bool drained_at_last_look_ = false;

  host::Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_LOOP_H_
