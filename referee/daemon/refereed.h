// refereed as a function, so that a program of one's own can be it.
#ifndef REFEREE_DAEMON_REFEREED_H_
#define REFEREE_DAEMON_REFEREED_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee {

// Does what the program refereed does, to its end, and returns its exit status: 0 when it was told
// to stop, 2 when the command line or the machine is at fault, which stderr says then. Call it
// once, on the main thread, before other threads run: it takes the process's signals.
//
// `games` are games of one's own (games/game.h), beside those that come with the referee. One that
// does not keep to what GameType says there is a fault: 2.
int RefereedMain(int argc, char** argv,
                 const std::vector<std::shared_ptr<const games::GameType>>& games = {});

}  // namespace referee

#endif  // REFEREE_DAEMON_REFEREED_H_
