// An estimate of the network's round-trip time to a bot: a smoothed minimum of ping times, and
// never more than a reply has taken. Pure: the time is passed in. Thread-compatible.
//
// A bot can hardly gain time by holding back its pongs. What is credited for a move is at most this
// estimate, at most a cap, and in a match at most a quota (match/policies.h).
// - The estimate falls to a smaller measurement at once and rises an eighth of the way to a larger
//   one, a ping a second at most: holding back one pong, or some, gains next to nothing.
// - Without pongs there is no estimate: a bot that never answers pings is credited nothing.
// - The round trip is part of the time from the handover of a request to its reply, so that each
//   reply bounds it from above, and so does each Ready. A bot that wants to be credited d must take
//   at least d over everything it says, also over moves that it knows at once; one quick answer and
//   the estimate is down at what that took.
// A bot can still be slow by d all the time and have d credited: only the cap and the quota bound
// that, and the replay shows it, as it has each turn's round trip.
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
  // The number of the ping to be sent at `now`; 0 if none is due: the last was sent less than
  // limits::kPingInterval ago, or is not answered yet and has not been given up.
  uint64_t Ping(Instant now) {
    const absl::Duration pause = waiting_ ? limits::kPingPatience : limits::kPingInterval;
    if (number_ > 0 && now - sent_ < pause) return 0;
    waiting_ = true;
    sent_ = now;
    return ++number_;
  }
  // A pong has come. Returns whether it answers the ping that was sent last, for the first time.
  bool Pong(uint64_t number, Instant now) {
    if (!waiting_ || number != number_) return false;
    waiting_ = false;
    const absl::Duration took = std::min(std::max(now - sent_, absl::ZeroDuration()), bound_);
    bound_ = absl::InfiniteDuration();
    const bool smaller = !known_ || took < estimate_;
    // Whole nanoseconds, as in the records, which are checked to the last of them.
    estimate_ = smaller
                    ? took
                    : estimate_ + absl::Trunc((took - estimate_) / kSlowness, absl::Nanoseconds(1));
    known_ = true;
    return true;
  }
  // Notes that a reply came `took` after its request was handed over.
  void Replied(absl::Duration took) {
    bound_ = std::min(bound_, std::max(took, absl::ZeroDuration()));
    if (known_) estimate_ = std::min(estimate_, bound_);
  }

  // Zero while nothing is known.
  absl::Duration estimate() const { return known_ ? estimate_ : absl::ZeroDuration(); }

 private:
  static constexpr int kSlowness = 8;

  uint64_t number_ = 0;  // of the last ping
  Instant sent_;         // when that was
  bool waiting_ = false;
  bool known_ = false;
  absl::Duration estimate_;
  absl::Duration bound_ = absl::InfiniteDuration();  // from replies since the last pong
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_ROUND_TRIP_H_
