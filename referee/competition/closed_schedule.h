// What the formats share whose bots are fixed from the start: nobody joins or comes back, and
// ratings decide nothing. Thread-compatible.
#ifndef REFEREE_COMPETITION_CLOSED_SCHEDULE_H_
#define REFEREE_COMPETITION_CLOSED_SCHEDULE_H_

#include "referee/base/errors.h"
#include "referee/competition/schedule.h"

namespace referee::competition {

class ClosedSchedule : public Schedule {
 public:
  absl::Status Join() final { return NotALadder(FormatName(format_)); }
  absl::Status Rejoin(int) final { return NotALadder(FormatName(format_)); }
  void Rated(int, const Rating&) final {}

 protected:
  explicit ClosedSchedule(Format format) : format_(format) {}

 private:
  const Format format_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_CLOSED_SCHEDULE_H_
