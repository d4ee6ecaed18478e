// From when on whoever asks may be told of what happens in a competition with a watch delay.
//
// The competition itself counts, pairs and begins blocks as if there were no delay; only what is
// told is late. An organiser is told at once, and so is a bot of the matches that it plays. All
// others are told of a match's turns, of its end and of its replay when the delay has passed since
// each happened; and of standings, blocks and rounds as these were so much earlier, in which a
// block counts when it and those before it may be told (competition/told_store.h). Who reads for
// others says so, and is told what these may be told.
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

// Who asks, as regards what they may be told.
struct Audience {
  absl::string_view name;  // empty: nobody that is known
  Role role = Role::kObserver;
  // It reads for others, whatever its own role.
  bool for_observers = false;

  // Is told everything at once.
  bool hears_all() const { return role == Role::kOrganiser && !for_observers; }
  // Is told at once of a match of these bots.
  bool HearsMatchOf(absl::Span<const std::string> bots) const;
};

// When what happens in a match is told to somebody.
class Telling {
 public:
  // To `audience`, in a match of `bots`, of a competition with this delay.
  Telling(const Audience& audience, absl::Span<const std::string> bots, absl::Duration delay)
      : delay_(audience.HearsMatchOf(bots) ? absl::ZeroDuration() : delay) {}

  // Zero: all is told at once.
  absl::Duration delay() const { return delay_; }
  // When it is told that something happened.
  absl::Time WhenTold(absl::Time happened) const { return happened + delay_; }
  // Whether it may be told at `now`. What has not happened may not, unless all is told at once.
  bool IsTold(const absl::optional<absl::Time>& happened, absl::Time now) const {
    if (delay_ == absl::ZeroDuration()) return true;
    return happened.has_value() && WhenTold(*happened) <= now;
  }

 private:
  absl::Duration delay_;
};

// For each of a match's records, in order, how long ago it was recorded at least: as long as the
// turns took that became due after it. So what is told by these is never told too early.
std::vector<absl::Duration> LeastAges(absl::Span<const match::Record> records);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TELLING_H_
