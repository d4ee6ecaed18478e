// For how long a bot is suspended that did not answer: a minute, then twice as long each time.
// Pure.
#ifndef REFEREE_COMPETITION_SUSPENSION_H_
#define REFEREE_COMPETITION_SUSPENSION_H_

#include <algorithm>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

inline constexpr absl::Duration kFirstSuspension = absl::Minutes(1);
inline constexpr absl::Duration kLastSuspension = absl::Hours(1);
// A bot that is suspended again within this time after its last suspension is out twice as long.
inline constexpr absl::Duration kSuspensionMemory = absl::Hours(1);

// The suspension of a bot that did not answer, from `now` on. None where a bot that is out cannot
// come back: in all formats but the ladder.
inline absl::optional<store::Suspension> NextSuspension(schedule::Format format,
                                                        const store::Entrant& entrant,
                                                        absl::Time now) {
  if (format != schedule::Format::kLadder) return absl::nullopt;
  const absl::optional<store::Suspension>& last = entrant.suspension;
  const bool again = last.has_value() && now - last->until < kSuspensionMemory;
  const absl::Duration length =
      again ? std::min(2 * last->length, kLastSuspension) : kFirstSuspension;
  return store::Suspension{now + length, length};
}

// How long a suspension lasts from `now` on. Zero: it is over, or the calendar was put back.
inline absl::Duration LeftOf(const store::Suspension& suspension, absl::Time now) {
  const absl::Duration left = suspension.until - now;
  return left > suspension.length ? absl::ZeroDuration() : std::max(left, absl::ZeroDuration());
}

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SUSPENSION_H_
