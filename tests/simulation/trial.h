// The test of one seed: runs its plan and, if a fault is addressed to a group, runs it again
// without that group's faults, when nothing may differ for the other groups.
#ifndef REFEREE_TESTS_SIMULATION_TRIAL_H_
#define REFEREE_TESTS_SIMULATION_TRIAL_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "tests/simulation/world.h"

namespace referee::simulation {

struct Trial {
  std::string problem;   // empty if nothing was found
  Outcome outcome;       // of the plan as it is
  int64_t matches = 0;   // in all runs
  int64_t turns = 0;     // in all runs
  int64_t compared = 0;  // matches of groups that were not calmed
};

// `log`, if not null, gets the log of the run and, after an empty line, of the second run.
Trial Try(uint64_t seed, std::ostream* log = nullptr);
// The same of two referees that pass on the matches of each other's bots. Compares nothing.
Trial TryRelay(uint64_t seed, std::ostream* log = nullptr);

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_TRIAL_H_
