// The scheduling loop of all competitions that go on in a process: it lets each take its step
// (runner.h) when something has happened or its time has come, and tells who watches. One step at a
// time, on the executor; whoever wakes it returns at once.
//
// From time to time it looks at the store: renews its lease, takes competitions that it is to be
// the home of (homes.h), claims what others have left there, and refers bots to the homes of the
// others (referrals.h).
//
// Code: competition_loop.cc has the steps, competition_look.cc the looks.
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
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/competition/held_lease.h"
#include "referee/competition/homes.h"
#include "referee/competition/referrals.h"
#include "referee/competition/runner.h"
#include "referee/competition/watch_delays.h"
#include "referee/host/timers.h"
#include "referee/store/store.h"

namespace referee::competition {

// How the competitions of a process fare together.
struct Vitals {
  int64_t homed = 0;               // that go on and live here
  int64_t blocks_uncounted = 0;    // over, and waiting for others before they count
  absl::Duration lease_remaining;  // by the own clock; zero: it has lapsed, or none was needed
  int64_t leases_lost = 0;         // that another daemon has ended, since the start
};

// Thread-safe. Held by a shared pointer: timers and work that is on its way may outlive Close.
class CompetitionLoop : public std::enable_shared_from_this<CompetitionLoop> {
 public:
  // `environment` has all but the host, the lease and `post`. Everything must outlive Close.
  // `owner`, `lease` and `former` as in CompetitionsOptions.
  CompetitionLoop(CompetitionRunner::Environment environment, std::string owner,
                  absl::Duration lease, std::vector<std::string> former, host::Timers* timers,
                  host::Executor* executor);

  // See Competitions.
  absl::Status Open(host::Host* host);
  void MatchFinished(const host::MatchRunner& runner);
  void Wake();
  void Drain();
  bool AwaitHandOver(absl::Duration limit);
  bool AwaitEnds(absl::Duration limit);
  void Close();
  void Advertise(std::string address);
  host::Referral ReferralOf(absl::string_view bot) const;
  Vitals vitals() const;

  // The competition was changed in the store: by a call, or by another daemon.
  void Changed(const store::Competition& competition);
  // Of all competitions that are not finished, those that were changed here, and those that were
  // noted.
  WatchDelays& watch_delays() { return watch_delays_; }
  const WatchDelays& watch_delays() const { return watch_delays_; }
  // See CompetitionRunner. Waits for a step that is being taken.
  absl::Status GiveUp(const store::CompetitionId& id, int64_t number, const std::string& reason,
                      const store::AuditEntry& audit);
  // None when the competition does not go on. Of one that lives elsewhere what the store says.
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
    Planner::Progress progress;
    int64_t changes = 0;  // CompetitionRunner::changes
  };
  // What has happened to a competition since its last step.
  struct News {
    store::CompetitionId id;
    std::shared_ptr<Entry> entry;
    bool stale = false;
    MatchEnds ends;
    Precedence precedence;
    Home home;
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
    bool refused = false;            // something, by the store
  };

  // Null when the competition does not go on here.
  std::shared_ptr<Entry> EntryOf(const store::CompetitionId& id) const;
  // As CompetitionRunner::Environment::post_played.
  void PostPlayed(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // Keeps the end of a match for the next step of its competition.
  void Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end);
  // A step of each competition, and before it, when that is due, a look at the store.
  void Step();
  void LookIfDue();
  // In the order in which they take free places; of those that are level the oldest first.
  std::vector<News> TakeNews();
  Outcome StepOf(News news, Begins begins);
  // competition_look.cc
  // Says that this daemon is there, takes homes, and blocks of those that are gone, and looks for
  // what others have made or changed.
  absl::Status LookAtStore();
  // What a look has found.
  struct Look {
    std::vector<store::Competition> competitions;  // that go on
    std::vector<store::Daemon> daemons;
    std::vector<store::Block> claimed;
    bool in_doubt = false;  // more may have been claimed
  };
  // Renews the lease, says what is new of this daemon, and gets what a former process left.
  absl::StatusOr<store::Lease> KeepLease(Look* look);
  absl::Status Announce(const store::Lease& lease);
  absl::Status TakeHomes(const store::Lease& lease, Look* look);
  void TakeUp(const Look& look);
  // Cancels the matches that a former process left of blocks that others have claimed since.
  absl::Status CancelWhatOthersHave();
  Home HomeIn(const Look& look, const store::Competition& competition) const;
  void LogMove(const store::Competition& competition, const Home& before, const Home& home) const;
  void PlanNextLook(const Look& look);
  // Tells bots where their competitions live, and where else they may dial, if that has changed.
  absl::Status Refer(const Look& look);
  absl::StatusOr<std::vector<HousedCompetition>> Housed(const Look& look);
  HousedCompetition HousedAs(const Look& look, const store::Competition& competition,
                             std::vector<std::string> bots) const;
  void TellWhoIsReferredInVain(absl::Span<const HousedCompetition> competitions) const;
  void Tell(log::Level level, absl::string_view event, absl::string_view line) const;
  // Takes a turn at `when`, or earlier if that was asked for.
  void WakeAt(Instant when) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether matches have ended here of which the store may not know the end yet.
  bool HasEnds() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Tell(const store::CompetitionId& id);

  CompetitionRunner::Environment environment_;  // complete when opened; then constant
  host::Executor* const executor_;
  WatchDelays watch_delays_;

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
  Instant lease_end_ ABSL_GUARDED_BY(mutex_);        // of lease_
  int64_t leases_lost_ ABSL_GUARDED_BY(mutex_) = 0;  // the same

  // Touched in steps only.
  uint64_t step_ = 0;
  Instant next_look_;
  Instant last_look_;
  bool look_failed_ = false;
  HeldLease lease_;
  bool lease_held_ = false;  // as it was logged last
  int64_t announced_term_ = 0;
  std::string announced_address_;
  bool announced_draining_ = false;
  bool drained_at_last_look_ = false;
  Homes homes_;
  // Who is in, of each competition, and of which of its versions.
  std::map<store::CompetitionId, std::pair<int64_t, std::vector<std::string>>> in_;
  std::vector<std::string> former_;  // whose blocks were not taken over yet
  bool claim_failed_ = false;        // and may have happened

  mutable Mutex referral_mutex_;
  Referrals referrals_ ABSL_GUARDED_BY(referral_mutex_);
  std::vector<std::string> others_ ABSL_GUARDED_BY(referral_mutex_);  // addresses of other daemons

  Mutex watch_mutex_;
  int64_t last_watch_ ABSL_GUARDED_BY(watch_mutex_) = 0;
  std::map<int64_t, std::pair<store::CompetitionId, std::function<void()>>> watches_
      ABSL_GUARDED_BY(watch_mutex_);

  host::Timer timer_;  // the last member, as its call uses the others
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_LOOP_H_
