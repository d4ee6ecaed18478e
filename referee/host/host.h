// Runs many matches at once between the bots that are connected: makes them, begins each when its
// bots are free, and knows those that are open or ended lately. It knows no transport: the owner of
// a stream to a bot attaches it as a Link.
//
// The host guards five values with one lock: the queue of waiting matches (seating.h), the bots
// (known_bots.h), the index of known matches (known_matches.h), the blocks that are being resumed,
// and what other referees want of its bots (lent_slots.h). new_matches.h makes a match, grants.h
// gets slots for it from other referees, and match_runner.h plays it.
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
  // Goes on with matches that stood still until their records lasted (Recording::Lasts). Null: the
  // thread that says that they do goes on with them.
  Executor* mailboxes = nullptr;
  replay::Recorder* recorder = nullptr;
  // Fills the span with unpredictable bytes: secret seeds and match ids come from it.
  std::function<void(absl::Span<uint8_t>)> entropy;
  // Named in matches as the referee's software.
  std::string software;
  // Matches that run at once; others wait.
  int max_running = 4096;
  // The stalls of the referee itself, which matches give back. Must outlive the host. May be null.
  const StallLog* stalls = nullptr;
  // A bot is given as many matches as it plays at once, however many turns it thinks about: its
  // turns may wait for each other on its clock.
  bool oversubscribe = false;
  // The matches of a block begin one by one, each when its bots have a slot for it, and end without
  // regard to each other. So bots that play one match at a time can play blocks; but who plays a
  // match of a block to its end knows the dice of the others.
  bool blocks_apart = false;
  // Called after every match that ended, when its bots were told and its slots are free; `sealed`
  // is how sealing its replay went. May read ended(), and match()->forfeits() if the match was
  // played here. May be null. Thread-safe.
  std::function<void(const MatchRunner&, const absl::Status& sealed)> on_finished;
  // Called when a match of which `sealed` was an error, or of which Host was told by SealLater, is
  // in the archive after all. May be null. Thread-safe.
  std::function<void(const MatchId&)> on_sealed;
  // Called when a bot has connected, has lost its link, or takes more or less than before. May be
  // null. Thread-safe.
  std::function<void(absl::string_view bot)> on_connection;
  // Called when something that a bot sent was refused (Host::NoteRefused). May be null.
  // Thread-safe.
  std::function<void(absl::string_view bot)> on_refused;
  // Called by Host::Drain when no match is open any more, before it closes the links. May be null.
  std::function<void()> on_drained;
  // Called once a turn with the time that the referee itself took: from the arrival of a reply out
  // of the transport to the handover of the match's next request to it. For measurements; may be
  // null. Thread-safe.
  std::function<void(absl::Duration)> on_own_time;
  // Called with each record of a match once it may be told, by the thread that handles the match:
  // it must be short. May be null. Thread-safe.
  std::function<void(const match::Match&, const match::Record&)> on_record;
};

// A match that an earlier process left, rebuilt.
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

  // Named in matches and to bots as the referee's software.
  const std::string& software() const { return options_.software; }

  // --- Bots ---

  // Connects the bot called `name` by `link`. A link that it had before is closed with ABORTED, and
  // its running matches are told again on the new one. Returns Unavailable while draining,
  // AlreadyExists when the bot has a link and `hello` keeps it, or a link with a greater
  // Hello::connection.
  absl::StatusOr<std::shared_ptr<Bot>> Attach(absl::string_view name, std::shared_ptr<Link> link,
                                              Hello hello);
  // Notes how much the bot takes on `link` from now on: `max_matches` at once, 0 for no new ones,
  // and `parallel_turns`, as in Hello. What is seated already goes on. Does nothing if it is not
  // the bot's link any more.
  void SetCapacity(const std::shared_ptr<Bot>& bot, const Link* link, int max_matches,
                   int parallel_turns);
  // Notes that `link` is gone. Does nothing if it is not the bot's link any more.
  void Detach(const std::shared_ptr<Bot>& bot, const Link* link);
  // The same of a relayed link, of which not the bot but its entry is gone, which was heard last at
  // `heard`. The bot's matches stand still from then on, without a loss of its time, until it has
  // connected again; after limits::kEntryPatience they are void.
  void DetachEntry(const std::shared_ptr<Bot>& bot, const Link* link, Instant heard);
  // As Bot::SetTakenElsewhere; what can begin now does.
  void SetTakenElsewhere(const std::shared_ptr<Bot>& bot, const Link* link, int slots);
  // Notes that something that the bot sent was refused, on its link or beside it: in the matches
  // that it plays now, or begins within limits::kRefusalMemory, the referee's own stalls are
  // charged to it (match::Refused). Does nothing for a name that was never attached.
  void NoteRefused(absl::string_view name);
  // The bots that have a link now.
  std::vector<std::shared_ptr<Bot>> ConnectedBots() const;
  // The bot of this name; null if it has never been here.
  std::shared_ptr<Bot> FindBot(absl::string_view name) const;
  // How the referee itself stood still in this time.
  match::Stalls StallsBetween(Instant from, Instant until) const {
    return options_.stalls == nullptr ? match::Stalls() : options_.stalls->Between(from, until);
  }
  // Whether the bot has a link now.
  bool connected(absl::string_view name) const;
  // How often the bot has connected. Unlike connected(), it misses no link, however short.
  int64_t CountConnects(absl::string_view name) const;
  // Whether matches that are not over have begun with it, whether it has a link or not.
  bool plays(absl::string_view name) const;
  // Where bots dial the other referees of the fleet that stay. Bots are told when that changes.
  void SetFleet(std::vector<std::string> addresses);
  // What the bot of this name is told of it: limits::kMaxFleetAddresses at most, in an order that
  // differs from bot to bot, so that the bots of a referee that is gone spread over the others.
  std::vector<std::string> FleetFor(absl::string_view bot) const;
  // Tells the author of the bot what keeps it from playing, once a link. Does nothing if it has no
  // link.
  void TellNotice(absl::string_view name, absl::string_view text);
  // Asks a bot that plays nothing whether it answers (BotView::answered). Does nothing if it has no
  // link.
  void Ping(absl::string_view name);

  // --- Slots of this host's bots in matches of other referees ---

  // Takes the slots of the bot that `relay`, the owner of the matches, wants, if it has so many
  // free beside what older matches wait for. If not, calls `when_free` once, when it has: then the
  // slots are kept for `relay` until it reserves slots of the bot again, or for limits::kKeptSlots.
  // A second call in place of that asks anew. Returns whether it took them. A bot that is not
  // connected to this referee has none, and what was asked for on a former link of the bot is
  // forgotten. Another thread may call `when_free` before this returns.
  bool ReserveSlots(const std::string& bot, SlotsWanted wanted, const std::shared_ptr<Relay>& relay,
                    std::function<void(int slots)> when_free);
  // The match of `relay` goes on with the bot, whether it has a free slot or not: one that its
  // owner took up again.
  void TakeSlot(const std::string& bot, const std::string& match_id,
                const std::shared_ptr<Relay>& relay);
  // Frees the slot of a match of another referee, and begins what can begin now. Does nothing if
  // there is none.
  void FreeSlot(const std::string& bot, const std::string& match_id);
  // The owner is gone: frees all its slots, and forgets what it asked for. Returns the matches of
  // which a slot was taken, by bot.
  std::vector<std::pair<std::string, std::string>> FreeSlotsOf(const std::shared_ptr<Relay>& relay);

  // --- Matches ---

  // Makes a match that waits until all its bots are connected and have a free slot, for
  // limits::kSeatLimit at most. It is recorded when this returns. A second call with the same
  // non-empty `request_id` returns the first match if it asks for the same, else AlreadyExists;
  // this includes matches of an earlier process that were resumed or are remembered. Returns
  // InvalidArgument (bad request), ResourceExhausted (too many open), Unavailable (draining), or
  // the recorder's error.
  absl::StatusOr<MatchId> Create(MatchRequest request, absl::string_view request_id);
  // Makes the matches of a block, and returns their ids, by rotation. They wait until every bot is
  // connected and has a free slot for each of them, for limits::kSeatLimit at most, and begin
  // together. No bot learns in one of them what will be rolled in another, and the seed is revealed
  // when the last has ended. When one becomes void, or is cancelled, the others end at once: those
  // whose games are over with their results, the rest as void. The block has no result then.
  //
  // All are recorded when this returns, or none is made: what had been recorded then ends as void.
  // `request_id` is as in Create, for the block as a whole; a match and a block never have the
  // same. Fails as Create does, and with FailedPrecondition when a bot that is connected takes
  // fewer matches at once than the block has, unless blocks_apart.
  absl::StatusOr<std::vector<MatchId>> CreateBlock(BlockRequest request,
                                                   absl::string_view request_id);
  // A snapshot of bots and matches (host_view.h), which may be out of date as soon as this returns.
  HostView Look(const HostQuestion& question) const;
  // How much there is, for who watches the host; goes through all matches that are known.
  HostCounts Count() const;
  // The match, open or ended lately; null if there is none.
  std::shared_ptr<MatchRunner> Find(const MatchId& id) const;
  // Matches older than `before` (all, if it is default-made), newest first, `limit` at most.
  std::vector<std::shared_ptr<MatchRunner>> List(const MatchId& before, int limit) const;
  // Ends a match without a result, on behalf of `by`: an account or "local"; empty: the referee
  // itself. Returns NotFound, or FailedPrecondition when it is over.
  absl::Status Cancel(const MatchId& id, absl::string_view reason, absl::string_view by = "");
  // Cancels so all matches that have begun with the bot. Returns which.
  std::vector<MatchId> CancelMatchesOf(absl::string_view bot, absl::string_view reason,
                                       absl::string_view by);

  // Resumes a match that an earlier process left: it waits for its bots for `limit`, then asks the
  // turn that was due. One that had not begun waits as a new one does. Returns DataLoss when the
  // records do not follow from the rules and the seed; the recording is then set aside. A match of
  // a block goes on when all of its block were resumed, in any order.
  absl::Status Resume(replay::Unfinished unfinished, absl::Duration limit);
  // Ends resuming. The resumed matches of a block of which others are missing end now: with their
  // results if their games are over, else as void. Call it before bots are attached.
  void EndResuming();
  // Remembers a match that an earlier process ended after `turns` turns, as the host does its own:
  // the latest limits::kMaxRememberedMatches are kept. Does nothing if the match is known.
  // REQUIRES: older ones come first.
  void Remember(const match::Setup& setup, const match::Ended& ended, uint32_t turns);

  // Has a match that an earlier process ended, and that could not be archived at this start, tried
  // again until it is, as the host does with its own (seal_queue.h).
  void SealLater(const MatchId& id, std::unique_ptr<replay::Recording> recording);

  // How many matches run now, and how many may run. A load guard changes the limit while the host
  // works; a lower limit stops no running match. `load` says why the limit is lower than usual, for
  // people; empty: it is not.
  int running() const;
  void SetMaxRunning(int max_running, std::string load = "");

  // While `why` is not empty, no match begins: those that wait go on waiting, and none is made
  // (ResourceExhausted, which says why). Running matches go on.
  void HoldBack(std::string why);
  // The same of one game (paused_games.h); none of it is made: FailedPrecondition.
  void HoldBackGame(const std::string& game, std::string why);
  // Why no match of any game can begin: matches are held back, or the disk failed lately and fails
  // still. Empty if they can. May wait for the disk.
  std::string WhyNoneBegins();

  // --- The end ---

  // What happens to matches that are still open when a drain times out.
  enum class Rest {
    kVoid,  // they end without a result; those that wait are cancelled at once
    kLeft,  // they stay as they are in the log, for the next process to resume; those that
            // wait, at once
  };
  // Accepts no more matches and bots, tells the bots, and returns when every match is over and
  // sealed; after `timeout`, `rest` decides about those still open. Then all links are closed. If
  // the fleet has other referees, the bots are asked to connect to these first, and those that play
  // here go on from there.
  void Drain(absl::Duration timeout, Rest rest);

 private:
  // Counts a requested match as open. Or returns the answer to the call: an error, or the match
  // that an earlier call with this request id made. `block_of`: a block of so many matches, which
  // is named by the first; 0: a match alone.
  absl::optional<absl::StatusOr<MatchId>> Reserve(const MatchRequest& request,
                                                  absl::string_view request_id, int block_of);
  // Records and queues what was reserved, and returns the ids. On an error nothing is reserved.
  absl::StatusOr<std::vector<MatchId>> Add(std::vector<replay::Unfinished> made,
                                           absl::string_view request_id);
  // What begins when the lock is gone.
  struct SeatedNow {
    std::vector<Grants::Seated> parties;
    std::vector<LentSlots::Call> calls;
  };

  // Queues a match, or all of a block, which have been counted as open, until their bots are free.
  // `apart`: the place of a match alone in a block that is played apart.
  void Wait(std::vector<replay::Unfinished> recorded,
            const absl::optional<match::BlockPlace>& apart = {});
  // Starts those waiting matches that can start: those that wait for one of `bots`, or, without
  // bots, any.
  void SeatWaiting(absl::Span<const std::string> bots = {});
  // Takes the slots of what is seated, and adds it to `seated`.
  Seating::Begin SeatInto(SeatedNow* seated) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginSeated(SeatedNow seated);
  // A party that was seated may not begin now: gives its slots back and queues it again.
  void WaitAgain(Grants::Seated seated);
  // Frees the slots of a match that is over here. Returns its bots if it had slots and did not
  // begin.
  std::vector<std::shared_ptr<Bot>> TakeBackSlots(const MatchRunner& runner)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeKeptSlots();
  // Ends the bot's stream here. What it plays stands still until it has connected to another
  // referee, as after DetachEntry.
  void AskToRedial(const std::shared_ptr<Bot>& bot);
  // What a drain does to a match that waits.
  static void GiveUpWaiting(MatchRunner* runner, Rest rest);
  void GiveUpLate();
  void NoteStorage(bool failed) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnOver(const MatchRunner& runner, const absl::Status& sealed);
  // Goes on with a match alone, or with what was found of a block, in any order.
  void GoOn(std::vector<LeftMatch> together);

  const HostOptions options_;
  const NewMatches new_matches_;
  std::shared_ptr<MatchRunner::Environment> environment_;
  std::shared_ptr<SealQueue> unsealed_;
  std::shared_ptr<Grants> grants_;

  mutable Mutex mutex_;
  CondVar changed_;
  // Once a drain has begun: what becomes of the matches that are open then.
  absl::optional<Rest> draining_ ABSL_GUARDED_BY(mutex_);
  // The latest match could not be recorded, or its replay not archived; and how often that was.
  bool storage_failed_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t storage_failures_ ABSL_GUARDED_BY(mutex_) = 0;
  int open_ ABSL_GUARDED_BY(mutex_) = 0;  // made, and the end not told
  KnownBots bots_ ABSL_GUARDED_BY(mutex_);
  KnownMatches known_ ABSL_GUARDED_BY(mutex_){limits::kMaxRememberedMatches};
  Seating seating_ ABSL_GUARDED_BY(mutex_);
  LentSlots lent_ ABSL_GUARDED_BY(mutex_){&seating_, &bots_};
  // While matches are resumed: those of blocks of which others are still to come.
  std::map<BlockId, std::vector<LeftMatch>> left_ ABSL_GUARDED_BY(mutex_);
  // Over, and to be archived still.
  absl::flat_hash_set<MatchId> unsealed_ids_ ABSL_GUARDED_BY(mutex_);
  // Request ids of calls that wait for the disk.
  absl::flat_hash_set<std::string> making_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> fleet_ ABSL_GUARDED_BY(mutex_);  // addresses of other referees

  EntryPatience patience_;
  // The last members, as their calls use the others.
  Timer kept_timer_;  // for the slots that are kept for the shortest time still
  Timer seat_timer_;  // for the first that waits too long
};

}  // namespace referee::host

#endif  // REFEREE_HOST_HOST_H_
