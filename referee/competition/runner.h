// Runs one competition, in steps: carries out on a host and a store what a Planner (planner.h)
// decides. A step writes which matches have ended, what is counted and which blocks begin, in one
// transaction; then it asks the host for the matches of what has begun, by a name that makes them
// once. The store is the truth: whenever it refuses a change because somebody else has made one,
// all is read again.
#ifndef REFEREE_COMPETITION_RUNNER_H_
#define REFEREE_COMPETITION_RUNNER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/competition/held_lease.h"
#include "referee/competition/planner.h"
#include "referee/competition/shared_replays.h"
#include "referee/competition/terms.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/replay/replay.h"
#include "referee/store/store.h"

namespace referee::competition {

// How a match ended. REQUIRES: runner.ended(). For MatchRunner::Inspect and its like.
MatchEnd EndOf(const host::MatchRunner& runner);

// A referee has not read the competition yet, or does not run it.
absl::Status NotTakenUp(absl::string_view competition);

struct CompetitionsOptions {
  // All must outlive the competitions.
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  host::Executor* executor = nullptr;
  store::Store* store = nullptr;
  // Fills the span with unpredictable bytes: ids of competitions come from it.
  std::function<void(absl::Span<uint8_t>)> entropy;
  // Names this referee to the store, as no other has it, nor has this one had it before it was
  // started again.
  std::string owner;
  // How long what it has is its own after it last told the store that it is there. REQUIRES: from
  // limits::kMinBlockLease to kMaxBlockLease.
  absl::Duration lease = limits::kBlockLease;
  // The names that it had before, whose blocks it takes over as they are. REQUIRES: they are gone,
  // and what they had in the log and the archive is here.
  std::vector<std::string> former;
  // The replay of a match that an earlier process ended, also if it could not be archived yet;
  // NotFound if there is none.
  // Thread-safe. See ReadsArchive.
  std::function<absl::StatusOr<replay::Replay>(const MatchId&)> find_replay;
  // Set: replays of competitions' matches are shared by a fleet. The end of a match counts once its
  // replay is there, and what is not found here is looked for there.
  SharedReplays* shared_replays = nullptr;
  // So many blocks of each competition begin, and no more: with another number it goes on later.
  int64_t max_blocks = limits::kMaxBlocks;
  // Takes events (log/LOG.md). May be null.
  log::Log log;
  // Called with each look at the store, with all referees that it names, this one among them. May
  // be null.
  std::function<void(absl::Span<const store::Daemon>)> on_daemons;
  // Called when the store has been asked for changes of a competition, with what it said and how
  // long that took. May be null. Thread-safe.
  std::function<void(absl::Span<const store::Change> changes, const absl::Status& done,
                     absl::Duration took)>
      on_applied;
};

// Thread-compatible.
class CompetitionRunner {
 public:
  struct Environment : CompetitionsOptions {
    host::Host* host = nullptr;
    const HeldLease* held_lease = nullptr;
    // Brings how a match of a competition ended to MatchEnded, before a step to come. Called on any
    // thread.
    std::function<void(const store::CompetitionId&, const MatchId&, MatchEnd)> post = nullptr;
    // The same, of a match that this referee has played; if replays are shared its block counts
    // once its own is.
    std::function<void(const store::CompetitionId&, const MatchId&, MatchEnd)> post_played =
        nullptr;
  };

  // `environment` must outlive it. Reads the competition in its first step.
  CompetitionRunner(store::CompetitionId id, const Environment* environment);

  // See Planner.
  void MatchEnded(const MatchId& match, MatchEnd end) {
    planner_.MatchEnded(match, std::move(end));
  }
  void Reread() { planner_.Reread(); }
  void LivesAt(const Home& home) { planner_.LivesAt(home); }
  // Nothing is to be done any more: see Planner, or it was removed from the store.
  bool idle() const { return gone_ || planner_.idle(); }
  const schedule::Schedule* schedule() const { return planner_.schedule(); }

  // Does all that can be done now; nothing but reading without a lease. Begins blocks only if it
  // `may_begin` any, and does not yield to another competition. Returns when the next step is
  // wanted at the latest.
  Instant Step(bool may_begin, bool yields = false);
  // Gives a block up (Planner::GiveUp) in the next step, for this reason, once `audit` is in the
  // store. A match of it that the host does not know counts as lost. Returns what keeps it from
  // that.
  absl::Status GiveUp(int64_t number, const std::string& reason, const store::AuditEntry& audit);
  // The store has refused a change of the last step: perhaps since the lease has ended.
  bool refused() const { return refused_; }
  // Whether a change failed by a fault of the store, and nothing has shown since that it takes
  // changes again.
  bool store_fails() const { return store_fails_; }
  // Blocks were begun in the last step.
  bool began() const { return began_; }
  // As of the last step: see Planner.
  bool takes_next_places() const { return !failed_ && planner_.takes_next_places(); }

  // As of the last step.
  Progress progress();

 private:
  // The parts of a step. Those that return nothing Fail.
  void Cancel(const std::vector<Cancellation>& cancellations);
  // Looks what other daemons have done, when that is due.
  void LookAtOthers();
  // At a helper: what was given to it.
  absl::Status LookAtGiven();
  // At the home: what has become of open blocks of other daemons, and what helpers offer.
  absl::Status LookAtForeign();
  // Tells the home what this daemon can play for it, if that has changed or was said long ago.
  void Offer();
  void MakeBlocks();
  absl::Status Make(int64_t number);
  void TakeOut();
  // Brings back suspended bots that answer, and pings the others.
  void BringBack();
  void FinishIfDone();
  // Returns false when that was refused.
  bool Apply(const std::vector<store::Change>& changes);

  absl::Status Load();
  // With a schedule at its home, which needs one.
  absl::Status ReadBlocks(const store::Competition& row,
                          const std::vector<store::Entrant>& entrants, StoredCompetition* stored);
  // Finds out how those of the matches ended that are over.
  absl::Status LookUp(const std::vector<MatchId>& matches);
  absl::Status LookUp(const MatchId& match);
  // Takes the end of a match from its replay, or what it is when `replay` is NotFound or cannot be
  // read: void. Returns any other error.
  static absl::StatusOr<MatchEnd> EndIn(const MatchId& match,
                                        const absl::StatusOr<replay::Replay>& replay);

  // Looks for the replay of a match where the fleet's are.
  void LookElsewhere(const MatchId& match);
  // Why a block that is over does not count; empty if none waits for that.
  std::string WaitsForSharing() const;

  // Whether the store has renewed the lease since the last trouble: then it takes changes again.
  bool StoreAnswersAgain() const { return environment_.held_lease->end() > trouble_under_; }
  void Refused(const absl::Status& why);
  // Nothing more can be done in this step: tries again later, and later still the next time.
  void Fail(const absl::Status& why);
  void Recover();
  void Tell(log::Level level, absl::string_view event, absl::string_view line) const;

  const store::CompetitionId id_;
  const Environment& environment_;
  Planner planner_;
  std::string name_;  // once it was read; for people
  CompetitionTerms terms_;

  int64_t changes_ = 0;                  // as in Progress
  bool gone_ = false;                    // from the store
  bool failed_ = false;                  // in this step
  bool refused_ = false;                 // something of this step, by the store
  bool began_ = false;                   // blocks, in this step
  bool wrote_ = false;                   // to the store, in this step
  bool store_fails_ = false;             // as store_fails() says
  int refusals_ = 0;                     // by the store, in a row
  std::string trouble_;                  // why nothing can be done now; for people
  absl::Duration patience_;              // after the next trouble
  Instant not_before_;                   // is the next step
  bool awaits_store_ = false;            // or once the store answers again
  Instant trouble_under_;                // the end of the lease when there was trouble last
  Instant look_at_others_;               // is due
  std::vector<store::Help> help_;        // as it was found then, at the home
  absl::optional<store::Help> offered_;  // as the store has it, at a helper
  Instant offer_anew_;                   // is due, if it is another
  Instant offer_again_;                  // the same one is due
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RUNNER_H_
