// The interface of a game-specific player of the strong bot.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_PLAYER_H_
#define REFEREE_SAMPLE_BOTS_STRONG_PLAYER_H_

#include "referee/games/game.h"
#include "sample-bots/strong/budget.h"
#include "sample-bots/strong/playouts.h"

namespace strong {

// Chooses moves for one game. Thread-compatible.
class Player {
 public:
  virtual ~Player() = default;
  // Returns a legal move for the seat to move. The same state, luck and number of steps give the
  // same move. REQUIRES: state.phase() is kTurn.
  virtual referee::games::Move Choose(const referee::games::State& state, Luck luck,
                                      Budget* budget) = 0;
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_PLAYER_H_
