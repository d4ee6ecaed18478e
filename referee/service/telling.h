// Decides when the events of a competition with a watch delay become visible to a caller.
//
// The competition itself counts, pairs and starts blocks without delay; only publication is
// delayed.
// - An organiser sees everything at once. A bot sees the matches that it plays at once.
// - All others see turns, the end and the replay of a match when the delay has passed since each.
// - They see standings, blocks and rounds as these were one delay earlier. A block counts there
//   when it and all earlier blocks are published (competition/told_store.h).
// - A caller that reads for observers declares so, and sees what observers see.
//
// Pure.
#ifndef REFEREE_SERVICE_TELLING_H_
#define REFEREE_SERVICE_TELLING_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/match/record.h"
#include "referee/service/access/authenticator.h"

namespace referee::service {

// The caller, as far as visibility depends on it.
struct Audience {
  absl::string_view name;  // empty: anonymous
  Role role = Role::kObserver;
  // Treats the caller as an observer, whatever its role.
  bool for_observers = false;

  // Whether nothing is withheld from the caller.
  bool hears_all() const { return role == Role::kOrganiser && !for_observers; }
  // Whether the caller sees a match of these bots without delay.
  bool HearsMatchOf(absl::Span<const std::string> bots) const;
};

// The publication times of one match for one audience.
class Telling {
 public:
  // `delay` is the watch delay of the competition, and `bots` are the bots of the match.
  Telling(const Audience& audience, absl::Span<const std::string> bots, absl::Duration delay)
      : delay_(audience.HearsMatchOf(bots) ? absl::ZeroDuration() : delay) {}

  // Zero: everything is visible at once.
  absl::Duration delay() const { return delay_; }
  // Returns the time at which an event becomes visible.
  absl::Time WhenTold(absl::Time happened) const { return happened + delay_; }
  // Whether an event is visible at `now`. An event that has not happened (nullopt) is visible only
  // if the delay is zero.
  bool IsTold(const absl::optional<absl::Time>& happened, absl::Time now) const {
    if (delay_ == absl::ZeroDuration()) return true;
    return happened.has_value() && WhenTold(*happened) <= now;
  }

 private:
  absl::Duration delay_;
};

// Returns a lower bound of the age of each record, in order: the total time of all later turns. An
// event that is published by this age is never published too early.
std::vector<absl::Duration> LeastAges(absl::Span<const match::Record> records);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TELLING_H_
