#include "referee/match/turn_clock.h"

#include <algorithm>

namespace referee::match {

void TurnClock::Reset(Instant due, absl::Duration limit, absl::Duration grace,
                      const StallTerms& stalls) {
  Clear();
  due_ = due;
  limit_ = limit;
  grace_ = grace;
  stall_terms_ = stalls;
}

void TurnClock::Offer(Instant when) {
  if (offered_ || runs()) return;
  offered_ = true;
  SetDue(when);
}

void TurnClock::Start(Instant when) {
  Offer(when);
  handed_over_ = std::min(handed_over_, when);
}

void TurnClock::MissHandover(Instant when) {
  if (offered_) {
    overdue_ = true;
  } else {
    Offer(when);
  }
}

Instant TurnClock::StartBy(Instant when) const {
  const Instant handed_over = runs() ? handed_over_ : when;
  const bool unread = offered_ && handed_over > HandoverDeadline();
  if (unread || handed_over < due_) return due_;
  return handed_over;
}

Instant TurnClock::WentOnBy(Instant when) const {
  if (held()) return Instant::InfiniteFuture();
  const Instant start = StartBy(when);
  if (pause_ == Instant::InfiniteFuture()) return std::max(start, continued_);
  return std::max(start, pause_) + (grace_ - paused_);
}

void TurnClock::Pause(Instant when) {
  link_lost_ = std::min(link_lost_, when);
  if (pause_ != Instant::InfiniteFuture()) return;
  KeepStalls();
  pause_ = when;
}

void TurnClock::Hold(Instant when) {
  if (pause_ < Instant::InfiniteFuture()) paused_ = Paused(when);
  pause_ = Instant::InfiniteFuture();
  if (!held()) KeepStalls();
  held_from_ = std::min(held_from_, when);
}

void TurnClock::Continue(Instant when) {
  KeepStalls();
  if (held() && !runs()) {
    offered_ = false;
    SetDue(when);
  }
  held_ = Held(when);
  held_from_ = Instant::InfiniteFuture();
  paused_ = Paused(when);
  pause_ = Instant::InfiniteFuture();
  continued_ = when;
}

void TurnClock::KeepStalls() {
  stalls_before_ = stalls();
  stalls_ = {};
}

absl::Duration TurnClock::excused() const {
  if (stalls_charged_) return absl::ZeroDuration();
  const absl::Duration longest = stalls().longest;
  return longest > stall_terms_.stall ? std::max(longest, given_back()) : given_back();
}

void TurnClock::Credit(absl::Duration credit) { credit_ = std::max(credit_, credit); }

void TurnClock::SetRoundTrip(absl::Duration round_trip) {
  round_trip_ = std::max(round_trip_, round_trip);
}

absl::Duration TurnClock::Paused(Instant now) const {
  if (pause_ == Instant::InfiniteFuture() || !runs()) return paused_;
  const Instant from = std::max(pause_, start());
  if (now <= from) return paused_;
  return std::min(grace_, paused_ + (now - from));
}

absl::Duration TurnClock::Held(Instant now) const {
  if (!held() || !runs()) return held_;
  return held_ + std::max(absl::ZeroDuration(), now - std::max(held_from_, start()));
}

absl::Duration TurnClock::Elapsed(Instant now) const {
  if (!runs()) return absl::ZeroDuration();
  return std::max(absl::ZeroDuration(), now - start() - Paused(now) - Held(now));
}

absl::Duration TurnClock::Stalled(Instant now) const {
  return std::min(given_back(), Elapsed(now));
}

absl::Duration TurnClock::Used(Instant now) const {
  return std::max(absl::ZeroDuration(), Elapsed(now) - Stalled(now) - credit_);
}

Instant TurnClock::TimeOut(absl::Duration not_counted) const {
  if (!runs() || held()) return Instant::InfiniteFuture();
  const Instant from = start() + held_;
  const Instant straight = from + (limit_ + credit_ + not_counted + paused_);
  // A pause that begins before the timeout may last for the whole grace.
  if (pause_ > straight) return straight;
  return from + (limit_ + credit_ + not_counted + std::max(paused_, grace_));
}

Timing TurnClock::TimingAt(Instant read, Instant taken, Instant written) const {
  Timing timing;
  // An event that is reported late may be earlier than the due time or the start of the clock.
  read = std::max(read, due_);
  timing.started = std::min(StartBy(read), read) - due_;
  const absl::Duration cut = Held(read);
  timing.read = std::max(timing.started, read - due_ - cut);
  timing.taken = std::max(timing.read, std::max(taken, due_) - due_ - cut);
  if (written < Instant::InfiniteFuture() && written >= due_ && written <= taken) {
    const absl::Duration at = written - due_ - (written < continued_ ? absl::ZeroDuration() : cut);
    if (absl::ZeroDuration() <= at && at <= timing.taken) timing.written = at;
  }
  timing.round_trip = round_trip_;
  timing.paused = Paused(read);
  timing.stalled = Stalled(read);
  timing.credit = std::min(credit_, Elapsed(read) - timing.stalled);
  timing.link_lost = link_lost_ <= read;
  timing.stalls_charged = stalls_charged_;
  return timing;
}

}  // namespace referee::match
