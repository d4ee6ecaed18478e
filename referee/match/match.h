// A match as a state machine without I/O: an event in, effects out. It owns the rules, the clocks,
// the dice and the verdict of one match; it reads no clock, draws no random number, sends nothing,
// writes nothing. Whoever runs it (host/) appends the records among the effects to the journal
// before it does what else they say. Thread-compatible.
//
//   Match match(setup, seed);
//   Run(match.Step(Begin{}, now));
//   ...
//   Run(match.Step(Replied{Seat(0), 1, move}, arrival));
//   wake_at(match.next_deadline());  // then Step(Tick{}, now)
//
// Instants given to Step are when the thing happened (for a reply: when it came out of the
// transport), not when Step is called, and may be earlier than those of steps before.
#ifndef REFEREE_MATCH_MATCH_H_
#define REFEREE_MATCH_MATCH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/record.h"

namespace referee::match {

// --- Events ---

// The bots are seated. The first event, once.
struct Begin {};
// A bot is ready, with its part in the dice (at most 32 bytes; the caller has checked).
struct ReadyReceived {
  Seat seat;
  std::string nonce;
};
// The request for the turn was handed to the transport: the clock of the seat starts.
struct RequestSent {
  Seat seat;
  uint32_t turn = 0;
};
// A bot has answered a turn with a move that could be read.
struct Replied {
  Seat seat;
  uint32_t turn = 0;
  games::Move claimed;  // for State::Resolve
};
// A bot has answered a turn with something that could not be read; `problem` says why.
struct RepliedUnreadably {
  Seat seat;
  uint32_t turn = 0;
  absl::Status problem;
};
// next_deadline() may have passed.
struct Tick {};
struct LinkLost {
  Seat seat;
};
struct LinkBack {
  Seat seat;
};
struct Resigned {
  Seat seat;
};
// Ends the match without a result. `ending` is kVoid or kCancelled.
struct Stopped {
  Ending ending = Ending::kCancelled;
  std::string reason;
};

using Event = std::variant<Begin, ReadyReceived, RequestSent, Replied, RepliedUnreadably, Tick,
                           LinkLost, LinkBack, Resigned, Stopped>;

// --- Effects: records (record.h), to be written first and then told, and these ---

// Tell `seat` that the match begins (MatchStart), with the position if it has begun: the stage is
// kPlaying then.
struct TellStart {
  Seat seat;
};
// Ask `seat` for its move in the turn that is due, and step RequestSent when that is done. Comes
// again for the same turn when the seat's link is back, and when another seat's forfeit has changed
// the position; the clock runs on then. A seat whose link is lost is asked all the same, and its
// clock runs from the start.
struct AskTurn {
  Seat seat;
};
// Tell `seat` that something it said could not be taken.
struct TellFault {
  enum class Kind { kWrongTurn, kUnexpectedReady };
  Seat seat;
  Kind kind = Kind::kWrongTurn;
  uint32_t turn = 0;  // that the bot named; 0 for kUnexpectedReady
  std::string message;
};

using Effect = std::variant<TellStart, AskTurn, TellFault, Record>;

class Match {
 public:
  enum class Stage {
    kNew,       // before Begin
    kReadying,  // waits for ReadyReceived of every seat
    kPlaying,
    kOver,
  };

  // REQUIRES: setup.commitment is that of `seed`; as many bots as the game has seats.
  Match(Setup setup, const dice::Seed& seed);

  // Takes one event and returns what is to be done, in order. `now` is when the event happened,
  // `wall_now` the calendar then. The effects are valid until the next Step. Once the match is
  // over, no event has an effect but TellFault. Allocates nothing in the steady state.
  absl::Span<const Effect> Step(const Event& event, Instant now, absl::Time wall_now);

  // When to step Tick at the latest; InfiniteFuture if nothing is waited for.
  Instant next_deadline() const { return next_deadline_; }

  Stage stage() const { return stage_; }
  const Setup& setup() const { return setup_; }
  int seats() const { return setup_.game->seats(); }

  // The position. Before kPlaying it is the start, without dice.
  const games::State& state() const { return *state_; }
  // The legal moves of the turn that is due, sorted; none if none is.
  absl::Span<const games::Move> legal_moves() const { return legal_; }
  // The number of the turn that is due, from 1. Turns played are one fewer.
  uint32_t turn() const { return turn_; }
  // The seat whose move is waited for; None if none is.
  Seat seat_to_move() const;
  absl::optional<Played> last_turn() const { return last_turn_; }
  // Left in the bank at the end of the seat's last turn; infinite without a bank.
  absl::Duration bank_left(Seat seat) const { return seats_[seat.index()].bank_left; }
  // What the move that is due may take, all told; zero if none is.
  absl::Duration move_limit() const;
  // What is left of move_limit() at `now`, at least zero; all of it while the clock does not run.
  absl::Duration time_left(Instant now) const;
  bool ready(Seat seat) const { return seats_[seat.index()].ready; }
  const std::vector<Forfeited>& forfeits() const { return forfeits_; }
  // Set once the match is over.
  const absl::optional<Ended>& ended() const { return ended_; }

 private:
  struct SeatState {
    bool ready = false;
    bool resigned = false;                          // before the start; becomes a forfeit at it
    Instant link_lost = Instant::InfiniteFuture();  // when; InfiniteFuture while it is there
    uint32_t last_played = 0;                       // the number of its last turn
    std::string nonce;
    absl::Duration bank_left;

    bool linked() const { return link_lost == Instant::InfiniteFuture(); }
  };

  void On(const Begin& event);
  void On(const ReadyReceived& event);
  void On(const RequestSent& event);
  void On(const Replied& event);
  void On(const RepliedUnreadably& event);
  void On(const Tick& event);
  void On(const LinkLost& event);
  void On(const LinkBack& event);
  void On(const Resigned& event);
  void On(const Stopped& event);

  // Adds a record to the effects.
  template <typename Kind>
  void Write(Kind record);

  // The start.
  bool EverySeatReady() const;
  void EndReadying();
  void Start();
  void ForfeitAbsentSeats();

  // Turns.
  void GoOn();
  void Ask();
  void Play(games::Move move, absl::Duration used);
  void DrawChance();
  uint64_t PositionDigest();

  // The clock of the turn that is due.
  bool IsDue(Seat seat, uint32_t turn) const { return seat == asked_ && turn == turn_; }
  bool ClockRuns() const { return clock_start_ < Instant::InfiniteFuture(); }
  void StartClock(Instant when);
  Instant HandoverDeadline() const;
  absl::Duration Used() const;
  Instant TimeOut() const { return clock_start_ + move_limit(); }
  Instant NextDeadline() const;

  // Replies.
  bool TakesReply(Seat seat, uint32_t turn);
  absl::Status WhyNotTaken(Seat seat, uint32_t turn) const;
  void TellReadyFault(Seat seat, const absl::Status& problem);

  // Ends.
  void ForfeitAndGoOn(Seat seat, Cause cause, std::string detail);
  void Forfeit(Seat seat, Cause cause, std::string detail);
  void LoseOnTime();
  void Finish();
  void End(Ended ended);

  const Setup setup_;
  const dice::Seed seed_;
  Stage stage_ = Stage::kNew;
  std::unique_ptr<games::State> state_;
  absl::optional<dice::Key> key_;
  std::vector<SeatState> seats_;
  Instant ready_deadline_;
  uint32_t turn_ = 1;
  std::vector<games::Move> legal_;
  Seat asked_;                                       // whose request is pending; or None
  Instant asked_at_;                                 // when that turn came to be due
  Instant clock_start_ = Instant::InfiniteFuture();  // of that seat; InfiniteFuture: not yet
  absl::optional<Played> last_turn_;
  std::vector<Forfeited> forfeits_;
  absl::optional<Ended> ended_;
  Instant next_deadline_ = Instant::InfiniteFuture();
  std::vector<Effect> effects_;
  std::string position_;  // reused
  Instant now_;           // of the step under way
  absl::Time wall_now_;   // of the step under way
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_MATCH_H_
