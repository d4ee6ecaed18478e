// Tournaments and ladders between bots, made, started and watched by organisers and played on a
// Host. All that counts is kept in a Store, so that another process can go on with it. What
// organisers and bots may rely on is stated in COMPETITION.md.
//
//   Competitions competitions({&clock, &timers, &executor, &store, ...});
//   host_options.on_finished = [&](const MatchRunner& runner, const absl::Status& sealed) {
//     competitions.MatchFinished(runner, sealed);
//   };
//   host_options.on_connection = [&](absl::string_view) { competitions.Wake(); };
//   Host host(host_options);
//   ...                                    // what an earlier process left is resumed
//   competitions.Open(&host);              // goes on with what is not finished
//   competitions.Create(spec, "request-1", "local").value();
//   competitions.Start("spring", "local").value();
//   ...
//   competitions.Drain();                  // before the host's
//   host.Drain(...);
//   competitions.Close();
//
// Work is done in steps on the Executor, one at a time. Calls read the store, or change it, on the
// thread that calls, for as long as the disk takes; a step then finds what they changed.
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
// A find_replay that reads `archive`, and asks `kept` for what is not there yet.
FindReplay ReadsArchive(replay::Archive archive, FindReplay kept);

// Also the board of how things are. Thread-safe. Every call that names a competition returns
// NotFound when there is none, and what the store says when it cannot be read or written.
class Competitions : public Board {
 public:
  explicit Competitions(CompetitionsOptions options);
  // Closes, if that was not done.
  ~Competitions();
  Competitions(const Competitions&) = delete;
  Competitions& operator=(const Competitions&) = delete;

  // --- The process ---

  // Goes on with everything in the store that is not finished. To be called once, when the host
  // has resumed and remembered what an earlier process left, and before bots are attached. `host`
  // must outlive Close. Returns what the store says; competitions that cannot go on, because what
  // they ask for is not known here any more, are logged and left as they are.
  absl::Status Open(host::Host* host);
  // A match has ended: the host's on_finished. Ignored if it is in no competition. May be called
  // before Open.
  void MatchFinished(const host::MatchRunner& runner, const absl::Status&) {
    loop_->MatchFinished(runner);
  }
  // Bots have come or gone. Cheap; may be called before Open.
  void Wake() { loop_->Wake(); }
  // Has other daemons take what lives here, and begins blocks until they have, or there is none, or
  // AwaitHandOver has waited in vain; counts what is still played as long as none has taken it.
  void Drain() { loop_->Drain(); }
  // After Drain: waits until nothing lives here any more, or no other daemon is there, for so long
  // at most. Returns false when that was not enough.
  bool AwaitHandOver(absl::Duration limit) { return loop_->AwaitHandOver(limit); }
  // After the host has drained: waits until the store knows the ends of all matches that were
  // played here, for so long at most. Otherwise another daemon may take over a block that was
  // played, and play it again. Returns false when that was not enough.
  bool AwaitEnds(absl::Duration limit) { return loop_->AwaitEnds(limit); }
  // Says where bots dial this daemon: then it takes competitions, and the bots of the others are
  // told of it, also while nothing goes on here. Without it others know no address of it.
  void Advertise(std::string address) { loop_->Advertise(std::move(address)); }
  // Returns when no step is being worked on; none is after it. What is open stays so in the store.
  void Close() { loop_->Close(); }

  // How it fares, for who watches the process.
  Vitals vitals() const { return loop_->vitals(); }

  // --- For organisers; `who` is named in the audit log ---

  // Makes a competition. What the spec leaves out is filled in: options, time control and policies
  // by their defaults. A second call with the same non-empty request_id returns the first
  // competition if it asks for the same. Returns InvalidArgument that names the field, or
  // AlreadyExists. Whether entrants have accounts is not asked: those that never come are waited
  // for as any other. `dice_seed`: of a pinned one; not set: it is drawn.
  absl::StatusOr<CompetitionView> Create(schedule::Spec spec, absl::string_view request_id,
                                         absl::string_view who,
                                         const absl::optional<dice::Seed>& dice_seed = {});
  // Each returns FailedPrecondition that says in which state it is, when that does not allow it.
  absl::StatusOr<CompetitionView> Start(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Pause(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Resume(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Finish(absl::string_view name, absl::string_view who);

  // Gives a competition the spec that `change` makes of the one that it has, which is without
  // positions; changes what may change (CheckMayChange), and leaves the rest. `change` may be
  // called again when others change the competition meanwhile. Returns what `change`, Settle and
  // ChangeText do, and AlreadyExists when another has the name.
  absl::StatusOr<CompetitionView> Update(absl::string_view name,
                                         absl::FunctionRef<absl::Status(schedule::Spec*)> change,
                                         absl::string_view who);

  // Gives a block up that is open, stuck or not: its matches are cancelled, and it is VOID, which
  // is nobody's loss; it counts if all of them have results by then. That has happened soon after
  // this returns. Returns InvalidArgument for a reason that is empty or too long;
  // FailedPrecondition when the block is not open or is another referee's, and in which state the
  // competition is, when that does not allow it.
  absl::StatusOr<CompetitionView> DropBlock(absl::string_view name, int64_t number,
                                            absl::string_view reason, absl::string_view who);

  // Begins the next season of a ladder: another entrant takes the place of each bot that is in. A
  // second call with the same non-empty request_id changes nothing. Returns FailedPrecondition for
  // other formats, and unless it is RUNNING or PAUSED.
  absl::StatusOr<CompetitionView> BeginSeason(absl::string_view name, absl::string_view request_id,
                                              absl::string_view who);
  // A bot was given another version in the store (Store::SetVersion): goes on with its new
  // entrants. Without this call that is noticed some seconds later.
  void VersionChanged(absl::string_view bot);
  // Forgets it, with its blocks; replays stay. Returns FailedPrecondition unless it is NEW or
  // FINISHED, and while its replays are to be kept.
  absl::Status Remove(absl::string_view name, absl::string_view who);

  // --- For organisers, and for bots themselves ---

  // Enters a bot into a ladder, or lets it come back. Returns FailedPrecondition for other formats
  // and when it is FINISHING or FINISHED, InvalidArgument for a name that no bot can have.
  absl::StatusOr<CompetitionView> Join(absl::string_view name, absl::string_view bot,
                                       absl::string_view who);
  // Takes a bot out: it plays to the end what has begun. Returns NotFound when it is no entrant,
  // FailedPrecondition when the competition is FINISHED.
  absl::StatusOr<CompetitionView> Leave(absl::string_view name, absl::string_view bot,
                                        absl::string_view who);

  // --- For everybody; and see Board ---

  // What onlookers may be told.
  const Board& told() const { return told_; }
  // How much later onlookers are told of a match that was made by the call of this request id; 0
  // unless a competition made it. From memory: what another process changes is heard some seconds
  // later.
  absl::Duration WatchDelayOf(absl::string_view request_id) const;
  // Whether there is a competition with a delay at all.
  bool any_watch_delay() const { return loop_->watch_delays().any(); }

  // Calls `changed` whenever something of what Get and Standings say may have changed, on any
  // thread. `changed` must be short and not call back here. It is not called any more when Unwatch
  // returns.
  using WatchId = int64_t;
  struct Watched {
    WatchId watch = 0;
    store::CompetitionId competition;  // that has the name now
  };
  absl::StatusOr<Watched> Watch(absl::string_view name, std::function<void()> changed);
  void Unwatch(WatchId id) { loop_->watches().Remove(id); }

 private:
  Competitions(CompetitionsOptions options, std::shared_ptr<CompetitionLoop> loop);
  // Reads those that are finished, too.
  absl::Status NoteWatchDelays();
  // Changes a competition by what `write` does in the store; again when that is Aborted, since
  // others have changed it meanwhile.
  absl::StatusOr<CompetitionView> Amend(
      absl::string_view name,
      absl::FunctionRef<absl::StatusOr<store::Competition>(const store::Competition&)> write);
  absl::StatusOr<CompetitionView> Change(absl::string_view name,
                                         absl::Span<const store::CompetitionState> from,
                                         store::CompetitionState to, absl::string_view action,
                                         absl::string_view who, absl::string_view hint);
  store::AuditEntry Audit(absl::string_view who, absl::string_view action,
                          absl::string_view subject, absl::string_view detail) const;
  // An id that comes after all that were made before, also in the same millisecond.
  store::CompetitionId NewId(absl::Time now);

  const CompetitionsOptions options_;
  const std::shared_ptr<CompetitionLoop> loop_;
  ToldStore told_store_;
  Board told_;
  Mutex mutex_;
  absl::Time last_id_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();  // when the last was made
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITIONS_H_
