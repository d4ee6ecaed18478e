// Runs one match: a mailbox in front of the match's state machine.
//
// A thread that posts an event handles it, and all events that arrive meanwhile, unless another
// thread is already handling events of this match. So the events of a match are handled one at a
// time and in order. No lock is held while a match steps or a link is called.
//
// Records are flushed before anything that follows from them is sent. If they must first become
// durable, no thread waits for that. The match stands still, and its mailbox fills, until the
// recording reports the durability; then another thread goes on. So no message about a match goes
// out before its opening is durable. If a record cannot be written, the match is void, and what
// could not be recorded is never sent.
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

// The terms of a match to create.
struct MatchRequest {
  std::shared_ptr<const games::Game> game;
  std::vector<std::string> bots;  // names, by seat, all different
  match::TimeControl time_control;
  match::DiceSource dice_source;
  match::Policies policies;
};

// The terms of a block to create: the same dice for every rotation of the seats, n matches for n
// seats.
struct BlockRequest {
  MatchRequest match;  // of rotation 0
  BlockId id;          // default-made: the host chooses one
};

class MatchRunner : public std::enable_shared_from_this<MatchRunner> {
 public:
  struct Environment {
    const Clock* clock;
    Timers* timers;
    Executor* executor;
    // Continues matches when their records are durable. Null: the thread that reports it does.
    Executor* mailboxes;
    // The stalls of the referee itself. May be null.
    const StallLog* stalls;
    // Called once, on the executor, after the match is over and sealed and its bots were notified.
    // It is the last action of a match.
    std::function<void(const std::shared_ptr<MatchRunner>&, const absl::Status& sealed)> on_over;
    // Called before on_over, while the match is stepping, with the recording of a match that could
    // not be archived. The receiver retries.
    std::function<void(const MatchId&, std::unique_ptr<replay::Recording>)> on_unsealed;
    // Called instead of on_over if the match was left in the log.
    std::function<void(const std::shared_ptr<MatchRunner>&)> on_left;
    // See HostOptions. Both may be null.
    std::function<void(absl::Duration)> on_own_time;
    std::function<void(const match::Match&, const match::Record&)> on_record;
  };

  // Creates a match that waits for Start or Resume. `recorded` is what its recording holds so far.
  // `block` is its block, to which the caller adds it; null if it is in none. `apart`: its place in
  // a block that is played apart, which neither the match nor its record has.
  MatchRunner(replay::Unfinished recorded, std::shared_ptr<const Environment> environment,
              std::shared_ptr<Block> block = nullptr,
              const absl::optional<match::BlockPlace>& apart = {});
  // Creates a match that an earlier process ended after `turns` turns.
  MatchRunner(const match::Setup& setup, match::Ended ended, uint32_t turns,
              std::shared_ptr<const Environment> environment);

  const MatchId& id() const { return id_; }
  absl::Time create_time() const { return create_time_; }
  const MatchRequest& request() const { return request_; }
  // The request id of the call that made the match or its block; may be empty.
  const std::string& request_id() const { return request_id_; }
  // The place of the match in a block, if any.
  const absl::optional<match::BlockPlace>& block_place() const { return block_place_; }
  // Whether the match is in a block that is played apart, which its record does not mention.
  bool is_apart() const { return is_apart_; }
  // Null if the match is in no block, or an earlier process ended it.
  const std::shared_ptr<Block>& block() const { return block_; }

  // Begins the match. REQUIRES: one of Start and Resume is called, once; `bots` by seat.
  void Start(std::vector<std::shared_ptr<Bot>> bots);
  // Goes on with `match`, which was rebuilt from the recording; waits for its bots for `limit`.
  void Resume(std::unique_ptr<match::Match> match, absl::Duration limit,
              std::vector<std::shared_ptr<Bot>> bots);
  // Ends the match, begun or not, without a result. A match of a block whose game is over ends with
  // its result instead (match::Stopped). The rest of its block is stopped with it. `by` is as in
  // match::Verdict::cancelled_by. If `unless_out` is a seat that is out, does nothing.
  void Stop(match::Ending ending, std::string reason, std::string by = "",
            Seat unless_out = Seat::None());
  // Leaves the match, running or waiting, as it is in the log. It handles no more events, and its
  // bots get no more messages. Does nothing if the match is over.
  void Leave();
  // Whether the match was begun by this process, so that its bots were or will be notified.
  bool begun() const { return begun_.load(std::memory_order_acquire); }
  // Whether the match has ended, sealed or not.
  bool over() const { return over_.load(std::memory_order_acquire); }
  // Whether the end was sent, so that the bots get no more messages about the match.
  bool end_told() const { return end_told_.load(std::memory_order_acquire); }
  // Posts an event that happened at `when`; for links use SetConnection. `stalls`: the stalls of
  // the referee that measured the event, if that is another one. Ignored before Start. Thread-safe,
  // like all methods up to Inspect.
  void Post(match::Event event, Instant when,
            const absl::optional<match::Stalls>& stalls = absl::nullopt);
  // Answers Link::AskLag. The bot in `seat` has had its request for `lag` less than it seems at
  // this referee. `stalls` are the stalls of the referee that has its stream.
  void NoteLag(Seat seat, absl::Duration lag, const match::Stalls& stalls);
  // Notes the connection of the bot in `seat` from `when` on. Calls may come in any order: a
  // connection that is no newer than the known one has no effect.
  void SetConnection(Seat seat, Connection connection, Instant when);
  // Notes that request `request` of `turn` was offered to the link, whose transport has not taken
  // earlier messages yet.
  void RequestOffered(Seat seat, uint32_t turn, uint32_t request, Instant when);
  // Notes that the request was handed over. `offered`: when it was offered; InfiniteFuture: at the
  // handover. `round_trip` is the estimate for the link; zero if unknown.
  void RequestSent(Seat seat, uint32_t turn, uint32_t request, Instant when,
                   absl::Duration round_trip = absl::ZeroDuration(),
                   Instant offered = Instant::InfiniteFuture());
  // Adds an observer. Its first call is OnSnapshot.
  void Watch(std::shared_ptr<Observer> observer);
  void Unwatch(const Observer* observer);
  // Calls `look`, on this thread or another, while no event is being handled.
  void Inspect(std::function<void(const MatchRunner&)> look);

  // The rest is only for Inspect and for calls of observers. The match; null while it waits for its
  // bots, if it ended while it waited, if it could not be recorded, or if an earlier process ended
  // it.
  const match::Match* match() const { return match_.get(); }
  // What was recorded and published so far. Returns FailedPrecondition once the match is sealed, or
  // an error of the recording, such as Unimplemented.
  absl::StatusOr<std::vector<match::Record>> Records() const;
  // Turns that were played and recorded.
  uint32_t turns_played() const { return turns_played_; }
  // The end of the match; null while it is open.
  const match::Ended* ended() const { return ended_ ? &*ended_ : nullptr; }
  // Whether the end is on record: a replay has it, or will have it. REQUIRES: ended().
  bool recorded() const { return recorded_; }
  // False if not even the opening of the match could be recorded.
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
  struct Order {  // one entry of the mailbox
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
  // Steps a Tick if it is known until when the bots were silent.
  void JudgeSilence(const absl::optional<Silence::Known>& known);
  void MeasureOwnTime(const match::Event& event, Instant when);
  // Sends what is held if its records are durable, and returns true. Else returns false: another
  // thread goes on later, and the caller must not touch anything any more.
  bool TellHeld();
  // Goes on with what was held. `lasts`: whether its records have become durable.
  void Release(const absl::Status& lasts);
  void EndUnrecorded(const absl::Status& written);
  // Ends the match. `recorded` is the result of writing its end.
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

  // Used only by the thread that is stepping.
  std::vector<Order> taken_;
  size_t handled_ = 0;  // how many of taken_ are handled
  // What to send once its records are durable: the effects of the last step, or the end of a match
  // that did not begin. Empty at first, while the opening is not durable.
  struct Held {
    absl::Span<const match::Effect> effects;
    absl::optional<match::Ended> end;
  };
  absl::optional<Held> held_;
  absl::optional<match::Setup> setup_;  // of a match that has not begun
  dice::Seed seed_;                     // of the same match
  uint32_t turns_played_ = 0;
  std::unique_ptr<match::Match> match_;
  absl::optional<match::Ended> ended_;
  bool recorded_ = false;
  bool made_ = true;
  bool left_ = false;
  std::unique_ptr<replay::Recording> recording_;
  Audience audience_;
  Silence silence_;
  Timer timer_;  // for the next deadline, while the match runs
  // When the reply arrived that led to the next request, until its handover; for on_own_time.
  Instant replied_ = Instant::InfiniteFuture();
};

}  // namespace referee::host

#endif  // REFEREE_HOST_MATCH_RUNNER_H_
