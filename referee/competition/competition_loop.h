// The scheduling loop of all running competitions of one process.
//
// The loop gives each competition a step (runner.h) when an event arrives or a deadline expires,
// and notifies watchers (watches.h). Steps run one at a time on the executor; a call that requests
// a step returns at once.
//
// The loop also polls the store. A poll renews this referee's membership of the fleet (fleet.h) and
// picks up changes by other referees. It also announces their addresses to bots.
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

// Health figures over all competitions of the process.
struct Vitals {
  int64_t homed = 0;                // running competitions that this referee owns
  int64_t blocks_uncounted = 0;     // over, but an earlier block is not counted yet
  absl::Duration lease_remaining;   // by this referee's clock; zero: lapsed, or never needed
  int64_t leases_lost = 0;          // ended by another referee, since the start
  bool store_takes_changes = true;  // according to the latest polls and changes
};

// Thread-safe. Held by a shared pointer: timers and queued work may outlive Close.
class CompetitionLoop : public std::enable_shared_from_this<CompetitionLoop> {
 public:
  explicit CompetitionLoop(CompetitionsOptions options);

  // See Competitions for these.
  absl::Status Open(host::Host* host);
  void MatchFinished(const host::MatchRunner& runner);
  void Wake();
  void Drain();
  bool AwaitHandOver(absl::Duration limit);
  bool AwaitEnds(absl::Duration limit);
  void Close();
  void Advertise(std::string address);
  Vitals vitals() const;

  // Call when the competition was changed in the store, by a call or by another referee.
  void Changed(const store::Competition& competition);
  // The delays of all unfinished competitions, of those changed here, and of those that were noted.
  WatchDelays& watch_delays() { return watch_delays_; }
  Watches& watches() { return watches_; }
  // See CompetitionRunner. Blocks until a running step is over.
  absl::Status GiveUp(const store::CompetitionId& id, int64_t number, const std::string& reason,
                      const store::AuditEntry& audit);
  // Returns none if the competition is not running. If another referee owns it, returns what the
  // store says.
  absl::optional<Progress> progress(const store::CompetitionId& id) const;
  // Calls `read` with the schedule if the competition runs here. Blocks until a running step is
  // over.
  void ReadSchedule(const store::CompetitionId& id,
                    absl::FunctionRef<void(const schedule::Schedule&)> read) const;

 private:
  // The interval between polls after a failed poll, after the store refused a change, and during a
  // hand-over.
  static constexpr absl::Duration kLookSoon = absl::Seconds(1);

  struct Entry {
    Entry(const store::CompetitionId& id, const CompetitionRunner::Environment* environment)
        : runner(id, environment) {}
    Mutex mutex;
    CompetitionRunner runner ABSL_GUARDED_BY(mutex);
  };
  // The order in which competitions take free slots.
  struct Precedence {
    int priority = 0;
    bool ladder = false;
    uint64_t began_last = 0;  // the last step that began blocks of it; 0: none

    bool IsBefore(const Precedence& other) const {
      if (priority != other.priority) return priority > other.priority;
      if (ladder != other.ladder) return other.ladder;
      return ladder && began_last < other.began_last;
    }
  };
  using MatchEnds = std::vector<std::pair<MatchId, MatchEnd>>;
  struct Known {                   // read without waiting for a step
    std::shared_ptr<Entry> entry;  // null while this referee does nothing for it
    Home home = {false};
    bool stale = false;
    MatchEnds ends;           // since the last step
    int64_t version = 0;      // of the store's row, as last seen
    int64_t progress_at = 0;  // blocks begun and counted, as last seen
    Precedence precedence;    // as last seen; `began_last` is kept here
    Progress progress;
    bool store_fails = false;  // as in CompetitionRunner
  };
  // The result of a step.
  struct Outcome {
    Instant next;                    // when the next step is due
    bool takes_next_places = false;  // lower priorities yield
    bool refused = false;            // the store refused a change
  };

  // Implements CompetitionRunner::Environment::post_played.
  void PostPlayed(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // Stores the end of a match for the next step of its competition.
  void Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // Polls the store if that is due, then gives each competition a step.
  void Step();
  void LookIfDue();
  // Records the result of a poll, and logs it if it changed.
  void NoteLook(const absl::Status& looked);
  // Returns the competitions that run here, with the events since their last step, in the order in
  // which they take free slots. Equals are ordered by age, oldest first.
  std::vector<std::pair<store::CompetitionId, Known>> TakeNews();
  // `may_begin` and `yields` are those of CompetitionRunner::Step.
  Outcome StepOf(const store::CompetitionId& id, Known news, bool may_begin, bool yields);
  absl::Status LookAtStore();
  void TakeUp(const FleetLook& look);
  void PlanNextLook(const FleetLook& look);
  // Schedules a step at `when`, unless an earlier one is scheduled.
  void WakeAt(Instant when) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Blocks until `done` returns true or the loop is closed, for at most `limit`. Returns false on
  // timeout.
  bool Await(absl::Duration limit, absl::FunctionRef<bool()> done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether matches have ended here whose ends may be missing from the store.
  bool HasEnds() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  CompetitionRunner::Environment environment_;  // complete when opened; then constant
  WatchDelays watch_delays_;
  Watches watches_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool settled_ ABSL_GUARDED_BY(mutex_) = false;  // draining, and no hand-over is pending
  // The address where bots dial this referee; empty: unknown.
  std::string address_ ABSL_GUARDED_BY(mutex_);
  bool look_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool asked_ ABSL_GUARDED_BY(mutex_) = false;     // a step is queued on the executor
  bool stepping_ ABSL_GUARDED_BY(mutex_) = false;  // the step is running
  bool wanted_ ABSL_GUARDED_BY(mutex_) = false;    // an event has arrived since it began
  Instant wake_at_ ABSL_GUARDED_BY(mutex_) = Instant::InfiniteFuture();
  std::map<store::CompetitionId, Known> known_ ABSL_GUARDED_BY(mutex_);
  Instant lease_end_ ABSL_GUARDED_BY(mutex_);          // of fleet_
  int64_t leases_lost_ ABSL_GUARDED_BY(mutex_) = 0;    // of fleet_
  bool store_silent_ ABSL_GUARDED_BY(mutex_) = false;  // as of the latest poll

  // Used in steps only.
  uint64_t step_ = 0;
  Instant next_look_;
  Instant last_look_;
  Fleet fleet_;
  bool lease_held_ = false;  // as last logged
  bool drained_at_last_look_ = false;

  host::Timer timer_;  // last member: its callback uses the others
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_LOOP_H_
