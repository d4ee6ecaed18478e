// The program refereed as a function, for programs that add games of their own.
#ifndef REFEREE_DAEMON_REFEREED_H_
#define REFEREE_DAEMON_REFEREED_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee {

// Runs refereed until it is told to stop. Exit status 0: it was stopped. 2: the command line or the
// machine is at fault; stderr has the message. Status 3: clients can no longer connect. Then the
// process ends at once; a restart helps and resumes its matches. Call this once, on the main
// thread, before other threads start: it handles the process's signals.
//
// Adds `games` (games/game.h) to the built-in ones. A game that breaks the contract of GameType
// makes the exit status 2.
int RefereedMain(int argc, char** argv,
                 const std::vector<std::shared_ptr<const games::GameType>>& games = {});

}  // namespace referee

#endif  // REFEREE_DAEMON_REFEREED_H_
