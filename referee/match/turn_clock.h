// The clock of the turn that is due: when it started, how long it stood still, what is credited,
// and when it will have run out. Pure arithmetic over instants, which may come in any order.
//
//   used = max(0, now - start - paused - credit)
//
// Thread-compatible.
#ifndef REFEREE_MATCH_TURN_CLOCK_H_
#define REFEREE_MATCH_TURN_CLOCK_H_

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/match/record.h"

namespace referee::match {

class TurnClock {
 public:
  // A turn, new or with a changed position, is due from `due` on; forgets everything before. It may
  // use `limit`, and stand still for `grace` at most.
  void Reset(Instant due, absl::Duration limit, absl::Duration grace);
  // No turn is due.
  void Clear() { *this = TurnClock(); }

  // Starts the clock at the earliest `when` of all calls, in any order, but not before the turn was
  // due, and at HandoverDeadline() at the latest.
  void Start(Instant when);
  bool runs() const { return start_ < Instant::InfiniteFuture(); }
  Instant HandoverDeadline() const;

  // The link was lost: the clock stands still, while there is grace.
  void Pause(Instant when);
  // The link is back.
  void Continue(Instant when);

  // Network time that is not charged. The largest of all calls counts.
  void Credit(absl::Duration credit);
  // Of the link, for the records; zero: not known. The largest of all calls counts.
  void SetRoundTrip(absl::Duration round_trip);

  // When the limit will be used up; a reply at that very instant is in time. InfiniteFuture while
  // the clock does not run.
  Instant TimeOut() const;
  // The time used by `now`, by the formula above; zero while the clock does not run.
  absl::Duration Used(Instant now) const;
  // How long the clock stood still by `now`.
  absl::Duration Paused(Instant now) const;
  absl::Duration limit() const { return limit_; }
  Instant due() const { return due_; }

  // What the records say of a turn that was answered, or judged, at `read`. `written` may be
  // InfiniteFuture: not known.
  Timing TimingAt(Instant read, Instant taken, Instant written) const;

 private:
  absl::Duration Elapsed(Instant now) const;

  Instant due_;
  Instant start_ = Instant::InfiniteFuture();
  Instant pause_ = Instant::InfiniteFuture();  // when it began; InfiniteFuture: it does not pause
  absl::Duration paused_;                      // before that
  absl::Duration grace_;
  absl::Duration credit_;
  absl::Duration round_trip_;
  absl::Duration limit_;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_TURN_CLOCK_H_
