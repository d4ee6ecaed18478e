// A match as a state machine without I/O: it takes events and returns effects.
//
// It owns the rules, clocks, dice and verdict of one match. It reads no clock, draws no random
// number, sends nothing and writes nothing. Its caller (host/) first appends the records among the
// effects to the log, and then carries out the other effects. Thread-compatible.
//
//   Match match(setup, seed);
//   Run(match.Step(Begin{}, now, {now, wall}));
//   ...
//   Run(match.Step(Replied{Seat(0), 1, move}, arrival, {now, wall}));
//   wake_at(match.next_deadline());  // then Step(Tick{}, now, {now, wall})
//
// A match whose referee was killed is rebuilt from its records:
//
//   Match match(setup, seed);
//   if (absl::Status s = match.Rebuild(records); !s.ok()) return s;
//   Run(match.Step(Resume{limit}, now, {now, wall}));
//
// The matches of a block have the same bots and the same dice. A match must not reveal a roll that
// is still to come in another match of its block. It records and sends a turn or forfeit that leads
// to a roll only after RollReleased, and its end only after BlockOver. Effects say which event it
// waits for; the coordinator of the block (block.h) answers with that event.
//
// Nonces of committed dice come in two steps. First each bot sends Ready with the hash of its
// nonce. When all hashes are there, each bot reveals its nonce (AskNonce). See dice/DICE.md. A bot
// may resign before the start; the match does not wait for it. If that decides the match, the match
// starts and ends at once.
//
// Code: opening.h starts a match; turns.h asks for and plays moves, and takes seats out; replies.h
// judges replies; conclusion.h ends the match. They share position.h, clocks.h, seats.h and step.h.
// Match dispatches the events, and itself handles links and restarts.
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

  // REQUIRES: setup.commitment is that of `seed`; setup.bots has one bot for each seat of the game.
  Match(Setup setup, const dice::Seed& seed);

  // Restores a new match from its log. `records` are all records of the log, without an Ended. Step
  // Resume next. Returns DataLoss that names the turn if the records do not follow from the setup
  // and the seed; the match must not be used then.
  absl::Status Rebuild(absl::Span<const Record> records);

  // Handles one event, and returns the effects in the order in which to carry them out. `when` is
  // when the event happened: for a reply, when it came out of the transport. It may be earlier than
  // in previous steps. The effects are valid until the next Step. Once the match is over, the only
  // effect is TellFault. Ignores an event whose seat does not exist. Allocates no memory in the
  // steady state.
  absl::Span<const Effect> Step(const Event& event, Instant when, const Reading& reading);

  // Notes that the records of the last Step were written by `when`, and that its messages go to the
  // links now. A turn that the step made due is due from `when`. If the step allows the bot to try
  // again, the time until `when` counts as a stall of the referee.
  void Handing(Instant when);

  // The latest time to step Tick; InfiniteFuture if the match waits for no deadline.
  Instant next_deadline() const;

  Stage stage() const { return opening_.stage(); }
  const Setup& setup() const { return parts_.setup; }
  int seats() const { return parts_.setup.game->seats(); }

  // The position, without withheld decisions. Before kPlaying it is the start, without dice.
  const games::State& state() const { return parts_.position.state(); }
  // The legal moves of the due turn, sorted; empty if no turn is due.
  absl::Span<const games::Move> legal_moves() const { return parts_.position.legal(); }
  // The number of the turn that is due, from 1; one more than the number of turns played.
  uint32_t turn() const { return turns_.number(); }
  // The number of the current request for the due turn, from 0. It counts the forfeits that have
  // changed the position of this turn. A reply to an earlier request is refused at no cost.
  uint32_t request() const { return turns_.request(); }
  // The seat that has to move; None if none has.
  Seat seat_to_move() const { return turns_.mover(); }
  absl::optional<Played> last_turn() const { return turns_.last(); }
  // The seat's bank after its last turn; infinite without a bank.
  absl::Duration bank_left(Seat seat) const { return parts_.clocks.bank_left(seat); }
  // How long the due move may take in all; zero if no move is due.
  absl::Duration move_limit() const;
  // What is left of move_limit() at `now`, at least zero. All is left until the clock starts.
  absl::Duration time_left(Instant now) const;
  // When the seat to move will have used up its time; InfiniteFuture while no clock runs. A later
  // reply is a time loss, unless a stall of the referee excuses it.
  Instant time_out() const {
    return parts_.clocks.turn().TimeOut(parts_.clocks.turn().given_back());
  }
  // When the due turn became due; meaningless if no turn is due.
  Instant due() const { return parts_.clocks.turn().due(); }
  // The start of the time over which to count stalls for an event at `when` (Reading::stalls): when
  // the clock of the due turn last started or went on, or will start if the event starts it. While
  // the link is lost, the end of the grace. Returns `when` if no turn is due.
  Instant ClockRunsFrom(Instant when) const {
    return parts_.clocks.asked().valid() ? parts_.clocks.turn().WentOnBy(when) : when;
  }
  // Whether this match asks its bots for nonces: its dice are committed, and it is in no block, or
  // is rotation 0 of its block.
  bool AsksNonces() const { return opening_.AsksNonces(); }
  // Whether the bot has done all that it must do before the start, and has not resigned.
  bool ready(Seat seat) const { return opening_.ready(seat); }
  // Whether the match waits for the bot in the seat: for its move or, before the start, for its
  // readiness or its nonce.
  bool WaitsFor(Seat seat) const {
    return stage() == Stage::kPlaying ? seat == parts_.clocks.asked() : opening_.WaitsFor(seat);
  }
  // Whether the clock of the due turn has started.
  bool clock_runs() const { return parts_.clocks.turn().runs(); }
  // Whether the seat has resigned or forfeited.
  bool out(Seat seat) const { return parts_.forfeits.resigned(seat) || state().forfeited(seat); }
  const std::vector<Forfeited>& forfeits() const { return parts_.forfeits.all(); }
  // The last turn that the seat lost on time, to explain a late reply; none if it lost none since
  // the last restart of the referee.
  const absl::optional<LostTurn>& lost_turn(Seat seat) const { return replies_.lost_turn(seat); }
  // The end of the match, with its verdict; none before.
  const absl::optional<Ended>& ended() const { return conclusion_.ended(); }

  // The hashes of the nonces, from kRevealing on: by seat, in a block by seat in rotation 0. An
  // entry is not set if that seat sent no hash. Empty before, and if the dice take no nonces.
  const std::vector<absl::optional<dice::NonceHash>>& nonce_hashes() const {
    return opening_.nonce_hashes();
  }
  // The nonces of the key; null before the match has started. The coordinator of a block needs this
  // and the next two when the block goes on after a restart.
  const std::vector<std::string>* nonces() const {
    return parts_.started ? &parts_.started->nonces : nullptr;
  }
  // The key of the dice, once the match has started. Secret until the match, and all others of its
  // block, are over.
  const absl::optional<dice::Key>& key() const { return parts_.position.key(); }
  // Whether a turn is or was due: the draws before the first turn are made.
  bool has_position() const { return parts_.position.started(); }
  // The position string of state(). REQUIRES: has_position().
  const std::string& position() const { return parts_.position.text(); }
  // The last turn roll that was shown, as an index in the order of the block; kNoRoll if none
  // certainly was.
  int64_t roll_shown() const { return parts_.position.roll_shown(); }
  // The first roll, in that order, to which a future decision of a bot may lead; kNeverRolls if
  // there is none.
  int64_t roll_to_come() const { return ended() ? kNeverRolls : parts_.position.roll_to_come(); }

 private:
  void Handle(const Event& event);
  void CheckTime();
  void NoteLinkLost(const LinkLost& link);
  void NoteEntryGone(Seat seat, Instant when);
  void NoteLinkBack(const LinkBack& link);
  void Resign(const Resigned& event);
  // Handles Resume. StopAwaitingLinks ends the wait for links that follows.
  void GoOnAfterRestart(absl::Duration limit);
  void StopAwaitingLinks();

  Parts parts_;
  Conclusion conclusion_{&parts_};
  Turns turns_{&parts_, &conclusion_};
  Replies replies_{&parts_, &turns_, &conclusion_};
  Opening opening_{&parts_, &turns_, &conclusion_};
  std::vector<Record> missing_;  // draws that the log lacks, because it ends during the start
  bool contested_ = false;       // the log ends with NoContest
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_MATCH_H_
