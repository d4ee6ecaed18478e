// A property test for every game: plays random matches and checks the contract at each step.
//
// referee/games/game.h and wire.h have the contract.
#ifndef REFEREE_TESTS_SUPPORT_RANDOM_WALK_H_
#define REFEREE_TESTS_SUPPORT_RANDOM_WALK_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "referee/games/catalogue.h"
#include "referee/games/game.h"

namespace referee::testing {

struct RandomWalk {
  uint64_t seed = 0;
  // One in this many turns ends with a forfeit, not always of the seat to move; 0: none.
  int forfeit_one_in = 0;
  // Called in phase kTurn, before `move` is played.
  std::function<void(const games::State& state, const std::vector<games::Move>& legal,
                     games::Move move)>
      before_move;
  // Called in phase kTurn or kOver, after the move of `before_move` and the next dice.
  std::function<void(const games::State& state)> after_move;
};

// Plays one match of `game` and checks every step: legal moves are sorted and without repeats, as
// numbers and as notation; notation, wire and position strings survive a round trip; mutated moves
// are refused; clones and copies are equal; and a second run of the match has the same digests.
// Failures are GoogleTest failures.
void WalkAndCheck(const games::Entry& entry, const games::Game& game, const RandomWalk& walk);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_RANDOM_WALK_H_
