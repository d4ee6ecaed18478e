// A match as a state machine without I/O: takes an event, returns effects. It owns the rules, the
// clocks, the dice and the verdict of one match; it reads no clock, draws no random number, sends
// nothing, writes nothing. Its caller (host/) appends the records among the effects to the log
// before it carries out the other effects. Thread-compatible.
//
//   Match match(setup, seed);
//   Run(match.Step(Begin{}, now, {now, wall}));
//   ...
//   Run(match.Step(Replied{Seat(0), 1, move}, arrival, {now, wall}));
//   wake_at(match.next_deadline());  // then Step(Tick{}, now, {now, wall})
//
// A match whose referee was killed goes on from its records:
//
//   Match match(setup, seed);
//   if (absl::Status s = match.Rebuild(records); !s.ok()) return s;
//   Run(match.Step(Resume{limit}, now, {now, wall}));
//
// A match of a block (matches of the same bots with the same dice) must not reveal a roll that is
// still to come in another: it records and tells a turn or forfeit that leads to a roll only after
// RollReleased, and its end only after BlockOver. An effect says what it waits for; the coordinator
// of the block (block.h) answers with the event.
//
// The nonces of committed dice come in two steps: each bot is ready with the hash of its nonce, and
// reveals the nonce (AskNonce) when the hashes of all are there. See dice/DICE.md. A bot may resign
// before the start: nobody waits for it, and a match that this decides starts and ends at once.
//
// Code: opening.h is the start; turns.h asks, plays and takes seats out; replies.h judges; and
// conclusion.h ends. They work on the parts of the match: position.h, clocks.h, seats.h, step.h.
// Match passes the events on, and keeps what concerns links and restarts.
#ifndef REFEREE_MATCH_MATCH_H_
#define REFEREE_MATCH_MATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/conclusion.h"
#include "referee/match/opening.h"
#include "referee/match/record.h"
#include "referee/match/replies.h"
#include "referee/match/step.h"
#include "referee/match/turns.h"

namespace referee::match {

class Match {
 public:
  using Stage = match::Stage;

  // REQUIRES: setup.commitment is that of `seed`; as many bots as the game has seats.
  Match(Setup setup, const dice::Seed& seed);

  // Brings a new match to where `records` left it: all that were written to the log, none of
  // them Ended. Step Resume next. Returns DataLoss that names the turn when they are not what this
  // setup and this seed lead to; then the match must not be used.
  absl::Status Rebuild(absl::Span<const Record> records);

  // Handles one event and returns what is to be done, in order. `when` is when the event happened
  // (for a reply: when it came out of the transport) and may be earlier than in steps before. The
  // effects are valid until the next Step. Once the match is over, no event has an effect but
  // TellFault. Allocates nothing in the steady state.
  absl::Span<const Effect> Step(const Event& event, Instant when, const Reading& reading);

  // Notes that the records among the effects of the last Step were written by `when`, and that what
  // it says goes to the links now: a turn that this step has made due is due from then on; where a
  // move may be tried again, the time until then is the referee's own.
  void Handing(Instant when);

  // When to step Tick at the latest; InfiniteFuture if nothing is waited for.
  Instant next_deadline() const;

  Stage stage() const { return opening_.stage(); }
  const Setup& setup() const { return parts_.setup; }
  int seats() const { return parts_.setup.game->seats(); }

  // The position; without what is withheld. Before kPlaying it is the start, without dice.
  const games::State& state() const { return parts_.position.state(); }
  // The legal moves of the turn that is due, sorted; none if none is.
  absl::Span<const games::Move> legal_moves() const { return parts_.position.legal(); }
  // The number of the turn that is due, from 1. Turns played are one fewer.
  uint32_t turn() const { return turns_.number(); }
  // The number of the current request for that turn, from 0: how often forfeits have changed its
  // position. A reply to an earlier request is refused and costs nothing.
  uint32_t request() const { return turns_.request(); }
  // The seat whose move is waited for; None if none is.
  Seat seat_to_move() const { return turns_.mover(); }
  absl::optional<Played> last_turn() const { return turns_.last(); }
  // Left in the bank at the end of the seat's last turn; infinite without a bank.
  absl::Duration bank_left(Seat seat) const { return parts_.clocks.bank_left(seat); }
  // How long the move that is due may take in all; zero if none is.
  absl::Duration move_limit() const;
  // What is left of move_limit() at `now`, at least zero; all of it while the clock does not run.
  absl::Duration time_left(Instant now) const;
  // When the seat to move will have used up its time; InfiniteFuture while no clock runs. A reply
  // that came out of the transport later is a time loss, unless the referee stood still meanwhile.
  Instant time_out() const {
    return parts_.clocks.turn().TimeOut(parts_.clocks.turn().given_back());
  }
  // When the turn became due; meaningless when none is.
  Instant due() const { return parts_.clocks.turn().due(); }
  // Since when the clock of the turn that is due has run without standing still, or will have if an
  // event that happened at `when` starts it; `when` if no turn is due.
  Instant ClockRunsFrom(Instant when) const {
    return parts_.clocks.asked().valid() ? parts_.clocks.turn().WentOnBy(when) : when;
  }
  // Whether the bots are asked for nonces: unless the dice are pinned, or come from rotation 0.
  bool AsksNonces() const { return opening_.AsksNonces(); }
  // Whether the seat has done all that it is asked for before the start, and has not resigned.
  bool ready(Seat seat) const { return opening_.ready(seat); }
  // Whether the match waits for the bot in the seat: for its move or, before the start, for what
  // makes it ready.
  bool WaitsFor(Seat seat) const {
    return stage() == Stage::kPlaying ? seat == parts_.clocks.asked() : opening_.WaitsFor(seat);
  }
  // Whether the clock of the turn that is due has started.
  bool clock_runs() const { return parts_.clocks.turn().runs(); }
  // Whether the seat has resigned or forfeited.
  bool out(Seat seat) const { return parts_.forfeits.resigned(seat) || state().forfeited(seat); }
  const std::vector<Forfeited>& forfeits() const { return parts_.forfeits.all(); }
  // The last turn that the seat lost on time, for what is told of a late reply; none if it lost
  // none, or only before a restart of the referee.
  const absl::optional<LostTurn>& lost_turn(Seat seat) const { return replies_.lost_turn(seat); }
  // Set once the match is over.
  const absl::optional<Ended>& ended() const { return conclusion_.ended(); }

  // The hashes of the nonces, by seat, in a block by seat in rotation 0, from kRevealing on;
  // nothing of a seat that told none. Empty before, and where there are no nonces.
  const std::vector<absl::optional<dice::NonceHash>>& nonce_hashes() const {
    return opening_.nonce_hashes();
  }
  // For the coordinator of a block that goes on after a restart, as are the next two. The nonces of
  // the key; null before the match has started.
  const std::vector<std::string>* nonces() const {
    return parts_.started ? &parts_.started->nonces : nullptr;
  }
  // The key of the dice, from the start of the match on; a secret until the match is over, and
  // those of its block.
  const absl::optional<dice::Key>& key() const { return parts_.position.key(); }
  // Whether the first turn is due, or was.
  bool has_position() const { return parts_.position.started(); }
  // The position string of state(). REQUIRES: has_position().
  const std::string& position() const { return parts_.position.text(); }
  // The last roll that was shown, in the order of the block; kNoRoll if none certainly was.
  int64_t roll_shown() const { return parts_.position.roll_shown(); }
  // The first roll, in that order, that a future decision of a bot may lead to; kNeverRolls if
  // there is none.
  int64_t roll_to_come() const { return ended() ? kNeverRolls : parts_.position.roll_to_come(); }

 private:
  void Handle(const Event& event);
  void CheckTime();
  void NoteLinkLost(const LinkLost& link);
  void NoteEntryGone(Seat seat, Instant when);
  void NoteLinkBack(const LinkBack& link);
  void Resign(const Resigned& event);
  // Handles Resume, and the end of the wait for links that follows.
  void GoOnAfterRestart(absl::Duration limit);
  void StopAwaitingLinks();

  Parts parts_;
  Conclusion conclusion_{&parts_};
  Turns turns_{&parts_, &conclusion_};
  Replies replies_{&parts_, &turns_, &conclusion_};
  Opening opening_{&parts_, &turns_, &conclusion_};
  std::vector<Record> missing_;  // of a log that ends in the middle of the start
  bool contested_ = false;       // the log ends with NoContest
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_MATCH_H_
