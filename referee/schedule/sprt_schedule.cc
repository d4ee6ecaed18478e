#include "referee/schedule/sprt_schedule.h"

namespace referee::schedule {

SprtSchedule::SprtSchedule(const Spec& spec, int64_t next_number)
    : ClosedSchedule(spec.format),
      has_limit_(spec.rounds > 0),
      most_(PlannedBlocks(spec)),
      begun_(next_number),
      open_(spec.entrants.size(), next_number) {}

absl::optional<rating::Pairing> SprtSchedule::Next(const std::vector<bool>& free, Instant) {
  if (!goes_on() || !free[0] || !free[1]) return absl::nullopt;
  rating::Pairing pairing{{0, 1}};
  Begun(pairing);
  return pairing;
}

void SprtSchedule::Begun(const rating::Pairing& pairing) {
  ++begun_;
  open_.Begin(pairing);
}

int64_t SprtSchedule::blocks_left() const {
  if (stopped_) return 0;
  return has_limit_ ? most_ - begun_ : -1;
}

}  // namespace referee::schedule
