// refctl as a function, so that a program of one's own can be it.
#ifndef REFEREE_CTL_REFCTL_H_
#define REFEREE_CTL_REFCTL_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee {

// Does what the program refctl does and returns its exit status. Call it once, on the main thread.
// `games` as in RefereedMain (daemon/refereed.h).
int RefctlMain(int argc, char** argv,
               const std::vector<std::shared_ptr<const games::GameType>>& games = {});

}  // namespace referee

#endif  // REFEREE_CTL_REFCTL_H_
