#include "referee/match/turn_clock.h"

#include <algorithm>

#include "referee/base/limits.h"

namespace referee::match {

void TurnClock::Reset(Instant due, absl::Duration limit, absl::Duration grace) {
  Clear();
  due_ = due;
  limit_ = limit;
  grace_ = grace;
}

void TurnClock::Start(Instant when) {
  start_ = std::min(start_, std::min(std::max(when, due_), HandoverDeadline()));
}

Instant TurnClock::HandoverDeadline() const { return due_ + limits::kHandoverLimit; }

void TurnClock::Pause(Instant when) {
  if (pause_ == Instant::InfiniteFuture()) pause_ = std::max(when, due_);
}

void TurnClock::Continue(Instant when) {
  paused_ = Paused(when);
  pause_ = Instant::InfiniteFuture();
}

void TurnClock::Credit(absl::Duration credit) { credit_ = std::max(credit_, credit); }

void TurnClock::SetRoundTrip(absl::Duration round_trip) {
  round_trip_ = std::max(round_trip_, round_trip);
}

absl::Duration TurnClock::Paused(Instant now) const {
  if (pause_ == Instant::InfiniteFuture() || !runs()) return paused_;
  const Instant from = std::max(pause_, start_);
  if (now <= from) return paused_;
  return std::min(grace_, paused_ + (now - from));
}

// Without the credit.
absl::Duration TurnClock::Elapsed(Instant now) const {
  if (!runs()) return absl::ZeroDuration();
  return std::max(absl::ZeroDuration(), now - start_ - Paused(now));
}

absl::Duration TurnClock::Used(Instant now) const {
  return std::max(absl::ZeroDuration(), Elapsed(now) - credit_);
}

Instant TurnClock::TimeOut() const {
  if (!runs()) return Instant::InfiniteFuture();
  const Instant straight = start_ + (limit_ + credit_ + paused_);
  // A pause that begins in time will last as long as the grace does.
  if (pause_ > straight) return straight;
  return start_ + (limit_ + credit_ + std::max(paused_, grace_));
}

Timing TurnClock::TimingAt(Instant read, Instant taken, Instant written) const {
  Timing timing;
  // What is told late may have happened before the turn was due, or before its clock started.
  read = std::max(read, due_);
  timing.started = std::min(start_, read) - due_;
  if (written < Instant::InfiniteFuture() && written >= due_ && written <= taken) {
    timing.written = written - due_;
  }
  timing.read = read - due_;
  timing.taken = taken - due_;
  timing.round_trip = round_trip_;
  timing.paused = Paused(read);
  timing.credit = std::min(credit_, Elapsed(read));
  return timing;
}

}  // namespace referee::match
