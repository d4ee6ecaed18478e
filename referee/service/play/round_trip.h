// An estimate of the network round-trip time to a bot: a smoothed minimum of ping times.
//
// It never exceeds the time that a reply has taken. Pure: the time is passed in. Thread-compatible.
//
// A bot can hardly gain time by delaying its pongs. The credit for a move is at most this estimate,
// at most a cap, and at most a quota for each match (match/policies.h).
// - The estimate falls to a smaller measurement at once. It rises an eighth of the way to a larger
//   one, and a ping is sent at most once a second. So delaying a few pongs gains next to nothing.
// - Without pongs there is no estimate: a bot that never answers pings gets no credit.
// - The round trip is part of the time from the handover of a request to its reply. So each reply,
//   and each Ready, bounds the estimate from above. A bot that wants a credit of d must take at
//   least d for everything it sends, even for moves that it knows at once. One quick answer lowers
//   the estimate to the time which that answer took.
//
// A bot that is always slow by d does get d credited. Only the cap and the quota limit this, and
// the replay records each turn's round trip.
#ifndef REFEREE_SERVICE_PLAY_ROUND_TRIP_H_
#define REFEREE_SERVICE_PLAY_ROUND_TRIP_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"

namespace referee::service {

class RoundTrip {
 public:
  // Returns the number of the ping to send at `now`; 0 if none is due. A ping is due
  // limits::kPingInterval after the last one, or after limits::kPingPatience if that is unanswered.
  uint64_t Ping(Instant now) {
    const absl::Duration pause = waiting_ ? limits::kPingPatience : limits::kPingInterval;
    if (number_ > 0 && now - sent_ < pause) return 0;
    waiting_ = true;
    sent_ = now;
    return ++number_;
  }
  // Handles a pong. Returns whether it is the first answer to the latest ping.
  bool Pong(uint64_t number, Instant now) {
    if (!waiting_ || number != number_) return false;
    waiting_ = false;
    const absl::Duration took = std::min(std::max(now - sent_, absl::ZeroDuration()), bound_);
    bound_ = absl::InfiniteDuration();
    const bool smaller = !known_ || took < estimate_;
    // Whole nanoseconds, as in the records, which are verified exactly.
    estimate_ = smaller
                    ? took
                    : estimate_ + absl::Trunc((took - estimate_) / kSlowness, absl::Nanoseconds(1));
    known_ = true;
    return true;
  }
  // Notes that a reply came `took` after the handover of its request.
  void Replied(absl::Duration took) {
    bound_ = std::min(bound_, std::max(took, absl::ZeroDuration()));
    if (known_) estimate_ = std::min(estimate_, bound_);
  }

  // Zero while there is no estimate.
  absl::Duration estimate() const { return known_ ? estimate_ : absl::ZeroDuration(); }

 private:
  static constexpr int kSlowness = 8;

  uint64_t number_ = 0;  // of the last ping
  Instant sent_;         // time of the last ping
  bool waiting_ = false;
  bool known_ = false;
  absl::Duration estimate_;
  absl::Duration bound_ = absl::InfiniteDuration();  // the fastest reply since the last pong
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_ROUND_TRIP_H_
