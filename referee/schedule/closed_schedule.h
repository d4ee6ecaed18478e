// A closed schedule: its bots are fixed from the start. What these formats share: nobody joins or
// comes back, and ratings decide nothing. Thread-compatible.
#ifndef REFEREE_SCHEDULE_CLOSED_SCHEDULE_H_
#define REFEREE_SCHEDULE_CLOSED_SCHEDULE_H_

#include "referee/schedule/errors.h"
#include "referee/schedule/schedule.h"

namespace referee::schedule {

class ClosedSchedule : public Schedule {
 public:
  absl::Status Join() final { return NotALadder(FormatName(format_)); }
  absl::Status Rejoin(int) final { return NotALadder(FormatName(format_)); }
  void Rated(int, const rating::Rating&) final {}

 protected:
  explicit ClosedSchedule(Format format) : format_(format) {}

 private:
  const Format format_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_CLOSED_SCHEDULE_H_
