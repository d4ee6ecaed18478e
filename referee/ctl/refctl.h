// The program refctl as a function, for programs that add games of their own.
#ifndef REFEREE_CTL_REFCTL_H_
#define REFEREE_CTL_REFCTL_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee {

// Runs refctl and returns its exit status. Call this once, on the main thread. `games`: as in
// RefereedMain (daemon/refereed.h).
int RefctlMain(int argc, char** argv,
               const std::vector<std::shared_ptr<const games::GameType>>& games = {});

}  // namespace referee

#endif  // REFEREE_CTL_REFCTL_H_
