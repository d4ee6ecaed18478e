// What Schedule::Make chooses from, beside the ladder and the test. COMPETITION.md says what each
// promises. REQUIRES: Validate(spec) is OK.
#ifndef REFEREE_SCHEDULE_FORMATS_H_
#define REFEREE_SCHEDULE_FORMATS_H_

#include <memory>

#include "referee/schedule/schedule.h"

namespace referee::schedule {

std::unique_ptr<Schedule> MakeRoundRobin(const Spec& spec);
std::unique_ptr<Schedule> MakeGauntlet(const Spec& spec);
std::unique_ptr<Schedule> MakeSwiss(const Spec& spec);
// Without a lot the better seed wins each draw of lots.
std::unique_ptr<Schedule> MakeKnockout(const Spec& spec, Lot lot);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_FORMATS_H_
