#include "referee/match/clocks.h"

#include <algorithm>

namespace referee::match {
namespace {

// The resolution of the machine's clock.
constexpr absl::Duration kResolution = absl::Nanoseconds(1);

}  // namespace

Clocks::Clocks(const Setup& setup, const CurrentStep* step) : setup_(setup), step_(step) {
  Account account;
  account.bank_left = setup.time_control.bank;
  account.grace_left = setup.policies.link_grace;
  account.lag_left = setup.policies.lag.per_match;
  account.stall_left = setup.time_control.stall_per_match;
  accounts_.assign(setup.bots.size(), account);
}

absl::Duration Clocks::MoveLimit(Seat seat) const {
  const absl::Duration per_move = setup_.time_control.per_move * (lengthened_ ? 2 : 1);
  const absl::Duration own = std::min(per_move, bank_left(seat)) + FirstMoveAllowance(seat);
  return std::min(own, std::max(absl::ZeroDuration(), MatchTimeLeft()));
}

absl::Duration Clocks::Count(const Played& played) {
  Account& seat = of(played.seat);
  lengthened_ = false;
  if (!played.timing) return seat.bank_left;  // a pass
  const absl::Duration charged =
      std::max(absl::ZeroDuration(), played.used - FirstMoveAllowance(played.seat));
  seat.bank_left =
      std::max(absl::ZeroDuration(), seat.bank_left - charged) + setup_.time_control.increment;
  seat.moved = true;
  seat.grace_left -= played.timing->paused;
  seat.lag_left -= played.timing->credit;
  seat.stall_left -= played.timing->stalled;
  seat.stalls_charged |= played.timing->stalls_charged;
  CountTurn(played.seat, played.used);
  return seat.bank_left;
}

// Another seat's forfeit lengthens the turn of `mover`, but only once.
void Clocks::Count(const Forfeited& forfeited, Seat mover) {
  lengthened_ = forfeited.seat != mover && (forfeited.interrupts_turn || lengthened_);
  used_ += forfeited.used;
}

void Clocks::CountTurn(Seat seat, absl::Duration used) {
  of(seat).used += used;
  used_ += used;
}

void Clocks::ChargeStalls(Seat seat) {
  of(seat).stalls_charged = true;
  if (seat == asked_) turn_.ChargeStalls();
}

void Clocks::Ask(Seat seat, Instant link_lost, Instant entry_gone) {
  const Account& account = of(seat);
  const absl::Duration stall = setup_.time_control.stall_per_move;
  asked_ = seat;
  turn_.Reset(step_->when, MoveLimit(seat), account.grace_left,
              {stall, std::min(stall, account.stall_left)});
  if (account.stalls_charged) turn_.ChargeStalls();
  if (entry_gone < Instant::InfiniteFuture()) turn_.Hold(entry_gone);
  if (link_lost == Instant::InfiniteFuture()) return;
  // The link may have been lost after the reply that made this turn due was read.
  turn_.Start(link_lost);
  turn_.Pause(link_lost);
}

void Clocks::Stop() {
  asked_ = Seat::None();
  turn_.Clear();
}

void Clocks::Hand(absl::Duration round_trip, Instant offered) {
  turn_.Offer(std::min(offered, step_->when));
  turn_.Start(step_->when);
  turn_.SetRoundTrip(round_trip);
  const absl::Duration most = std::min(setup_.policies.lag.per_move, of(asked_).lag_left);
  turn_.Credit(std::min(round_trip, most));
}

void Clocks::NoteHandoverMissed() {
  if (turn_.runs() || turn_.held()) return;
  if (step_->when > turn_.HandoverDeadline()) turn_.MissHandover(step_->when);
}

Instant Clocks::Deadline() const {
  if (!asked_.valid() || turn_.held()) return Instant::InfiniteFuture();
  if (!turn_.runs()) return turn_.HandoverDeadline() + kResolution;
  return turn_.TimeOut(turn_.waited_out()) + kResolution;
}

}  // namespace referee::match
