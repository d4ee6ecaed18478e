// A property test for every game: plays at random and checks, at each step, the contract of
// referee/games/game.h and wire.h.
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
  // In one of so many turns a seat forfeits, perhaps not the one to move; 0: never.
  int forfeit_one_in = 0;
  // Called in phase kTurn, before `move` is played.
  std::function<void(const games::State& state, const std::vector<games::Move>& legal,
                     games::Move move)>
      before_move;
  // Called in phase kTurn or kOver, after `before_move`'s move and the next dice.
  std::function<void(const games::State& state)> after_move;
};

// Plays one match of `game` and checks every step: legal moves sorted and without repeats, as
// numbers and as notation; notation, wire and position strings there and back; mutated moves
// refused; clones and copies equal; and the same digests when the match is played again.
// Failures are reported to GoogleTest.
void WalkAndCheck(const games::Entry& entry, const games::Game& game, const RandomWalk& walk);

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_RANDOM_WALK_H_
