// The program refgate as a function, for programs that add their own games.
#ifndef REFEREE_GATE_REFGATE_H_
#define REFEREE_GATE_REFGATE_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee {

// Runs refgate to its end and returns its exit status.
//
// 0: stopped by a signal, or the pages were written. 1 or 2: failed, with a message on stderr (2:
// the command line or the machine is at fault). Call it once, on the main thread, before other
// threads run, because it handles the process's signals. `games` as in RefereedMain
// (daemon/refereed.h).
int RefgateMain(int argc, char** argv,
                const std::vector<std::shared_ptr<const games::GameType>>& games = {});

}  // namespace referee

#endif  // REFEREE_GATE_REFGATE_H_
