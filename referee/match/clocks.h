// The time accounts of the seats of a match, and the clock of the turn that is due.
//
// Thread-compatible.
#ifndef REFEREE_MATCH_CLOCKS_H_
#define REFEREE_MATCH_CLOCKS_H_

#include <vector>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/match/record.h"
#include "referee/match/step.h"
#include "referee/match/turn_clock.h"

namespace referee::match {

class Clocks {
 public:
  // Both must outlive this. `step` gives the time of the current event.
  Clocks(const Setup& setup, const CurrentStep* step);

  absl::Duration bank_left(Seat seat) const { return of(seat).bank_left; }
  // Time that the seat has used in all earlier turns.
  absl::Duration used(Seat seat) const { return of(seat).used; }
  // What is left of TimeControl::match, which all seats share; may be negative.
  absl::Duration MatchTimeLeft() const { return setup_.time_control.match - used_; }
  // The longest that a move of the seat may take in the turn that is due.
  absl::Duration MoveLimit(Seat seat) const;

  // Charge what a record says, live or from the log. The first returns the bank that is left.
  absl::Duration Count(const Played& played);
  void Count(const Forfeited& forfeited, Seat mover);
  void CountTurn(Seat seat, absl::Duration used);
  // Forgets forfeits from before a restart: they do not lengthen turns after it.
  void ForgetForfeits() { lengthened_ = false; }
  // Charges the referee's stalls to the seat from now on, instead of giving them back.
  void ChargeStalls(Seat seat);

  // The seat that has been asked for the due turn; None if no seat has.
  Seat asked() const { return asked_; }
  // Starts the turn of a seat. If the seat has no link now, one of the instants is finite: when the
  // bot lost its connection (`link_lost`), or when its entry was lost (`entry_gone`).
  void Ask(Seat seat, Instant link_lost, Instant entry_gone);
  // Ends the turn: no turn is due until the next Ask.
  void Stop();
  TurnClock& turn() { return turn_; }
  const TurnClock& turn() const { return turn_; }
  // Notes that the request was handed to the transport; the link was offered it at `offered`.
  void Hand(absl::Duration round_trip, Instant offered);
  // Counts the request as handed over if its handover was not reported in time.
  void NoteHandoverMissed();
  // Sets when the transport wrote the request that is now answered; InfiniteFuture: not known.
  void SetWritten(Instant written) { written_ = written; }

  // The charge and the timing of the due turn if it is answered or judged now.
  absl::Duration Used() const { return turn_.Used(step_->when); }
  Timing TimingNow() const { return turn_.TimingAt(step_->when, step_->reading.now, written_); }
  // The latest time to judge the due turn; InfiniteFuture if none is due or its clock is held.
  Instant Deadline() const;

 private:
  struct Account {
    absl::Duration bank_left;
    absl::Duration grace_left;
    absl::Duration lag_left;
    absl::Duration stall_left;    // what may still be given back
    bool stalls_charged = false;  // no stalls are given back any more
    bool moved = false;           // the bot, or the referee in its place, has made a move
    absl::Duration used;
  };

  Account& of(Seat seat) { return accounts_[static_cast<size_t>(seat.index())]; }
  const Account& of(Seat seat) const { return accounts_[static_cast<size_t>(seat.index())]; }
  absl::Duration FirstMoveAllowance(Seat seat) const {
    return of(seat).moved ? absl::ZeroDuration() : setup_.time_control.first_move;
  }

  const Setup& setup_;
  const CurrentStep* const step_;
  std::vector<Account> accounts_;
  absl::Duration used_;      // by all seats, in all earlier turns
  bool lengthened_ = false;  // another seat's forfeit has lengthened the due turn
  Seat asked_;
  TurnClock turn_;
  Instant written_ = Instant::InfiniteFuture();
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_CLOCKS_H_
