#include "referee/schedule/schedule.h"

#include <utility>

#include "referee/schedule/knockout.h"
#include "referee/schedule/ladder.h"
#include "referee/schedule/sprt_schedule.h"
#include "referee/schedule/swiss.h"
#include "referee/schedule/wave_schedule.h"

namespace referee::schedule {

std::unique_ptr<Schedule> Schedule::Make(const Spec& spec, Lot lot) {
  switch (spec.format) {
    case Format::kRoundRobin:
      return WaveSchedule::RoundRobin(spec);
    case Format::kGauntlet:
      return WaveSchedule::Gauntlet(spec);
    case Format::kSwiss:
      return std::make_unique<Swiss>(spec);
    case Format::kKnockout:
      return std::make_unique<Knockout>(spec, std::move(lot));
    case Format::kTest:
      return MakeTest(spec, 0);
    case Format::kLadder:
      break;
  }
  return MakeLadder(spec, std::vector<Entrant>(spec.entrants.size()), {}, 0);
}

std::unique_ptr<Schedule> Schedule::MakeTest(const Spec& spec, int64_t next_number) {
  return std::make_unique<SprtSchedule>(spec, next_number);
}

std::unique_ptr<Schedule> Schedule::MakeLadder(const Spec& spec,
                                               const std::vector<Entrant>& entrants,
                                               const std::vector<PairCount>& met,
                                               int64_t next_number,
                                               const std::vector<RecentBlock>& recent) {
  return std::make_unique<Ladder>(spec, entrants, met, next_number, recent);
}

}  // namespace referee::schedule
