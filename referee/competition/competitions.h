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
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/competition/competition_loop.h"
#include "referee/competition/evenness.h"
#include "referee/competition/pair_result.h"
#include "referee/competition/rounds.h"
#include "referee/competition/standings.h"
#include "referee/competition/test_points.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/rating/sprt.h"
#include "referee/replay/archive.h"
#include "referee/replay/replay.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

struct CompetitionsOptions {
  // All must outlive the competitions.
  const Clock* clock = nullptr;
  host::Timers* timers = nullptr;
  host::Executor* executor = nullptr;
  store::Store* store = nullptr;
  // Fills the span with unpredictable bytes: ids of competitions come from it.
  std::function<void(absl::Span<uint8_t>)> entropy;
  // Names this referee to the store, as no other has it, the same after a restart.
  std::string owner;
  // The replay of a match that an earlier process ended, also if it could not be archived yet;
  // NotFound if there is none.
  // Thread-safe. See ReadsArchive.
  std::function<absl::StatusOr<replay::Replay>(const MatchId&)> find_replay;
  // Called with log lines for people. May be null. Thread-safe.
  std::function<void(absl::string_view)> log;
};

using FindReplay = std::function<absl::StatusOr<replay::Replay>(const MatchId&)>;
// A find_replay that reads `archive`, and asks `kept` for what is not there yet.
FindReplay ReadsArchive(replay::Archive archive, FindReplay kept);

// How far a test is, over the blocks that are counted.
struct TestView {
  std::string bot;      // whose strength is tested: the first entrant
  std::string against;  // the other
  rating::Sprt sprt;
  int64_t draws = 0;  // matches
};

// A competition as it is now.
struct CompetitionView {
  // With spec.entrants, but in lists. With spec.positions only from Get.
  store::Competition competition;
  int blocks_running = 0;
  // Still to be begun, as far as is known; not set for a ladder, and before it was started.
  absl::optional<int64_t> blocks_left;
  int blocks_lately = 0;  // played to their end in the last ten minutes
  // Why it does not go on, if it does not; for people. Empty: it does, or is not to.
  std::string waits_for;
  // See CompetitionEvenness::Of. Only what Get and Standings return has it.
  absl::optional<schedule::Evenness> evenness;
  absl::optional<TestView> test;  // of a test
};

struct StandingsView {
  CompetitionView view;
  std::vector<Standing> standings;  // best first
  int season = 1;
};

struct CompetitionPage {
  std::vector<CompetitionView> competitions;  // newest first
  // Where the next page begins: the `before` of the next call; not set on the last.
  absl::optional<store::CompetitionId> next;
};

struct BlockPage {
  std::vector<store::Block> blocks;   // by number
  std::vector<std::string> entrants;  // names, by the numbers that pairings have
  std::vector<store::EntrantLabel> labels;
  absl::optional<int64_t> next;  // the `from` of the next call; not set on the last
};

struct PairPage {
  std::vector<PairResult> pairs;      // by the lower, then the higher number of the two
  std::vector<std::string> entrants;  // names, by number
  std::vector<store::EntrantLabel> labels;
  int season = 1;
  // The lower and the higher number in the pair that is the `from` of the next call; not set on the
  // last page.
  absl::optional<std::pair<int, int>> next;
};

// Thread-safe. Every call that names a competition returns NotFound when there is none, and what
// the store says when it cannot be read or written.
class Competitions {
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
  void MatchFinished(const host::MatchRunner& runner, const absl::Status& sealed);
  // Bots have come or gone. Cheap; may be called before Open.
  void Wake();
  // Begins no more blocks; counts those that are still played.
  void Drain();
  // Returns when no step is being worked on; none is after it. What is open stays so in the store.
  void Close();

  // --- For organisers; `who` is named in the audit log ---

  // Makes a competition. What the spec leaves out is filled in: options, time control and policies
  // by their defaults. A second call with the same non-empty request_id returns the first
  // competition if it asks for the same. Returns InvalidArgument that names the field, or
  // AlreadyExists. Whether entrants have accounts is not asked: those that never come are waited
  // for as any other.
  absl::StatusOr<CompetitionView> Create(schedule::Spec spec, absl::string_view request_id,
                                         absl::string_view who);
  // Each returns FailedPrecondition that says in which state it is, when that does not allow it.
  absl::StatusOr<CompetitionView> Start(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Pause(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Resume(absl::string_view name, absl::string_view who);
  absl::StatusOr<CompetitionView> Finish(absl::string_view name, absl::string_view who);

  // Changes who goes first when places become free. Returns InvalidArgument when the priority is
  // out of range, FailedPrecondition when the competition is FINISHED.
  absl::StatusOr<CompetitionView> SetPriority(absl::string_view name, int priority,
                                              absl::string_view who);

  // Begins the next season of a ladder: another entrant takes the place of each bot that is in. A
  // second call with the same non-empty request_id changes nothing. Returns FailedPrecondition for
  // other formats, and unless it is RUNNING or PAUSED.
  absl::StatusOr<CompetitionView> BeginSeason(absl::string_view name, absl::string_view request_id,
                                              absl::string_view who);
  // A bot was given another version in the store (Store::SetVersion): goes on with its new
  // entrants. Without this call that is noticed some seconds later.
  void VersionChanged(absl::string_view bot);
  // Gives it another name. Returns InvalidArgument for a bad one, AlreadyExists when it is taken.
  absl::StatusOr<CompetitionView> Rename(absl::string_view name, absl::string_view new_name,
                                         absl::string_view who);
  // Forgets it, with its blocks; replays stay. Returns FailedPrecondition unless it is NEW or
  // FINISHED.
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

  // --- For everybody ---

  absl::StatusOr<CompetitionView> Get(absl::string_view name) const;
  absl::StatusOr<CompetitionView> Get(const store::CompetitionId& id) const;
  // At most `limit` (1 to limits::kMaxPageSize), newest first, older than `before`; default-made:
  // from the newest. With `format`, only those: then a page may be short, or empty, and not the
  // last.
  absl::StatusOr<CompetitionPage> List(const store::CompetitionId& before, int limit,
                                       absl::optional<schedule::Format> format) const;
  // Of a season of a ladder; 0: of the one that goes on. Fits ratings, on the thread that calls,
  // unless that was done for what is counted now. Returns NotFound when there was no such season.
  absl::StatusOr<StandingsView> Standings(absl::string_view name, int season = 0) const;
  // Of the season that goes on, whatever the competition is called by now.
  absl::StatusOr<StandingsView> Standings(const store::CompetitionId& id) const;
  // At most `limit` (1 to limits::kMaxPageSize) blocks of numbers from `from` on; with a non-empty
  // `bot`, only its own, in all versions and seasons. Returns NotFound when it is no entrant.
  absl::StatusOr<BlockPage> Blocks(absl::string_view name, absl::string_view bot, int64_t from,
                                   int limit) const;
  // At most `limit` (1 to limits::kMaxPageSize) pairs that have met in counted blocks, from the
  // pair `from` of a lower and a higher number on, each from the side of the lower; with a
  // non-empty `bot`, only its own, in all versions, from its side. Of one season: 0 is the one that
  // `from` is in, else the one that goes on. Returns NotFound when the bot is no entrant, or there
  // was no such season; FailedPrecondition when the competition has not two seats.
  absl::StatusOr<PairPage> Pairs(absl::string_view name, absl::string_view bot,
                                 std::pair<int, int> from, int limit, int season = 0) const;

  // At most `limit` (1 to limits::kMaxPageSize) pairings of its rounds, from the one at place
  // `from` of all on; with `round` above 0, of that one only. Returns FailedPrecondition as
  // CheckHasRounds does.
  absl::StatusOr<RoundPage> Rounds(absl::string_view name, int round, size_t from, int limit) const;

  // How the log-likelihood ratio of a test has moved, at most `limit` (1 to limits::kMaxPageSize)
  // points: see ReadTestPoints. Returns FailedPrecondition for other formats.
  absl::StatusOr<TestPointPage> TestPoints(absl::string_view name, const TestCursor& from,
                                           int64_t every, int limit) const;

  // Calls `changed` whenever something of what Get and Standings say may have changed, on any
  // thread. `changed` must be short and not call back here. It is not called any more when Unwatch
  // returns.
  using WatchId = int64_t;
  struct Watched {
    WatchId watch = 0;
    store::CompetitionId competition;  // that has the name now
  };
  absl::StatusOr<Watched> Watch(absl::string_view name, std::function<void()> changed);
  void Unwatch(WatchId id);

 private:
  absl::StatusOr<CompetitionView> Change(absl::string_view name,
                                         absl::Span<const store::CompetitionState> from,
                                         store::CompetitionState to, absl::string_view action,
                                         absl::string_view who);
  // Reads what a test has counted; its entrants, too, if the row is without them.
  absl::StatusOr<CompetitionView> ViewOf(store::Competition competition) const;
  // With its evenness.
  absl::StatusOr<CompetitionView> WholeViewOf(store::Competition competition) const;
  // Of this name, as it is now.
  absl::StatusOr<CompetitionView> WholeViewOf(absl::string_view name) const;
  // Of the season that is `asked` for.
  absl::StatusOr<StandingsView> StandingsOf(store::Competition competition, int asked) const;
  // With its positions, too.
  absl::StatusOr<CompetitionView> GetOf(store::Competition competition) const;
  absl::StatusOr<TestView> TestViewOf(const store::Competition& competition) const;
  store::AuditEntry Audit(absl::string_view who, absl::string_view action,
                          absl::string_view subject, absl::string_view detail) const;
  // An id that comes after all that were made before, also in the same millisecond.
  store::CompetitionId NewId(absl::Time now);

  const CompetitionsOptions options_;
  host::Host* host_ = nullptr;  // set by Open
  const std::shared_ptr<CompetitionLoop> loop_;
  mutable CompetitionStandings standings_;
  mutable CompetitionEvenness evenness_;
  mutable CompetitionRounds rounds_;
  Mutex mutex_;
  absl::Time last_id_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();  // when the last was made
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITIONS_H_
