// Bots that were set aside because they did not answer: for how long, and how they come back. A
// suspension lasts a minute, then twice as long each time. When it is over the bot is pinged, and
// is in again as soon as it answers. Pure.
#ifndef REFEREE_COMPETITION_SUSPENSION_H_
#define REFEREE_COMPETITION_SUSPENSION_H_

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/competition_now.h"
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

// The bots of a ladder, at its home. Thread-compatible.
class SuspendedBots {
 public:
  // A step begins: finds those whose suspension is over and that are connected.
  void Update(const CompetitionNow& now);
  // Those of them, by name, that are to be pinged.
  const std::vector<std::string>& to_ping() const { return to_ping_; }
  // Those of them that have answered: they are to be brought back.
  const std::vector<int>& answered() const { return answered_; }
  // It was brought back.
  void Returned(int bot) { pinged_.erase(bot); }
  // When the next of them is to be looked at; InfiniteFuture: none is.
  Instant NextLook(const CompetitionNow& now) const;

 private:
  std::map<int, Instant> pinged_;  // by entrant: since when
  std::vector<std::string> to_ping_;
  std::vector<int> answered_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SUSPENSION_H_
