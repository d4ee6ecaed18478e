// A small game for tests of code that serves any game; its matches can be counted by hand.
//
// Seats take turns to roll two dice and subtract one of them from a heap. The seat that reaches
// zero wins. A seat whose dice are both too high passes.
//
// Position: "<heap>/<seats> <seat to move> <dice>", such as "7/2 a 31". Moves: "1" to "6", "-".
// Options: heap, a file: "small" (5), "large" (20), or the text "heap N".
#ifndef REFEREE_TESTS_UNIT_CTL_COUNTDOWN_H_
#define REFEREE_TESTS_UNIT_CTL_COUNTDOWN_H_

#include "referee/games/game.h"

namespace referee::games {

// 2 or 3 seats.
const GameType& Countdown();

}  // namespace referee::games

#endif  // REFEREE_TESTS_UNIT_CTL_COUNTDOWN_H_
