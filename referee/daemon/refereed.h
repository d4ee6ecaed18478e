// The program refereed as a function, for programs that add games of their own.
#ifndef REFEREE_DAEMON_REFEREED_H_
#define REFEREE_DAEMON_REFEREED_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee {

// Runs refereed to its end and returns its exit status: 0 when it was told to stop; 2, with a
// message on stderr, when the command line or the machine is at fault. Ends the process with status
// 3 when nobody can connect to it any more: a restart helps, and goes on with its matches. Call it
// once, on the main thread, before other threads run: it takes the process's signals.
//
// `games` (games/game.h) are added to those that come with the referee. One that breaks the
// contract of GameType makes the exit status 2.
int RefereedMain(int argc, char** argv,
                 const std::vector<std::shared_ptr<const games::GameType>>& games = {});

}  // namespace referee

#endif  // REFEREE_DAEMON_REFEREED_H_
