// The clock of the turn that is due: when it started, how long it stood still, what is given back
// and credited, and when it will have run out. Pure arithmetic over instants, which may come in any
// order.
//
//   used = max(0, now - start - paused - stalled - credit)
//
// Time in which it is held, as the referee that has the bot's stream is gone, is cut out of the
// turn: it counts nowhere, and the records give all instants as if it had not passed.
//
// It starts when the request is handed to the transport. A request that is offered to the seat's
// link and not taken by it within limits::kHandoverLimit waits because the bot does not read: then
// the clock counts from when the turn was due. Thread-compatible.
#ifndef REFEREE_MATCH_TURN_CLOCK_H_
#define REFEREE_MATCH_TURN_CLOCK_H_

#include <algorithm>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/match/record.h"

namespace referee::match {

// The referee's own stalls in some time.
struct Stalls {
  absl::Duration total;
  absl::Duration longest;

  // Those of two times that follow each other.
  friend Stalls operator+(const Stalls& a, const Stalls& b) {
    return {a.total + b.total, std::max(a.longest, b.longest)};
  }
};

class TurnClock {
 public:
  // What of the referee's stalls is given back: `quota` of them all, which is no more than
  // `stall`. One that is longer than `stall` is beyond what can be given back.
  struct StallTerms {
    absl::Duration stall;
    absl::Duration quota;
  };

  // A turn is due from `due` on; forgets everything before. It may use `limit`, and stand still for
  // `grace` at most.
  void Reset(Instant due, absl::Duration limit, absl::Duration grace, const StallTerms& stalls);
  // The turn may use so much instead.
  void SetLimit(absl::Duration limit) { limit_ = limit; }
  // No turn is due.
  void Clear() { *this = TurnClock(); }

  // The turn came to be due only at `when`.
  void SetDue(Instant when) { due_ = std::max(due_, when); }
  // The request was offered to the seat's link: the turn is due from then on. The first call
  // counts, and none once the clock runs.
  void Offer(Instant when);
  // Starts the clock as by a handover at the earliest `when` of all calls, in any order. What was
  // not offered before was offered then.
  void Start(Instant when);
  // When to say at the latest that nothing was heard of the request.
  Instant HandoverDeadline() const {
    return due_ + (offered_ ? limits::kHandoverLimit : limits::kOfferLimit);
  }
  // That passed before `when`: a request that was offered counts from when the turn was due;
  // another is taken as offered at `when`.
  void MissHandover(Instant when);
  // Whether the request, or one that it replaces, was offered, or the clock runs.
  bool offered() const { return offered_ || runs(); }
  bool runs() const { return overdue_ || handed_over_ < Instant::InfiniteFuture(); }
  // When the clock started; if it does not run: when it will have if something starts it at `when`.
  Instant StartBy(Instant when) const;
  // The same of the last time that it went on after it stood still; while it does, the end of its
  // grace.
  Instant WentOnBy(Instant when) const;

  // The link was lost: the clock stands still, while there is grace.
  void Pause(Instant when);
  // The entry of the link is gone: the clock stands still, whatever the grace. A turn that was not
  // handed over yet is due when the link is back.
  void Hold(Instant when);
  bool held() const { return held_from_ < Instant::InfiniteFuture(); }
  // The link is back.
  void Continue(Instant when);

  // How the referee stood still since WentOnBy. The last call counts.
  void SetStalls(const Stalls& stalls) { stalls_ = stalls; }
  // It stood still for so long more, while the clock ran.
  void AddStall(absl::Duration stall) { stalls_before_ = stalls_before_ + Stalls{stall, stall}; }
  // From now on this turn is charged what the referee stood still, all of the turn.
  void ChargeStalls() { stalls_charged_ = true; }
  // While the clock ran.
  Stalls stalls() const { return stalls_before_ + stalls_; }
  // What of that is given back.
  absl::Duration given_back() const {
    return stalls_charged_ ? absl::ZeroDuration() : std::min(stalls().total, stall_terms_.quota);
  }
  // How much later than the limit a reply may be and yet not have lost: what is given back, or a
  // stall that is longer than can be.
  absl::Duration excused() const;
  // How much later than the limit silence is a loss: all that the referee stood still, since a
  // reply that was read in time may not have been taken up meanwhile.
  absl::Duration waited_out() const {
    return stalls_charged_ ? absl::ZeroDuration() : stalls().total;
  }

  // Network time that is not charged. The largest of all calls counts.
  void Credit(absl::Duration credit);
  // Of the link, for the records; zero: not known. The largest of all calls counts.
  void SetRoundTrip(absl::Duration round_trip);

  // When the limit will be used up, if so much of the referee's stalls is not counted; a reply at
  // that very instant is in time. InfiniteFuture while the clock does not run.
  Instant TimeOut(absl::Duration not_counted) const;
  // The time used by `now`, by the formula above; zero while the clock does not run.
  absl::Duration Used(Instant now) const;
  absl::Duration limit() const { return limit_; }
  Instant due() const { return due_; }

  // What the records say of a turn that was answered, or judged, at `read`. `written` may be
  // InfiniteFuture: not known.
  Timing TimingAt(Instant read, Instant taken, Instant written) const;

 private:
  Instant start() const { return StartBy(Instant::InfiniteFuture()); }
  void KeepStalls();
  // How long the clock stood still by `now`.
  absl::Duration Paused(Instant now) const;
  // How long it was held by `now`.
  absl::Duration Held(Instant now) const;
  // Without the stalls and the credit.
  absl::Duration Elapsed(Instant now) const;
  absl::Duration Stalled(Instant now) const;

  Instant due_;
  Instant handed_over_ = Instant::InfiniteFuture();
  bool offered_ = false;
  bool overdue_ = false;
  Instant pause_ = Instant::InfiniteFuture();  // when it began; InfiniteFuture: it does not pause
  absl::Duration paused_;                      // before that
  Instant link_lost_ = Instant::InfiniteFuture();  // when first
  absl::Duration grace_;
  Instant held_from_ = Instant::InfiniteFuture();  // as pause_
  absl::Duration held_;                            // before that
  Instant continued_;                              // from the last pause
  Stalls stalls_;                                  // since WentOnBy
  Stalls stalls_before_;                           // that
  StallTerms stall_terms_;
  bool stalls_charged_ = false;
  absl::Duration credit_;
  absl::Duration round_trip_;
  absl::Duration limit_;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_TURN_CLOCK_H_
