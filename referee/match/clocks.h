// The clocks of a match: what each seat has used and has left, and the clock of the turn that is
// due. Thread-compatible.
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
  // Both must outlive this; `step` says what time it is.
  Clocks(const Setup& setup, const CurrentStep* step);

  absl::Duration bank_left(Seat seat) const { return of(seat).bank_left; }
  // In all turns before.
  absl::Duration used(Seat seat) const { return of(seat).used; }
  // Of what all seats together may use.
  absl::Duration MatchTimeLeft() const { return setup_.time_control.match - used_; }
  // How long a move of the seat may take in the turn that is due.
  absl::Duration MoveLimit(Seat seat) const;

  // Count what a record charges, here or from the log. The first returns the bank that is left.
  absl::Duration Count(const Played& played);
  void Count(const Forfeited& forfeited, Seat mover);
  void CountTurn(Seat seat, absl::Duration used);
  // A forfeit before a restart lengthens no turn after it.
  void ForgetForfeits() { lengthened_ = false; }
  // What the referee stands still is charged to the seat from now on.
  void ChargeStalls(Seat seat);

  // The seat whose turn is due and asked for; None if none is.
  Seat asked() const { return asked_; }
  // The seat is asked. Its link may have been lost before, at `link_lost`, or its entry gone, at
  // `entry_gone`.
  void Ask(Seat seat, Instant link_lost, Instant entry_gone);
  // No turn is due.
  void Stop();
  TurnClock& turn() { return turn_; }
  const TurnClock& turn() const { return turn_; }
  // The request was handed to the transport, having been offered at `offered`.
  void Hand(absl::Duration round_trip, Instant offered);
  // Counts the request as handed over if nothing was heard of it in time.
  void NoteHandoverMissed();
  // When the request was written that the reply at hand answers; InfiniteFuture: not known.
  void SetWritten(Instant written) { written_ = written; }

  // What the due turn, answered or judged now, is charged and where its time went.
  absl::Duration Used() const { return turn_.Used(step_->when); }
  Timing TimingNow() const { return turn_.TimingAt(step_->when, step_->reading.now, written_); }
  // When the due turn has to be judged at the latest; InfiniteFuture if none is due.
  Instant Deadline() const;

 private:
  struct Account {
    absl::Duration bank_left;
    absl::Duration grace_left;
    absl::Duration lag_left;
    absl::Duration stall_left;    // that may be given back
    bool stalls_charged = false;  // nothing is given back any more
    bool moved = false;           // it has answered a turn, or was played for
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
  absl::Duration used_;      // by all seats, in all turns before
  bool lengthened_ = false;  // the due turn, by another seat's forfeit
  Seat asked_;
  TurnClock turn_;
  Instant written_ = Instant::InfiniteFuture();
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_CLOCKS_H_
