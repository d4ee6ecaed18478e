// A minimal game for tests of the code that runs games: seats in turn add to a common count.
//
// The game ends when the count reaches a target. It keeps the whole contract of games::Game.
// CountingRules selects what happens in a match: passes, each kind of chance, moves that another
// seat's forfeit removes.
#ifndef REFEREE_TESTS_SUPPORT_COUNTING_GAME_H_
#define REFEREE_TESTS_SUPPORT_COUNTING_GAME_H_

#include <memory>
#include <vector>

#include "referee/games/game.h"

namespace referee::testing {

struct CountingRules {
  int seats = 2;
  // The count that ends the game ("COUNTED"). It also ends when one seat is left ("ALONE"), and
  // after 1000 turns ("TURNS").
  int target = 10;
  // Turn t, from 0, has the moves 1 to limits[t % size], minus one for each forfeited seat. If no
  // move remains, the turn is a pass.
  std::vector<int> limits = {3};
  // first_player: a kFirstPlayer draw decides who begins. Else setup_rolls: the highest start roll,
  // the earliest of equals. Else seat a begins.
  bool first_player = false;
  bool setup_rolls = false;
  // Each turn has two dice. They appear in the position and have no effect.
  bool dice = false;
};

// A move is encoded as its number. Resolve also accepts 100 + n for n, as a move that the position
// completes. Position strings, such as "7 b 31 01": count, seat to move ("-" when over), dice ("-"
// if none), one digit a seat (1 if it has forfeited). They cannot be parsed. The score of a seat is
// the sum of its moves. Forfeited seats rank last, equal.
std::shared_ptr<const games::Game> NewCountingGame(const CountingRules& rules);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_COUNTING_GAME_H_
