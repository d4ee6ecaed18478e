// A closed schedule: its bots are fixed from the start. What these formats share: nobody joins or
// comes back, and ratings decide nothing. Thread-compatible.
#ifndef REFEREE_SCHEDULE_CLOSED_SCHEDULE_H_
#define REFEREE_SCHEDULE_CLOSED_SCHEDULE_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/schedule/schedule.h"

namespace referee::schedule {

class ClosedSchedule : public Schedule {
 public:
  absl::Status Join() final { return NotALadder(); }
  absl::Status Rejoin(int) final { return NotALadder(); }
  void Rated(int, const rating::Rating&) final {}

 protected:
  explicit ClosedSchedule(Format format) : format_(format) {}

 private:
  absl::Status NotALadder() const {
    return absl::FailedPreconditionError(
        absl::StrCat("a ", FormatName(format_),
                     " has the entrants that it was made with; only a ladder is joined later"));
  }

  const Format format_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_CLOSED_SCHEDULE_H_
