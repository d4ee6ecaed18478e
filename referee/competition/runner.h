// Runs one competition in steps: carries out the decisions of a Planner (planner.h).
//
// A step writes the ends of matches, the counted blocks and the blocks to begin, in one
// transaction. Then it requests the matches of begun blocks from the host, under a name that makes
// them once. The store is authoritative: when it refuses a change because of another writer, the
// runner reads everything again.
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

// Returns how a match ended. REQUIRES: runner.ended(). Call within MatchRunner::Inspect or the
// like.
MatchEnd EndOf(const host::MatchRunner& runner);

// The error of a referee that has not read the competition yet, or does not run it.
absl::Status NotTakenUp(absl::string_view competition);

struct CompetitionsOptions {
  // All must outlive the competitions.
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  host::Executor* executor = nullptr;
  store::Store* store = nullptr;
  // Fills the span with unpredictable bytes, for the ids of competitions.
  std::function<void(absl::Span<uint8_t>)> entropy;
  // The name of this referee in the store. Unique, and new after each restart.
  std::string owner;
  // The length of the lease; it counts from each renewal. REQUIRES: from limits::kMinBlockLease to
  // kMaxBlockLease.
  absl::Duration lease = limits::kBlockLease;
  // Earlier names of this referee, whose blocks it takes over unchanged. REQUIRES: no process uses
  // these names any more, and the log and the archive of those processes are here.
  std::vector<std::string> former;
  // Returns the replay of a match that an earlier process ended, even if it is not archived yet;
  // NotFound if there is none. Thread-safe. See ReadsArchive.
  std::function<absl::StatusOr<replay::Replay>(const MatchId&)> find_replay;
  // If set, the fleet shares the replays of competitions. The end of a match counts once its replay
  // is uploaded, and a replay that is not found here is looked for there.
  SharedReplays* shared_replays = nullptr;
  // The limit of block numbers in each competition. A competition that reaches it stops; it
  // continues when the referee runs with a higher limit.
  int64_t max_blocks = limits::kMaxBlocks;
  // Receives log events (log/LOG.md). May be null.
  log::Log log;
  // Called after each poll of the store with all referees in it, including this one. May be null.
  std::function<void(absl::Span<const store::Daemon>)> on_daemons;
  // Called after the store was asked to change a competition, with its answer and the time taken.
  // May be null. Thread-safe.
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
    // Delivers the end of a match to MatchEnded, before a later step. Called on any thread.
    std::function<void(const store::CompetitionId&, const MatchId&, MatchEnd)> post = nullptr;
    // Like `post`, for a match that this referee has played. If replays are shared, its block
    // counts only after the upload of its replay.
    std::function<void(const store::CompetitionId&, const MatchId&, MatchEnd)> post_played =
        nullptr;
  };

  // `environment` must outlive this object. The first step reads the competition.
  CompetitionRunner(store::CompetitionId id, const Environment* environment);

  // See Planner.
  void MatchEnded(const MatchId& match, MatchEnd end) {
    planner_.MatchEnded(match, std::move(end));
  }
  void Reread() { planner_.Reread(); }
  void LivesAt(const Home& home) { planner_.LivesAt(home); }
  // Whether nothing is left to do: see Planner::idle, or the competition was removed from the
  // store.
  bool idle() const { return gone_ || planner_.idle(); }
  const schedule::Schedule* schedule() const { return planner_.schedule(); }

  // Does all that can be done now; without a lease, only reads. Begins blocks only if `may_begin`,
  // and not if it `yields` to another competition. Returns when the next step is due at the latest.
  Instant Step(bool may_begin, bool yields = false);
  // Gives a block up (Planner::GiveUp) in the next step, for `reason`, once `audit` is in the
  // store. A match of the block that the host does not know counts as lost. Returns the error that
  // prevents this.
  absl::Status GiveUp(int64_t number, const std::string& reason, const store::AuditEntry& audit);
  // Whether the store refused a change in the last step, for example because the lease has ended.
  bool refused() const { return refused_; }
  // Whether a change failed because of a fault of the store, and no success since shows that the
  // store accepts changes again.
  bool store_fails() const { return store_fails_; }
  // Whether blocks were begun in the last step.
  bool began() const { return began_; }
  // As of the last step; see Planner.
  bool takes_next_places() const { return !failed_ && planner_.takes_next_places(); }

  // The progress as of the last step.
  Progress progress();

 private:
  // The parts of a step. Parts that return nothing report errors by Fail.
  void Cancel(const std::vector<Cancellation>& cancellations);
  // Reads the changes by other referees, if that is due.
  void LookAtOthers();
  // At a helper: reads the blocks that it was given.
  absl::Status LookAtGiven();
  // At the owner: reads the results of blocks that other referees play, and the offers of helpers.
  absl::Status LookAtForeign();
  // Writes what this helper can play for the owner, if the offer has changed or is old.
  void Offer();
  void MakeBlocks();
  absl::Status Make(int64_t number);
  void TakeOut();
  // Readmits suspended bots that have answered, and pings the others.
  void BringBack();
  void FinishIfDone();
  // Returns false if the store refused the changes.
  bool Apply(const std::vector<store::Change>& changes);

  absl::Status Load();
  // At the owner, reads the schedule too, which it needs.
  absl::Status ReadBlocks(const store::Competition& row,
                          const std::vector<store::Entrant>& entrants, StoredCompetition* stored);
  // Looks up how those of the matches ended that are over.
  absl::Status LookUp(const std::vector<MatchId>& matches);
  absl::Status LookUp(const MatchId& match);
  // Returns the end of a match from its replay. The match is void if `replay` is NotFound or cannot
  // be read. Returns any other error.
  static absl::StatusOr<MatchEnd> EndIn(const MatchId& match,
                                        const absl::StatusOr<replay::Replay>& replay);

  // Looks for the replay of a match in the replay store of the fleet.
  void LookElsewhere(const MatchId& match);
  // Why a finished block does not count for want of an upload; empty if no block waits for one.
  std::string WaitsForSharing() const;

  // Whether the lease was renewed since the last trouble, so the store accepts changes again.
  bool StoreAnswersAgain() const { return environment_.held_lease->end() > trouble_under_; }
  void Refused(const absl::Status& why);
  // Ends the work of this step after an error. Retries later, with a growing delay.
  void Fail(const absl::Status& why);
  void Recover();
  void Tell(log::Level level, absl::string_view event, absl::string_view line) const;

  const store::CompetitionId id_;
  const Environment& environment_;
  Planner planner_;
  std::string name_;  // once read; for people
  CompetitionTerms terms_;

  int64_t changes_ = 0;                  // as in Progress
  bool gone_ = false;                    // the competition was removed from the store
  bool failed_ = false;                  // this step met an error
  bool refused_ = false;                 // the store refused a change of this step
  bool began_ = false;                   // this step began blocks
  bool wrote_ = false;                   // this step wrote to the store
  bool store_fails_ = false;             // as store_fails() says
  int refusals_ = 0;                     // refusals by the store in a row
  std::string trouble_;                  // why nothing can be done now; for people
  absl::Duration patience_;              // the delay after the next trouble
  Instant not_before_;                   // no step before this time
  bool awaits_store_ = false;            // unless the store answers again first
  Instant trouble_under_;                // the end of the lease at the last trouble
  Instant look_at_others_;               // when the next look is due
  std::vector<store::Help> help_;        // the offers of helpers, as last read; at the owner
  absl::optional<store::Help> offered_;  // the offer in the store; at a helper
  Instant offer_anew_;                   // when a changed offer may be written
  Instant offer_again_;                  // when an unchanged offer is written again
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RUNNER_H_
