// Runs many matches at once between the bots that are connected: makes them, begins each when its
// bots are free, and knows those that are open or ended lately. It knows no transport: whoever has
// a stream to a bot attaches it as a Link.
//
// This is the lock around two values: which match begins next (seating.h), and which matches there
// are (known_matches.h). What happens in a match is match_runner.h.
//
//   Host host(options);
//   std::shared_ptr<Bot> bot = host.Attach("alice", link, hello).value();
//   MatchId id = host.Create({game, {"alice", "bob"}, time_control, {}}, "request-1").value();
//   ...
//   Bot::Place place = bot->FindPlace(id.text());
//   place.runner->Post(match::Replied{place.seat, turn, move}, clock.Now());
#ifndef REFEREE_HOST_HOST_H_
#define REFEREE_HOST_HOST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/host/bot.h"
#include "referee/host/host_view.h"
#include "referee/host/known_matches.h"
#include "referee/host/match_runner.h"
#include "referee/host/seating.h"
#include "referee/host/stall_log.h"
#include "referee/host/timers.h"
#include "referee/replay/recorder.h"

namespace referee::host {

struct HostOptions {
  // All must outlive the host.
  const Clock* clock = nullptr;
  Timers* timers = nullptr;
  Executor* executor = nullptr;
  replay::Recorder* recorder = nullptr;
  // Fills the span with unpredictable bytes: secret seeds and match ids come from it.
  std::function<void(absl::Span<uint8_t>)> entropy;
  // Named in matches as the referee's software.
  std::string software;
  // Matches that run at once; others wait.
  int max_running = 4096;
  // Says how long the referee itself stood still: a time loss that this may have decided makes the
  // match void. Must outlive the host. May be null.
  const StallLog* stalls = nullptr;
  // Told of every match that ended, with how sealing its replay went; its bots know of it, and its
  // places are free by then.
  // How it ended may be read: ended(), and match()->forfeits() if it was played here. May be null.
  // Thread-safe.
  std::function<void(const MatchRunner&, const absl::Status& sealed)> on_finished;
  // Told when a bot has come, or has gone. May be null. Thread-safe.
  std::function<void(absl::string_view bot)> on_connection;
  // Told, once a turn, how long the referee itself took: from when a reply came out of the
  // transport to when the match's next request was handed to it. For measurements; may be null.
  // Thread-safe.
  std::function<void(absl::Duration)> on_own_time;
};

// Thread-safe.
class Host {
 public:
  explicit Host(HostOptions options);
  // REQUIRES: no match is open (see Drain), no link is attached.
  ~Host();

  // Named in matches and to bots as the referee's software.
  const std::string& software() const { return options_.software; }

  // --- Bots ---

  // Makes `link` the way to the bot called `name`. A link that it had before is closed with
  // ABORTED, and its running matches are told again on the new one. Returns Unavailable while
  // draining, AlreadyExists when there is one and `hello` keeps it.
  absl::StatusOr<std::shared_ptr<Bot>> Attach(absl::string_view name, std::shared_ptr<Link> link,
                                              Hello hello);
  // `link` is gone. Does nothing if it is not the bot's link any more.
  void Detach(const std::shared_ptr<Bot>& bot, const Link* link);
  // Whether the bot has a link now.
  bool connected(absl::string_view name) const;

  // --- Matches ---

  // Makes a match that waits until all its bots are connected and have a free place, for
  // limits::kSeatLimit at most. It is recorded when this returns. A second call with the same
  // non-empty `request_id` returns the first match if it asks for the same, else AlreadyExists;
  // also when an earlier process made that and it was resumed, or is remembered. Returns
  // InvalidArgument (bad request), ResourceExhausted (too many open), Unavailable (draining), or
  // what the recorder's disk says.
  absl::StatusOr<MatchId> Create(MatchRequest request, absl::string_view request_id);
  // Makes the matches of a block, and returns their ids, by rotation. They wait until every bot is
  // connected and has a free place for each of them, for limits::kSeatLimit at most, and begin
  // together. No bot learns in one of them what will be rolled in another, and the seed is revealed
  // when the last has ended. When one becomes void, or is cancelled, the others become void at
  // once: the block has no result.
  //
  // All are recorded when this returns, or none is made: what had been recorded then ends as void.
  // `request_id` is as in Create, for the block as a whole; a match and a block never have the
  // same. Fails as Create does, and with FailedPrecondition when a bot that is connected takes
  // fewer matches at once than the block has.
  absl::StatusOr<std::vector<MatchId>> CreateBlock(BlockRequest request,
                                                   absl::string_view request_id);
  // Bots and matches at one moment (host_view.h): as soon as this returns it may be otherwise.
  HostView Look(const HostQuestion& question) const;
  // The match, open or ended lately; null if there is none.
  std::shared_ptr<MatchRunner> Find(const MatchId& id) const;
  // Matches older than `before` (all, if it is default-made), newest first, `limit` at most.
  std::vector<std::shared_ptr<MatchRunner>> List(const MatchId& before, int limit) const;
  // Returns NotFound, or FailedPrecondition when it is over.
  absl::Status Cancel(const MatchId& id, absl::string_view reason);

  // Goes on with a match that an earlier process left: it waits for its bots for `limit`, then asks
  // the turn that was due. One that has not begun waits as a new one does. Returns DataLoss when
  // what was recorded is not what the rules and the seed lead to; the recording is set aside then.
  // A match of a block goes on when all of its block were resumed, in any order.
  absl::Status Resume(replay::Unfinished unfinished, absl::Duration limit);
  // Nothing more is to be resumed. Matches of blocks of which others are missing end: with their
  // results if the games of all are over and none of the block is remembered as void, else as void.
  // To be called before bots are attached, and after what is archived is remembered.
  void EndResuming();
  // Remembers a match that an earlier process ended, after `turns` turns, as it does those that end
  // here: the latest limits::kMaxRememberedMatches; nothing if it is known. REQUIRES: older ones
  // come first.
  void Remember(const match::Setup& setup, const match::Ended& ended, uint32_t turns);

  // Matches that run now, and how many may: changed while the host works, by a load guard. Those
  // that run already go on.
  int running() const;
  int max_running() const;
  void SetMaxRunning(int max_running);

  // --- The end ---

  // What becomes of matches that a drain could not wait for.
  enum class Rest {
    kVoid,  // they end without a result; those that wait are cancelled at once
    kLeft,  // they stay as they are in their journals, for the next process to resume; those that
            // wait, at once
  };
  // Takes no more matches and bots, tells the bots, and returns when all are over and sealed, or
  // left, after `timeout`; their links are closed then.
  void Drain(absl::Duration timeout, Rest rest);

 private:
  // A match that an earlier process left, rebuilt.
  struct Left {
    replay::Unfinished unfinished;
    std::unique_ptr<match::Match> match;
    absl::Duration limit;
    int rotation() const { return match->setup().block ? match->setup().block->rotation : 0; }
  };

  // Counts a match that is asked for as open. Or returns what the call is answered with instead: an
  // error, or the match that was made when this was asked for before.
  // `block_of`: a block of so many matches, which is named by the first; 0: a match alone.
  absl::optional<absl::StatusOr<MatchId>> Reserve(const MatchRequest& request,
                                                  absl::string_view request_id, int block_of);
  BotView ViewOf(absl::string_view name, absl::string_view game, int at_once) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckPlacesFor(const MatchRequest& request, int matches) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // All of the block that match `id` is in, by rotation.
  std::vector<MatchId> MatchesOfBlock(const MatchId& id) const;
  dice::Seed SeedFor(const match::DiceSource& source) const;
  template <typename Id>
  Id NewId() const;
  // All but the commitment.
  match::Setup SetupFor(MatchRequest request, absl::string_view request_id) const;
  // Opens the recordings of what was reserved: all, or none stays open and nothing is reserved.
  absl::Status Record(std::vector<replay::Unfinished>* made, absl::string_view request_id);
  // Lets a match, or all of a block, which have been counted as open, wait for their bots, and
  // start.
  void Wait(std::vector<replay::Unfinished> recorded);
  // What a drain does to a match that waits.
  void GiveUpWaiting(const std::shared_ptr<MatchRunner>& runner);
  // Start what can start of the matches that wait: for one of `bots`, or for a place at all.
  void SeatWaitingFor(absl::Span<const std::string> bots);
  void SeatAnyWaiting();
  // Takes the places of a match, or block, that is seated, and adds it to `seated`, to be started
  // when the lock is gone.
  void TakePlacesOf(const MatchId& id, std::vector<std::shared_ptr<MatchRunner>>* seated)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int FreePlaces(absl::string_view name, absl::string_view game) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakePlaces(const std::shared_ptr<MatchRunner>& runner) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::shared_ptr<Bot>> BotsOf(const MatchRunner& runner) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // All of its block, by rotation, or itself.
  static std::vector<std::shared_ptr<MatchRunner>> TogetherWith(
      const std::shared_ptr<MatchRunner>& runner);
  void RemoveWaiting(const MatchRunner& runner) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Start(const std::shared_ptr<MatchRunner>& runner);
  void GiveUpLate();
  void OnOver(const std::shared_ptr<MatchRunner>& runner, const absl::Status& sealed);
  void OnLeft(const std::shared_ptr<MatchRunner>& runner);
  // Returns whether the match had begun.
  bool GiveUpPlaces(const MatchRunner& runner) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void GoOn(std::vector<Left> together);
  void GoOnRunning(std::vector<Left> together);
  static bool IsWhole(absl::Span<const Left> together);
  // Whether the games of what is left of a block, and of what is remembered of it, are over.
  bool WasOver(absl::Span<const Left> block) const;
  static bool MayGoOn(absl::Span<const Left> block);
  std::string MissingBots(const MatchRunner& runner) const;
  std::shared_ptr<Bot>& KnownBot(absl::string_view name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns false when a match is open still at `until`.
  bool WaitUntilIdle(Instant until);

  const HostOptions options_;
  std::shared_ptr<MatchRunner::Environment> environment_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  Rest rest_ ABSL_GUARDED_BY(mutex_) = Rest::kVoid;  // of the drain
  bool storage_failed_ ABSL_GUARDED_BY(mutex_) = false;
  int open_ ABSL_GUARDED_BY(mutex_) = 0;  // made, and the end not told
  absl::flat_hash_map<std::string, std::shared_ptr<Bot>> bots_ ABSL_GUARDED_BY(mutex_);
  KnownMatches known_ ABSL_GUARDED_BY(mutex_){limits::kMaxRememberedMatches};
  Seating seating_ ABSL_GUARDED_BY(mutex_);
  // To be resumed when all of the block are there.
  std::map<BlockId, std::vector<Left>> left_blocks_ ABSL_GUARDED_BY(mutex_);
  // Calls that wait for the disk.
  absl::flat_hash_set<std::string> making_ ABSL_GUARDED_BY(mutex_);

  Timer seat_timer_;  // for the first that waits too long; the last member, as its call uses the
                      // others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_HOST_H_
