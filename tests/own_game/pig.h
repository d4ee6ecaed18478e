// Pig, a game from outside of Referee: what its organiser writes.
#ifndef REFEREE_TESTS_OWN_GAME_PIG_H_
#define REFEREE_TESTS_OWN_GAME_PIG_H_

#include <memory>

#include "referee/games/game.h"

// The game "pig", for 2 to 10 seats: a race to 100 points. In its go a seat rolls one die as often
// as it likes; the points are its own when it holds, and lost when it rolls a 1. The first that has
// enough, held or not, has won.
std::shared_ptr<const referee::games::GameType> MakePig();

#endif  // REFEREE_TESTS_OWN_GAME_PIG_H_
