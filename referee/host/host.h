// Runs many matches at once between connected bots.
//
// The host creates matches, begins each when its bots are free, and keeps those that are open or
// ended recently. It knows no transport: the owner of a bot's stream attaches the stream as a Link.
//
// One lock guards five values: the queue of waiting matches (seating.h), the bots (known_bots.h),
// the index of known matches (known_matches.h), the blocks that are being resumed, and the slots
// that other referees want (lent_slots.h). new_matches.h creates a match, grants.h gets slots for
// it from other referees, and match_runner.h plays it.
//
//   Host host(options);
//   std::shared_ptr<Bot> bot = host.Attach("alice", link, hello).value();
//   MatchId id = host.Create({game, {"alice", "bob"}, time_control, {}}, "request-1").value();
//   ...
//   Bot::Slot slot = bot->FindSlot(id.text());
//   slot.runner->Post(match::Replied{slot.seat, turn, move}, clock.Now());
#ifndef REFEREE_HOST_HOST_H_
#define REFEREE_HOST_HOST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/host/bot.h"
#include "referee/host/entry_patience.h"
#include "referee/host/grants.h"
#include "referee/host/host_view.h"
#include "referee/host/known_bots.h"
#include "referee/host/known_matches.h"
#include "referee/host/lent_slots.h"
#include "referee/host/match_runner.h"
#include "referee/host/new_matches.h"
#include "referee/host/seal_queue.h"
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
  // Continues matches that waited for their records to become durable (Recording::Lasts). Null: the
  // thread that reports the durability continues them.
  Executor* mailboxes = nullptr;
  replay::Recorder* recorder = nullptr;
  // Fills the span with unpredictable bytes, for secret seeds and match ids.
  std::function<void(absl::Span<uint8_t>)> entropy;
  // Name and version of the referee's software, for the records of matches.
  std::string software;
  // How many matches run at once; others wait.
  int max_running = 4096;
  // The stalls of the referee itself, which matches give back. Must outlive the host. May be null.
  const StallLog* stalls = nullptr;
  // Ignores Hello::parallel_turns: a bot gets max_matches matches at once. Its turns may then wait
  // for each other on its clock.
  bool oversubscribe = false;
  // The matches of a block begin one by one, each when its bots have a slot for it, and end
  // independently. So bots that play one match at a time can play blocks. But a bot that has played
  // one match of a block to its end knows the dice of the others.
  bool blocks_apart = false;
  // Called after every match that ended, when its bots were notified and its slots are free.
  // `sealed` is the result of sealing its replay. May read ended(), and match()->forfeits() if the
  // match was played here. May be null. Thread-safe.
  std::function<void(const MatchRunner&, const absl::Status& sealed)> on_finished;
  // Called when the replay of a match is archived at last: after `sealed` was an error, or after
  // SealLater. May be null. Thread-safe.
  std::function<void(const MatchId&)> on_sealed;
  // Called when a bot has connected, has lost its link, or changed its capacity. May be null.
  // Thread-safe.
  std::function<void(absl::string_view bot)> on_connection;
  // Called when a message of a bot was refused (Host::NoteRefused). May be null. Thread-safe.
  std::function<void(absl::string_view bot)> on_refused;
  // Called by Host::Drain when no match is open any more, before it closes the links. May be null.
  std::function<void()> on_drained;
  // Called once a turn with the referee's own delay: from the arrival of a reply out of the
  // transport until the handover of the match's next request. For measurements. May be null.
  // Thread-safe.
  std::function<void(absl::Duration)> on_own_time;
  // Called with each record of a match once it may be published. Runs on the thread that handles
  // the match, so it must be short. May be null. Thread-safe.
  std::function<void(const match::Match&, const match::Record&)> on_record;
};

// A match of an earlier process, rebuilt from the log.
struct LeftMatch {
  replay::Unfinished unfinished;
  std::unique_ptr<match::Match> match;
  absl::Duration limit;

  int rotation() const { return match->setup().block ? match->setup().block->rotation : 0; }
};

// Thread-safe.
class Host {
 public:
  explicit Host(HostOptions options);
  // REQUIRES: no match is open (see Drain), no link is attached.
  ~Host();

  // Name and version of the referee's software, as sent to bots.
  const std::string& software() const { return options_.software; }

  // --- Bots ---

  // Connects the bot called `name` by `link`. Closes a previous link with ABORTED, and sends the
  // bot's running matches again on the new link. Returns Unavailable while draining, unless the bot
  // plays here and its link is relayed. Returns AlreadyExists if the bot has a link and `hello`
  // keeps it, or has a link with a greater Hello::connection.
  absl::StatusOr<std::shared_ptr<Bot>> Attach(absl::string_view name, std::shared_ptr<Link> link,
                                              Hello hello);
  // Notes the bot's capacity on `link` from now on: `max_matches` at once, 0 for no new ones, and
  // `parallel_turns`, as in Hello. Matches that are already seated go on. Does nothing if `link` is
  // not the bot's current link.
  void SetCapacity(const std::shared_ptr<Bot>& bot, const Link* link, int max_matches,
                   int parallel_turns);
  // Notes that `link` was lost. Does nothing if it is not the bot's current link.
  void Detach(const std::shared_ptr<Bot>& bot, const Link* link);
  // As Detach, for a relayed link whose entry was lost, not its bot. `heard`: when this referee
  // last heard from the entry. From then on the bot's matches stand still at no cost to its time,
  // until the bot has connected again. After limits::kEntryPatience they become void.
  void DetachEntry(const std::shared_ptr<Bot>& bot, const Link* link, Instant heard);
  // As Bot::SetTakenElsewhere. Also begins matches that can begin now.
  void SetTakenElsewhere(const std::shared_ptr<Bot>& bot, const Link* link, int slots);
  // Notes that a message of the bot was refused, on its link or elsewhere. The referee's own stalls
  // are then charged to the bot (match::Refused), in the matches that it plays now or begins within
  // limits::kRefusalMemory. Does nothing for a name that was never attached.
  void NoteRefused(absl::string_view name);
  // The bots that have a link now.
  std::vector<std::shared_ptr<Bot>> ConnectedBots() const;
  // The bot of this name; null if the host does not know it.
  std::shared_ptr<Bot> FindBot(absl::string_view name) const;
  // The stalls of the referee itself in this interval.
  match::Stalls StallsBetween(Instant from, Instant until) const {
    return options_.stalls == nullptr ? match::Stalls() : options_.stalls->Between(from, until);
  }
  // Whether the bot has a link now.
  bool connected(absl::string_view name) const;
  // How often the bot has connected. Unlike connected(), it misses no link, however short.
  int64_t CountConnects(absl::string_view name) const;
  // Whether the bot has a slot in a match that is not over, with or without a link.
  bool plays(absl::string_view name) const;
  // Sets the addresses of the other referees of the fleet, except those that are stopping. Notifies
  // all bots if that is a change.
  void SetFleet(std::vector<std::string> addresses);
  // The addresses to send to this bot, at most limits::kMaxFleetAddresses. Their order differs from
  // bot to bot, so that the bots of a lost referee spread over the others.
  std::vector<std::string> FleetFor(absl::string_view bot) const;
  // Sends the bot's author a reason why the bot cannot play; see Bot::TellNotice. Does nothing if
  // the bot has no link.
  void TellNotice(absl::string_view name, absl::string_view text);
  // Pings a bot that plays nothing, to learn whether it answers (BotView::answered). Does nothing
  // if the bot has no link.
  void Ping(absl::string_view name);

  // --- Slots of this host's bots in matches of other referees ---

  // Takes the slots that `relay`, the owner of the matches, wants of the bot, if so many are free
  // beside what older matches wait for. Returns whether it took them. If not, the request waits,
  // and `when_free` is called whenever the slots are free. They are then kept for a while
  // (lent_slots.h), until `relay` reserves slots of the bot again. A second call replaces the
  // first. A bot that is not connected to this referee has no slots. A new link of the bot cancels
  // all requests from before. Another thread may call `when_free` before this returns.
  bool ReserveSlots(const std::string& bot, SlotsWanted wanted, const std::shared_ptr<Relay>& relay,
                    std::function<void(int slots)> when_free);
  // Drops the request of `relay` for the bot if it is for this match, which will not begin.
  void ForgetWish(const std::string& bot, const std::shared_ptr<Relay>& relay,
                  const MatchId& match);
  // Takes a slot for a match that its owner `relay` has resumed, even if the bot has no free slot.
  void TakeSlot(const std::string& bot, const std::string& match_id,
                const std::shared_ptr<Relay>& relay);
  // Frees the slot of a match of another referee, and begins matches that can begin now. Does
  // nothing if there is no such slot.
  void FreeSlot(const std::string& bot, const std::string& match_id);
  // Frees all slots of an owner that was lost, and drops its requests. Returns the freed slots as
  // pairs of bot and match.
  std::vector<std::pair<std::string, std::string>> FreeSlotsOf(const std::shared_ptr<Relay>& relay);

  // --- Matches ---

  // Creates a match that waits until all its bots are connected and have a free slot, for at most
  // limits::kSeatLimit. The match is recorded when this returns. A second call with the same
  // non-empty `request_id` returns the first match if it asks for the same, else AlreadyExists.
  // That includes matches of an earlier process that were resumed or are remembered. Returns
  // InvalidArgument (bad request), ResourceExhausted (too many open matches, or matches are held
  // back), FailedPrecondition (the game is paused), Unavailable (draining), or the recorder's
  // error.
  absl::StatusOr<MatchId> Create(MatchRequest request, absl::string_view request_id);
  // Creates the matches of a block, and returns their ids by rotation. They wait until every bot is
  // connected and has a free slot for each match, for at most limits::kSeatLimit, and begin
  // together. No bot learns in one match what will be rolled in another. The seed is revealed when
  // the last match has ended. If one becomes void or is cancelled, the others end at once: with
  // their results if their games are over, else as void. The block then has no result.
  //
  // All matches are recorded when this returns, or none is created: matches that had been recorded
  // then end as void. `request_id` is as in Create, for the block as a whole; a match and a block
  // never share one. Fails as Create does, and with FailedPrecondition if a connected bot takes
  // fewer matches at once than the block has, unless blocks_apart.
  absl::StatusOr<std::vector<MatchId>> CreateBlock(BlockRequest request,
                                                   absl::string_view request_id);
  // A snapshot of bots and matches (host_view.h), which may be out of date as soon as this returns.
  HostView Look(const HostQuestion& question) const;
  // Counts bots and matches, for monitoring. Visits all known matches.
  HostCounts Count() const;
  // The match, open or ended recently; null if it is not known.
  std::shared_ptr<MatchRunner> Find(const MatchId& id) const;
  // Matches older than `before` (all, if it is default-made), newest first, `limit` at most.
  std::vector<std::shared_ptr<MatchRunner>> List(const MatchId& before, int limit) const;
  // Ends a match without a result, on behalf of `by`: an account or "local"; empty: the referee
  // itself. Returns NotFound, or FailedPrecondition if the match is over.
  absl::Status Cancel(const MatchId& id, absl::string_view reason, absl::string_view by = "");
  // Cancels all matches that have begun with the bot. Returns their ids.
  std::vector<MatchId> CancelMatchesOf(absl::string_view bot, absl::string_view reason,
                                       absl::string_view by);

  // Resumes a match of an earlier process. It waits for its bots for `limit`, then asks the turn
  // that was due. A match that had not begun waits as a new one does. Returns DataLoss if the
  // records do not follow from the rules and the seed; the recording is then quarantined. A match
  // of a block goes on once all matches of its block were resumed, in any order.
  absl::Status Resume(replay::Unfinished unfinished, absl::Duration limit);
  // Ends resuming. Resumed matches of a block of which others are missing end now: with their
  // results if their games are over, else as void. Call it before bots are attached.
  void EndResuming();
  // Remembers a match that an earlier process ended after `turns` turns. The latest
  // limits::kMaxRememberedMatches are kept, as for the host's own matches. Does nothing if the
  // match is known. REQUIRES: older matches come first.
  void Remember(const match::Setup& setup, const match::Ended& ended, uint32_t turns);

  // Retries to archive a match that an earlier process ended, and that could not be archived at
  // this start (seal_queue.h).
  void SealLater(const MatchId& id, std::unique_ptr<replay::Recording> recording);

  // How many matches run now, and how many may run. A load guard changes the limit at run time; a
  // lower limit stops no running match. `load` says why the limit is lower than usual, for people;
  // empty if it is not.
  int running() const;
  void SetMaxRunning(int max_running, std::string load = "");

  // While `why` is not empty, no match begins: waiting matches go on waiting, and Create returns
  // ResourceExhausted with the reason. Running matches go on.
  void HoldBack(std::string why);
  // As HoldBack, for one game (paused_games.h); Create then returns FailedPrecondition.
  void HoldBackGame(const std::string& game, std::string why);
  // Why no match of any game can begin: matches are held back, or the disk failed recently and
  // still fails. Empty if matches can begin. May wait for the disk.
  std::string WhyNoneBegins();

  // --- The end ---

  // What happens to matches that are still open when a drain times out.
  enum class Rest {
    kVoid,  // running matches end without a result; waiting matches are cancelled at once
    kLeft,  // matches stay as they are in the log, for the next process to resume; waiting
            // matches at once
  };
  // Stops the host: accepts no more matches and bots, and notifies the bots. Returns when every
  // match is over and sealed. After `timeout`, `rest` decides about matches that are still open.
  // Then all links are closed. If the fleet has other referees, bots are first asked to connect to
  // these; bots that still play here go on from there.
  void Drain(absl::Duration timeout, Rest rest);

 private:
  // Counts a requested match as open. Or returns the answer to the call: an error, or the match
  // that an earlier call with this request id created. `block_of`: the number of matches of a
  // block, whose answer is its first match; 0: a single match.
  absl::optional<absl::StatusOr<MatchId>> Reserve(const MatchRequest& request,
                                                  absl::string_view request_id, int block_of);
  // Records and queues the reserved matches, and returns their ids. On an error, releases them.
  absl::StatusOr<std::vector<MatchId>> Add(std::vector<replay::Unfinished> made,
                                           absl::string_view request_id);
  // What to begin once the lock is released.
  struct SeatedNow {
    std::vector<Grants::Seated> parties;
    std::vector<LentSlots::Call> calls;
  };

  // Queues a match, or all matches of a block, until their bots are free. They are counted as open
  // already. `apart`: the place of the match in a block that is played apart.
  void Wait(std::vector<replay::Unfinished> recorded,
            const absl::optional<match::BlockPlace>& apart = {});
  // Begins waiting matches that can begin now: those that wait for one of `bots`, or, if that is
  // empty, any.
  void SeatWaiting(absl::Span<const std::string> bots = {});
  // Returns a callback that takes the slots of a seated party, and adds the party to `seated`.
  Seating::Begin SeatInto(SeatedNow* seated) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginSeated(SeatedNow seated);
  // Gives back the slots of a seated party that may not begin now, and queues it again.
  void WaitAgain(Grants::Seated seated);
  // Frees the slots of a match that is over at this host. Returns its bots if it never began; else
  // nothing.
  std::vector<std::shared_ptr<Bot>> TakeBackSlots(const MatchRunner& runner)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeKeptSlots();
  // Closes the bot's stream. Its matches stand still until it has connected to another referee, as
  // after DetachEntry.
  void AskToRedial(const std::shared_ptr<Bot>& bot);
  // What a drain does to a waiting match.
  static void GiveUpWaiting(MatchRunner* runner, Rest rest);
  void GiveUpLate();
  void NoteStorage(bool failed) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnOver(const MatchRunner& runner, const absl::Status& sealed);
  // Resumes a single match, or all that was found of a block, in any order.
  void GoOn(std::vector<LeftMatch> together);

  const HostOptions options_;
  const NewMatches new_matches_;
  std::shared_ptr<MatchRunner::Environment> environment_;
  std::shared_ptr<SealQueue> unsealed_;
  std::shared_ptr<Grants> grants_;

  mutable Mutex mutex_;
  CondVar changed_;
  // What a drain does to open matches; set once the drain has begun.
  absl::optional<Rest> draining_ ABSL_GUARDED_BY(mutex_);
  // Whether the latest match could not be recorded or archived; and how often that has happened.
  bool storage_failed_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t storage_failures_ ABSL_GUARDED_BY(mutex_) = 0;
  int open_ ABSL_GUARDED_BY(mutex_) = 0;  // created, and the end not yet handled
  KnownBots bots_ ABSL_GUARDED_BY(mutex_);
  KnownMatches known_ ABSL_GUARDED_BY(mutex_){limits::kMaxRememberedMatches};
  Seating seating_ ABSL_GUARDED_BY(mutex_);
  LentSlots lent_ ABSL_GUARDED_BY(mutex_){&seating_, &bots_};
  // While matches are resumed: matches of blocks of which others are still missing.
  std::map<BlockId, std::vector<LeftMatch>> left_ ABSL_GUARDED_BY(mutex_);
  // Matches that are over and still to be archived.
  absl::flat_hash_set<MatchId> unsealed_ids_ ABSL_GUARDED_BY(mutex_);
  // Request ids of calls that wait for the disk.
  absl::flat_hash_set<std::string> making_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> fleet_ ABSL_GUARDED_BY(mutex_);  // addresses of other referees

  EntryPatience patience_;
  // The last members, since their calls use the others.
  Timer kept_timer_;  // ends the oldest reservation of slots for another referee
  Timer seat_timer_;  // cancels the first match that waits too long
};

}  // namespace referee::host

#endif  // REFEREE_HOST_HOST_H_
