// A minimal game, for tests of the code that runs games: seats in turn add a number to a common
// count until it reaches a target. It keeps the whole contract of games::Game; CountingRules sets
// what a test needs to happen in a match (passes, chance of each kind, moves that another seat's
// forfeit takes away).
#ifndef REFEREE_TESTS_SUPPORT_COUNTING_GAME_H_
#define REFEREE_TESTS_SUPPORT_COUNTING_GAME_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee::testing {

struct CountingRules {
  int seats = 2;
  // The count that ends the game ("COUNTED"). A seat left alone ends it too ("ALONE"), and so do
  // 1000 turns ("TURNS").
  int target = 10;
  // In the turn t, from 0, moves are 1 to limits[t % size], less one for each seat that has
  // forfeited; if that leaves none, the pass.
  std::vector<int> limits = {3};
  // Who begins: the draw of kFirstPlayer; or else the highest start roll, the earliest of equals;
  // or else seat a.
  bool first_player = false;
  bool setup_rolls = false;
  // Each turn has two dice. They are in the position and mean nothing else.
  bool dice = false;
};

// Moves are the numbers themselves. Resolve also accepts 100 + n for n, as a move that the position
// completes. Position strings: "7 b 31 01": count, seat to move ("-" when over), dice ("-" if
// none), a digit a seat, 1 if it has forfeited. They cannot be parsed. The score of a seat is what
// it added; forfeited seats rank last, equal.
std::shared_ptr<const games::Game> NewCountingGame(const CountingRules& rules);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_COUNTING_GAME_H_
