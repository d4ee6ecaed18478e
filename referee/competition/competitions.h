// The competitions of a process: organisers create, start and watch them; a Host plays the matches.
//
// All durable state is in a Store, so another process can continue. COMPETITION.md says what
// organisers and bots may rely on.
//
//   Competitions competitions({&clock, &timers, &executor, &store, ...});
//   host_options.on_finished = [&](const MatchRunner& runner, const absl::Status& sealed) {
//     competitions.MatchFinished(runner, sealed);
//   };
//   host_options.on_connection = [&](absl::string_view) { competitions.Wake(); };
//   Host host(host_options);
//   ...                                    // resume the matches of an earlier process
//   competitions.Open(&host);              // continues unfinished competitions
//   competitions.Create(spec, "request-1", "local").value();
//   competitions.Start("spring", "local").value();
//   ...
//   competitions.Drain();                  // before the host's
//   host.Drain(...);
//   competitions.Close();
//
// Scheduling runs in steps on the Executor, one at a time. Calls read and write the store on the
// calling thread, for as long as the disk takes; the next step picks up their changes.
#ifndef REFEREE_COMPETITION_COMPETITIONS_H_
#define REFEREE_COMPETITION_COMPETITIONS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/competition/board.h"
#include "referee/competition/competition_loop.h"
#include "referee/competition/shared_replays.h"
#include "referee/competition/told_store.h"
#include "referee/dice/dice.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/replay/archive.h"
#include "referee/replay/replay.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

using FindReplay = std::function<absl::StatusOr<replay::Replay>(const MatchId&)>;
// Returns a find_replay that reads `archive`, and asks `kept` for replays not archived yet.
FindReplay ReadsArchive(replay::Archive archive, FindReplay kept);

// Includes the board of the current state. Thread-safe. Every call that names a competition returns
// NotFound if it does not exist, and the store's error if the store cannot be read or written.
class Competitions : public Board {
 public:
  explicit Competitions(CompetitionsOptions options);
  // Calls Close.
  ~Competitions();
  Competitions(const Competitions&) = delete;
  Competitions& operator=(const Competitions&) = delete;

  // --- The process ---

  // Continues all unfinished competitions in the store. Call once, after the host has resumed the
  // matches of an earlier process, and before bots are attached. `host` must outlive Close. Returns
  // the store's error. Competitions that cannot continue, because this referee no longer knows what
  // they ask for, are logged and left as they are.
  absl::Status Open(host::Host* host);
  // The host's on_finished: records the end of a match. Ignores matches of no competition. May be
  // called before Open.
  void MatchFinished(const host::MatchRunner& runner, const absl::Status&) {
    loop_->MatchFinished(runner);
  }
  // Call when bots have connected or disconnected. Cheap; may be called before Open.
  void Wake() { loop_->Wake(); }
  // Offers all competitions owned by this referee to the others. Keeps scheduling them until
  // another referee takes over, no other referee exists, or AwaitHandOver times out. After that it
  // counts running blocks for as long as no other referee has taken over.
  void Drain() { loop_->Drain(); }
  // After Drain: blocks until no competition is owned here or no other referee exists, for at most
  // `limit`. Returns false on timeout.
  bool AwaitHandOver(absl::Duration limit) { return loop_->AwaitHandOver(limit); }
  // After the host has drained: blocks until the store has the ends of all matches played here, for
  // at most `limit`. Otherwise another referee may take over a block that was played, and repeat
  // it. Returns false on timeout.
  bool AwaitEnds(absl::Duration limit) { return loop_->AwaitEnds(limit); }
  // Sets the address where bots dial this referee. From then on this referee takes competitions,
  // and other referees pass the address to their bots, even while nothing runs here. Without it
  // they know no address of this referee.
  void Advertise(std::string address) { loop_->Advertise(std::move(address)); }
  // Stops scheduling. No step runs when this returns, or later. Open blocks stay open in the store.
  void Close() { loop_->Close(); }

  // Health figures for operators.
  Vitals vitals() const { return loop_->vitals(); }

  // --- For organisers; `who` is named in the audit log ---

  // Creates a competition, and fills in options, time control and policies that the spec leaves
  // out. A second call with the same non-empty `request_id` and the same request returns the first
  // competition. Returns InvalidArgument that names the field, or AlreadyExists. Does not check
  // whether entrants have accounts; a missing bot is waited for like any other. `dice_seed`: of a
  // pinned competition; not set: drawn here.
  absl::StatusOr<CompetitionView> Create(schedule::Spec spec, absl::string_view request_id,
                                         absl::string_view who,
                                         const absl::optional<dice::Seed>& dice_seed = {});
  // Each returns FailedPrecondition that names the state if the state does not allow the call.
  absl::StatusOr<CompetitionView> Start(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Pause(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Resume(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Finish(absl::string_view name, absl::string_view who);

  // Updates the spec. `change` receives the current spec without positions. Only the fields that
  // CheckMayChange allows are changed. If another caller changes the competition meanwhile,
  // `change` is called again. Returns the errors of `change`, Settle and ChangeText, and
  // AlreadyExists if the name is taken.
  absl::StatusOr<CompetitionView> Update(absl::string_view name,
                                         absl::FunctionRef<absl::Status(schedule::Spec*)> change,
                                         absl::string_view who);

  // Gives up an open block: cancels its matches and makes it VOID. If all its matches have results
  // by then, the block counts. This takes effect soon after the call returns. Returns
  // InvalidArgument for a `reason` that is empty or too long. Returns FailedPrecondition if the
  // block is not open, belongs to another referee, or the state of the competition does not allow
  // it.
  absl::StatusOr<CompetitionView> DropBlock(absl::string_view name, int64_t number,
                                            absl::string_view reason, absl::string_view who);

  // Begins the next season of a ladder: replaces the entrant of each bot that is in. A second call
  // with the same non-empty `request_id` changes nothing. Returns FailedPrecondition for other
  // formats, and unless the ladder is RUNNING or PAUSED.
  absl::StatusOr<CompetitionView> BeginSeason(absl::string_view name, absl::string_view request_id,
                                              absl::string_view who);
  // Call when a bot has a new version in the store (Store::SetVersion), so that its new entrants
  // play. Without this call they are noticed at the next poll, some seconds later.
  void VersionChanged(absl::string_view bot);
  // Deletes the competition with its blocks; replays stay. Returns FailedPrecondition unless it is
  // NEW or FINISHED, and while its replays are to be kept.
  absl::Status Remove(absl::string_view name, absl::string_view who);

  // --- For organisers, and for bots themselves ---

  // Enters a bot into a ladder, or readmits it. Returns FailedPrecondition for other formats and if
  // the ladder is FINISHING or FINISHED, InvalidArgument for an invalid name of a bot.
  absl::StatusOr<CompetitionView> Join(absl::string_view name, absl::string_view bot,
                                       absl::string_view who);
  // Withdraws a bot; blocks that have begun are played to the end. Returns NotFound if the bot is
  // not an entrant, FailedPrecondition if the competition is FINISHED.
  absl::StatusOr<CompetitionView> Leave(absl::string_view name, absl::string_view bot,
                                        absl::string_view who);

  // --- For all callers; see also Board ---

  // A board that shows observers published results only.
  const Board& told() const { return told_; }
  // Returns the watch delay of a match with this request id; 0 if no competition made the match.
  // Reads memory only: a change by another process arrives some seconds later.
  absl::Duration WatchDelayOf(absl::string_view request_id) const;
  // Whether any competition has a watch delay.
  bool any_watch_delay() const { return loop_->watch_delays().any(); }

  // Calls `changed`, on any thread, whenever a result of Get or Standings may have changed.
  // `changed` must be short and must not call back. It is not called after Unwatch returns. Returns
  // NotFound, or the error of Watches::Add.
  using WatchId = int64_t;
  struct Watched {
    WatchId watch = 0;
    store::CompetitionId competition;  // the one that has the name now
  };
  absl::StatusOr<Watched> Watch(absl::string_view name, std::function<void()> changed);
  void Unwatch(WatchId id) { loop_->watches().Remove(id); }

 private:
  Competitions(CompetitionsOptions options, std::shared_ptr<CompetitionLoop> loop);
  // Notes the delays of all competitions, finished ones included.
  absl::Status NoteWatchDelays();
  // Changes a competition by `write`, and returns its new view. Calls `write` again when it returns
  // Aborted, since another caller changed the competition meanwhile.
  absl::StatusOr<CompetitionView> Amend(
      absl::string_view name,
      absl::FunctionRef<absl::StatusOr<store::Competition>(const store::Competition&)> write);
  absl::StatusOr<CompetitionView> Change(absl::string_view name,
                                         absl::Span<const store::CompetitionState> from,
                                         store::CompetitionState to, absl::string_view action,
                                         absl::string_view who, absl::string_view hint);
  store::AuditEntry Audit(absl::string_view who, absl::string_view action,
                          absl::string_view subject, absl::string_view detail) const;
  // Returns an id later than all earlier ones, even within the same millisecond.
  store::CompetitionId NewId(absl::Time now);

  const CompetitionsOptions options_;
  const std::shared_ptr<CompetitionLoop> loop_;
  ToldStore told_store_;
  Board told_;
  Mutex mutex_;
  absl::Time last_id_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();  // of the latest NewId
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITIONS_H_
