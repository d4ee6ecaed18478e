// Runs one match: a mailbox in front of the match's state machine. A thread that posts an event
// while no other handles events handles them itself until the mailbox is empty. So the events of a
// match are handled one at a time and in order, and no lock is held while a match steps or a link
// is called.
//
// Records are flushed to the recording before anyone is told what follows from them. Where they
// have to last first, no thread waits for that: the match stands still, and its mailbox fills,
// until the recording says so; then another thread goes on. So nobody hears of a match, by
// whichever way, of which the opening does not last. When a record cannot be written the
// match is void, and nobody is told what could not be recorded, not even later.
#ifndef REFEREE_HOST_MATCH_RUNNER_H_
#define REFEREE_HOST_MATCH_RUNNER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/audience.h"
#include "referee/host/block.h"
#include "referee/host/bot.h"
#include "referee/host/link.h"
#include "referee/host/silence.h"
#include "referee/host/stall_log.h"
#include "referee/host/timers.h"
#include "referee/match/match.h"
#include "referee/replay/recorder.h"

namespace referee::host {

// The terms of a match to be made.
struct MatchRequest {
  std::shared_ptr<const games::Game> game;
  std::vector<std::string> bots;  // names, by seat, all different
  match::TimeControl time_control;
  match::DiceSource dice_source;
  match::Policies policies;
};

// The terms of a block to be made: the same dice for every rotation of the seats, n matches for n
// seats.
struct BlockRequest {
  MatchRequest match;  // that of rotation 0
  BlockId id;          // default-made: the host makes one
};

class MatchRunner : public std::enable_shared_from_this<MatchRunner> {
 public:
  struct Environment {
    const Clock* clock;
    Timers* timers;
    Executor* executor;
    // Goes on with matches when their records last. Null: whoever says that they do.
    Executor* mailboxes;
    // The stalls of the referee itself. Null: none.
    const StallLog* stalls;
    // Called once, on the executor, after the match is over and sealed and its bots were told: the
    // last thing that a match does by itself.
    std::function<void(const std::shared_ptr<MatchRunner>&, const absl::Status& sealed)> on_over;
    // Called before that, while the match is stepping, with the recording of a match that could not
    // be archived, for whoever tries again.
    std::function<void(const MatchId&, std::unique_ptr<replay::Recording>)> on_unsealed;
    // Called instead when the match was left in the log.
    std::function<void(const std::shared_ptr<MatchRunner>&)> on_left;
    // See HostOptions. Both may be null.
    std::function<void(absl::Duration)> on_own_time;
    std::function<void(const match::Match&, const match::Record&)> on_record;
  };

  // A match that waits for Start or Resume; `recorded` is what its recording holds so far. `block`
  // is the block that it is in, to which the caller adds it; null if it is in none. `apart`: its
  // place in a block that is played apart, of which neither the match nor its record knows.
  MatchRunner(replay::Unfinished recorded, std::shared_ptr<const Environment> environment,
              std::shared_ptr<Block> block = nullptr,
              const absl::optional<match::BlockPlace>& apart = {});
  // A match that an earlier process ended after `turns` turns.
  MatchRunner(const match::Setup& setup, match::Ended ended, uint32_t turns,
              std::shared_ptr<const Environment> environment);

  const MatchId& id() const { return id_; }
  absl::Time create_time() const { return create_time_; }
  const MatchRequest& request() const { return request_; }
  // The request id of the call that made the match or its block; may be empty.
  const std::string& request_id() const { return request_id_; }
  // The place of the match in a block, if it is in one.
  const absl::optional<match::BlockPlace>& block_place() const { return block_place_; }
  // It is in a block of which its record says nothing.
  bool is_apart() const { return is_apart_; }
  // Null if it is in none, or an earlier process ended it.
  const std::shared_ptr<Block>& block() const { return block_; }

  // Begins the match. REQUIRES: one of Start and Resume is called, once; `bots` by seat.
  void Start(std::vector<std::shared_ptr<Bot>> bots);
  // Goes on with `match`, which was rebuilt from what was recorded, within `limit`.
  void Resume(std::unique_ptr<match::Match> match, absl::Duration limit,
              std::vector<std::shared_ptr<Bot>> bots);
  // Ends the match, started or not: without a result, unless it is one of a block whose game is
  // over (match.h, Stopped). The rest of its block is stopped with it. `by` is as in
  // match::Verdict::cancelled_by.
  // If a seat is given, a match goes on of which that seat is out.
  void Stop(match::Ending ending, std::string reason, std::string by = "",
            Seat unless_out = Seat::None());
  // Leaves the match, running or waiting, in the log, as it is: it takes no more events, and
  // its bots are told nothing more. Does nothing to a match that is over.
  void Leave();
  // Whether it was started, here, so that its bots were or will be told of it.
  bool begun() const { return begun_.load(std::memory_order_acquire); }
  // Whether it has ended, sealed or not.
  bool over() const { return over_.load(std::memory_order_acquire); }
  // Whether its bots are told nothing more of it.
  bool end_told() const { return end_told_.load(std::memory_order_acquire); }
  // Posts an event that happened at `when`; for events of links see SetConnection. `stalls`: those
  // of the referee that measured it, if that is another. Ignored before Start. Thread-safe, like
  // the rest.
  void Post(match::Event event, Instant when,
            const absl::optional<match::Stalls>& stalls = absl::nullopt);
  // Answers Link::AskLag: the bot in `seat` has had its request for so much less than it seems
  // here, and `stalls` are those of the referee that has its stream.
  void NoteLag(Seat seat, absl::Duration lag, const match::Stalls& stalls);
  // Notes that the bot in `seat` was connected so, or no longer, from `when` on. Calls may come in
  // any order: a connection older than the known one has no effect.
  void SetConnection(Seat seat, Connection connection, Instant when);
  // Notes that request `request` of `turn` was to be handed to the transport, which does not take
  // it because it has not sent what went before.
  void RequestOffered(Seat seat, uint32_t turn, uint32_t request, Instant when);
  // Notes that it was handed over, having been offered at `offered`; InfiniteFuture: no earlier.
  // `round_trip` is the estimate for the link; zero if unknown.
  void RequestSent(Seat seat, uint32_t turn, uint32_t request, Instant when,
                   absl::Duration round_trip = absl::ZeroDuration(),
                   Instant offered = Instant::InfiniteFuture());
  // Adds an observer, which hears OnSnapshot first.
  void Watch(std::shared_ptr<Observer> observer);
  void Unwatch(const Observer* observer);
  // Calls `look`, on this thread or another, while no event is being handled.
  void Inspect(std::function<void(const MatchRunner&)> look);

  // For Inspect and observers' calls only. The match; null while it waits for its bots, if it ended
  // while it waited, if it could not be recorded, or if an earlier process ended it.
  const match::Match* match() const { return match_.get(); }
  // What was recorded so far and told. Returns FailedPrecondition once it is sealed, or
  // Unimplemented or another error of the recording.
  absl::StatusOr<std::vector<match::Record>> Records() const;
  // Turns that were played and recorded.
  uint32_t turns_played() const { return turns_played_; }
  // How it ended; null while it is open.
  const match::Ended* ended() const { return ended_ ? &*ended_ : nullptr; }
  // Whether its end is on record: a replay says it, or will. REQUIRES: ended().
  bool recorded() const { return recorded_; }
  // False if not even its opening could be recorded: whoever made it is told so.
  bool made() const { return made_; }

 private:
  struct StartOrder {
    std::unique_ptr<match::Match> match;  // null: a new one
    match::Event first;
    std::vector<std::shared_ptr<Bot>> bots;
  };
  struct StopOrder {
    match::Ending ending;
    std::string reason;
    std::string by = {};
    Seat unless_out = Seat::None();
  };
  struct LeaveOrder {};
  struct ConnectionOrder {
    Seat seat;
    Connection connection;
  };
  struct Order {  // one thing in the mailbox
    std::variant<match::Event, StartOrder, StopOrder, LeaveOrder, ConnectionOrder,
                 std::function<void(MatchRunner&)>>
        what;
    Instant when;
    absl::optional<match::Stalls> stalls = absl::nullopt;  // as in Post
  };

  void Put(Order order);
  void HandleAll();
  void Handle(Order& order);
  void Begin(StartOrder order, Instant when);
  void StopNow(StopOrder order, Instant when);
  void Step(const match::Event& event, Instant when,
            const absl::optional<match::Stalls>& stalls = absl::nullopt);
  // What is known of the bots' silence, if anything, decides whether their time is over.
  void JudgeSilence(const absl::optional<Silence::Known>& known);
  void MeasureOwnTime(const match::Event& event, Instant when);
  // Tells what is held, if it may be told now; else another thread goes on when it may, and this
  // one must touch nothing any more.
  bool TellHeld();
  // Goes on with what was held, of which `lasts` says whether its records last.
  void Release(const absl::Status& lasts);
  void EndUnrecorded(const absl::Status& written);
  // `recorded` is how writing the end went.
  void Finish(const match::Ended& ended, const absl::Status& recorded);
  void TellEnd(const absl::Status& sealed);

  const MatchId id_;
  const absl::Time create_time_;
  const MatchRequest request_;
  const std::string request_id_;
  const absl::optional<match::BlockPlace> block_place_;
  const bool is_apart_;
  const std::shared_ptr<const Environment> environment_;
  const std::shared_ptr<Block> block_;

  std::atomic<bool> begun_{false};
  std::atomic<bool> over_{false};
  std::atomic<bool> end_told_{false};

  Mutex mutex_;
  bool stepping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Order> inbox_ ABSL_GUARDED_BY(mutex_);

  // Touched only by the thread that is stepping.
  std::vector<Order> taken_;
  size_t handled_ = 0;  // of taken_
  // What may be told when its records last: what follows from the last step; of a match that did
  // not begin, its end; at first, that there is a match.
  struct Held {
    absl::Span<const match::Effect> effects;
    absl::optional<match::Ended> end;
  };
  absl::optional<Held> held_;
  absl::optional<match::Setup> setup_;  // of a match to be made
  dice::Seed seed_;                     // the same
  uint32_t turns_played_ = 0;
  std::unique_ptr<match::Match> match_;
  absl::optional<match::Ended> ended_;
  bool recorded_ = false;
  bool made_ = true;
  bool left_ = false;
  std::unique_ptr<replay::Recording> recording_;
  Audience audience_;
  Silence silence_;
  Timer timer_;  // for the next deadline, from the beginning to the end
  // When the reply arrived that led to the request not handed over yet; for on_own_time.
  Instant replied_ = Instant::InfiniteFuture();
};

}  // namespace referee::host

#endif  // REFEREE_HOST_MATCH_RUNNER_H_
