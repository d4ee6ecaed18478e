// The clock of the due turn: when it started, when it stood still, and when its time runs out.
//
// Pure arithmetic over instants, which may come in any order. Thread-compatible.
//
//   used = max(0, now - start - paused - stalled - credit)
//
// Two things stop the clock. A pause (Pause) stops it while the link is lost and grace is left. A
// hold (Hold) stops it while the entry of the bot is lost. Held time is cut out of the turn: it
// counts nowhere, and the records give all instants as if it had not passed.
//
// The clock starts when the request is handed to the transport. If the link does not take an
// offered request within limits::kHandoverLimit, the bot is not reading. The clock then counts from
// when the turn was due.
#ifndef REFEREE_MATCH_TURN_CLOCK_H_
#define REFEREE_MATCH_TURN_CLOCK_H_

#include <algorithm>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/match/record.h"

namespace referee::match {

// The referee's own stalls within some interval.
struct Stalls {
  absl::Duration total;
  absl::Duration longest;

  // Combines the stalls of two intervals, one after the other.
  friend Stalls operator+(const Stalls& a, const Stalls& b) {
    return {a.total + b.total, std::max(a.longest, b.longest)};
  }
};

class TurnClock {
 public:
  // How much of the referee's stalls is given back: `quota` in all, at most `stall`. A single stall
  // longer than `stall` excuses a late reply, but the excess is not given back.
  struct StallTerms {
    absl::Duration stall;
    absl::Duration quota;
  };

  // Starts a new turn, due from `due` on, and forgets the previous one. The turn may use `limit`,
  // and pause for at most `grace`.
  void Reset(Instant due, absl::Duration limit, absl::Duration grace, const StallTerms& stalls);
  // Changes the limit of the turn.
  void SetLimit(absl::Duration limit) { limit_ = limit; }
  // Ends the turn: no turn is due.
  void Clear() { *this = TurnClock(); }

  // Moves the due time to `when`, if that is later.
  void SetDue(Instant when) { due_ = std::max(due_, when); }
  // Notes that the request was offered to the seat's link: the turn is due from then on. Only the
  // first call counts, and no call once the clock runs.
  void Offer(Instant when);
  // Notes a handover, which starts the clock. The earliest `when` of all calls counts. A request
  // that was not offered before counts as offered at `when`.
  void Start(Instant when);
  // The latest time by which an offer or a handover should have been reported.
  Instant HandoverDeadline() const {
    return due_ + (offered_ ? limits::kHandoverLimit : limits::kOfferLimit);
  }
  // Notes at `when` that this deadline has passed. If the request was offered, the clock runs from
  // the due time. Otherwise the request counts as offered at `when`.
  void MissHandover(Instant when);
  // Whether the request, or one that it replaces, was offered, or the clock runs.
  bool offered() const { return offered_ || runs(); }
  bool runs() const { return overdue_ || handed_over_ < Instant::InfiniteFuture(); }
  // When the clock started or, if it does not run, when it would have if it started at `when`.
  Instant StartBy(Instant when) const;
  // As StartBy, or when the clock last went on after it stood still. While it pauses: the end of
  // its grace. While it is held: InfiniteFuture.
  Instant WentOnBy(Instant when) const;

  // Notes that the link was lost: the clock stands still while there is grace.
  void Pause(Instant when);
  // Notes that the entry of the link was lost: the clock stands still and uses no grace. A turn
  // that was not handed over yet will be due when the link is back.
  void Hold(Instant when);
  bool held() const { return held_from_ < Instant::InfiniteFuture(); }
  // Notes that the link is back: the clock goes on.
  void Continue(Instant when);

  // Sets the referee's stalls since WentOnBy. The last call counts.
  void SetStalls(const Stalls& stalls) { stalls_ = stalls; }
  // Adds another stall while the clock ran.
  void AddStall(absl::Duration stall) { stalls_before_ = stalls_before_ + Stalls{stall, stall}; }
  // Charges all stalls of this turn from now on, past and future; none is given back.
  void ChargeStalls() { stalls_charged_ = true; }
  // The stalls of the referee while the clock ran.
  Stalls stalls() const { return stalls_before_ + stalls_; }
  // How much of these stalls is given back.
  absl::Duration given_back() const {
    return stalls_charged_ ? absl::ZeroDuration() : std::min(stalls().total, stall_terms_.quota);
  }
  // How much later than the limit a reply may be without losing: what is given back, or a single
  // stall that was too long to give back.
  absl::Duration excused() const;
  // How much later than the limit to judge silence: all stalls, since a reply that was read in time
  // may not have been handled meanwhile.
  absl::Duration waited_out() const {
    return stalls_charged_ ? absl::ZeroDuration() : stalls().total;
  }

  // Sets network time that is not charged. The largest of all calls counts.
  void Credit(absl::Duration credit);
  // Sets the round trip for the records; zero: not known. The largest of all calls counts.
  void SetRoundTrip(absl::Duration round_trip);

  // When the limit will be used up, if `not_counted` of the referee's stalls does not count. A
  // reply at that very instant is in time. InfiniteFuture while the clock does not run, or is held.
  Instant TimeOut(absl::Duration not_counted) const;
  // The time used by `now`, by the formula above; zero before the clock has started.
  absl::Duration Used(Instant now) const;
  absl::Duration limit() const { return limit_; }
  Instant due() const { return due_; }

  // The timing, for the records, of a turn that was answered or judged at `read` and handled at
  // `taken`. `written`: when the transport had written the request; InfiniteFuture: not known.
  Timing TimingAt(Instant read, Instant taken, Instant written) const;

 private:
  Instant start() const { return StartBy(Instant::InfiniteFuture()); }
  void KeepStalls();
  // How long the clock has paused by `now`.
  absl::Duration Paused(Instant now) const;
  // How long the clock has been held by `now`.
  absl::Duration Held(Instant now) const;
  // The time since the start without pauses and holds; stalls and credit included.
  absl::Duration Elapsed(Instant now) const;
  absl::Duration Stalled(Instant now) const;

  Instant due_;
  Instant handed_over_ = Instant::InfiniteFuture();
  bool offered_ = false;
  bool overdue_ = false;
  Instant pause_ = Instant::InfiniteFuture();      // start of the pause; InfiniteFuture: not paused
  absl::Duration paused_;                          // in earlier pauses
  Instant link_lost_ = Instant::InfiniteFuture();  // the first time
  absl::Duration grace_;
  Instant held_from_ = Instant::InfiniteFuture();  // start of the hold; InfiniteFuture: not held
  absl::Duration held_;                            // in earlier holds
  Instant continued_;                              // end of the last pause or hold
  Stalls stalls_;                                  // since WentOnBy
  Stalls stalls_before_;                           // before WentOnBy
  StallTerms stall_terms_;
  bool stalls_charged_ = false;
  absl::Duration credit_;
  absl::Duration round_trip_;
  absl::Duration limit_;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_TURN_CLOCK_H_
