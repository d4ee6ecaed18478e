#include "referee/host/silence.h"

#include <algorithm>
#include <utility>

#include "referee/host/link.h"

namespace referee::host {
namespace {

// How much later than the deadline the timer fires. So a reply that came out of the transport in
// time reaches the mailbox first.
constexpr absl::Duration kTimerSlack = absl::Milliseconds(2);

}  // namespace

bool Silence::AwaitsHandover(const match::Match& match, const Audience& audience) {
  const Seat seat = match.seat_to_move();
  return seat.valid() && match.WaitsFor(seat) && audience.relayed(seat) && !match.clock_runs();
}

void Silence::Follow(const match::Match& match) {
  const Question now = {match.stage(), match.turn(), match.request()};
  seats_.resize(static_cast<size_t>(match.seats()));
  if (now == question_) return;
  question_ = now;
  lag_ = absl::ZeroDuration();
  for (SeatState& seat : seats_) {
    seat.asked = false;
    seat.silent_until.reset();
  }
}

std::vector<Seat> Silence::SeatsIn(const match::Match& match, const Audience& audience) const {
  std::vector<Seat> seats;
  for (int i = 0; i < match.seats(); ++i) {
    if (match.WaitsFor(Seat(i)) && audience.relayed(Seat(i))) seats.push_back(Seat(i));
  }
  return seats;
}

absl::optional<Silence::Known> Silence::Check(const std::shared_ptr<MatchRunner>& runner,
                                              const match::Match& match, const Audience& audience,
                                              Instant now) {
  Follow(match);
  // The deadline may have moved before this check was handled.
  if (now < match.next_deadline() + kTimerSlack) return absl::nullopt;
  if (AwaitsHandover(match, audience)) return absl::nullopt;
  const std::vector<Seat> seats = SeatsIn(match, audience);
  if (seats.empty()) return Known{now, absl::nullopt};
  lag_ = absl::ZeroDuration();
  for (const Seat seat : seats) {
    SeatState& state = of(seat);
    state.silent_until.reset();
    if (std::exchange(state.asked, true)) continue;
    ++state.owed;
    audience.link(seat)->AskLag(runner, seat);
  }
  return absl::nullopt;
}

absl::optional<Silence::Known> Silence::Note(Seat seat, absl::Duration lag,
                                             const match::Stalls& stalls, const match::Match& match,
                                             const Audience& audience, Instant now) {
  Follow(match);
  SeatState& state = of(seat);
  if (state.owed == 0) return absl::nullopt;
  if (--state.owed > 0 || !std::exchange(state.asked, false)) return absl::nullopt;
  lag = std::max(absl::ZeroDuration(), lag);
  state.silent_until = now + -lag;
  state.stalls = stalls;
  lag_ = std::max(lag_, lag);
  Known known = {now, absl::nullopt};
  for (const Seat each : SeatsIn(match, audience)) {
    const SeatState& other = of(each);
    if (!other.silent_until) return absl::nullopt;
    known.until = std::min(known.until, *other.silent_until);
    if (match.stage() == match::Stage::kPlaying) known.stalls = other.stalls;
  }
  return known;
}

void Silence::Forget(Seat seat) {
  if (static_cast<size_t>(seat.index()) < seats_.size()) of(seat) = SeatState();
}

Instant Silence::NextCheck(const match::Match& match, const Audience& audience) {
  Follow(match);
  if (AwaitsHandover(match, audience)) return Instant::InfiniteFuture();
  for (const SeatState& seat : seats_) {
    if (seat.asked) return Instant::InfiniteFuture();
  }
  return match.next_deadline() + (kTimerSlack + lag_);
}

}  // namespace referee::host
