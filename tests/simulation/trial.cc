#include "tests/simulation/trial.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/simulation/relay_world.h"

namespace referee::simulation {
namespace {

// One in so many seeds is carried out twice.
constexpr uint64_t kComparedSeeds = 4;

// Whether groups have nothing in common in this plan: not when bots of several meet in a
// competition, matches wait for each other's
// places at the referee, or it is killed at a write, whoever makes it.
bool GroupsAreApart(const Plan& plan) {
  return plan.groups > 1 && !plan.competition &&
         plan.max_running >= static_cast<int>(plan.matches.size()) &&
         std::all_of(plan.referee_faults.begin(), plan.referee_faults.end(),
                     [](const RefereeFault& fault) {
                       return fault.kind == RefereeFault::Kind::kKilled ||
                              fault.kind == RefereeFault::Kind::kDrained ||
                              fault.kind == RefereeFault::Kind::kWallSet ||
                              fault.kind == RefereeFault::Kind::kStalled;
                     });
}

void Compare(const Plan& plan, int calmed, const Outcome& calm, Trial* trial) {
  for (size_t i = 0; i < plan.matches.size(); ++i) {
    if (plan.matches[i].group == calmed) continue;
    ++trial->compared;
    if (calm.recorded[i] == trial->outcome.recorded[i]) continue;
    trial->problem = absl::StrCat("match ", i, " of group ", plan.matches[i].group,
                                  " went otherwise when group ", calmed, " was calm");
    return;
  }
}

}  // namespace

Trial Try(uint64_t seed, std::ostream* log) {
  const Plan plan = MakePlan(seed);
  Trial trial;
  trial.outcome = Simulate(plan, log);
  trial.problem = trial.outcome.problem;
  trial.matches = trial.outcome.matches;
  trial.turns = trial.outcome.turns;
  if (!trial.problem.empty() || seed % kComparedSeeds != 0 || !GroupsAreApart(plan)) return trial;
  const int calmed = static_cast<int>(seed / kComparedSeeds % static_cast<uint64_t>(plan.groups));
  if (log != nullptr) *log << '\n';
  const Outcome calm = Simulate(Calmed(plan, calmed), log);
  trial.matches += calm.matches;
  trial.turns += calm.turns;
  if (!calm.problem.empty()) {
    trial.problem = absl::StrCat("with group ", calmed, " calm: ", calm.problem);
    return trial;
  }
  Compare(plan, calmed, calm, &trial);
  return trial;
}

Trial TryRelay(uint64_t seed, std::ostream* log) {
  Trial trial;
  trial.outcome = SimulateRelay(MakeRelayPlan(seed), log);
  trial.problem = trial.outcome.problem;
  trial.matches = trial.outcome.matches;
  trial.turns = trial.outcome.turns;
  return trial;
}

}  // namespace referee::simulation
