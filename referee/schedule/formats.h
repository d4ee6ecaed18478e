// Factories of the schedules of single formats, for Schedule::Make.
//
// The ladder and the test have their own. COMPETITION.md says what each format promises. REQUIRES:
// Validate(spec) is OK.
#ifndef REFEREE_SCHEDULE_FORMATS_H_
#define REFEREE_SCHEDULE_FORMATS_H_

#include <memory>

#include "referee/schedule/schedule.h"

namespace referee::schedule {

std::unique_ptr<Schedule> MakeRoundRobin(const Spec& spec);
std::unique_ptr<Schedule> MakeGauntlet(const Spec& spec);
std::unique_ptr<Schedule> MakeSwiss(const Spec& spec);
// `lot` flips the coins for undecided ties; without it the better seed wins each.
std::unique_ptr<Schedule> MakeKnockout(const Spec& spec, Lot lot);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_FORMATS_H_
