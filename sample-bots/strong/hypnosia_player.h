// The strong player of Hypnosia, by Monte Carlo playouts.
//
// It plays the moves that look best at once on to the end of the match many times, dice included.
// Then it chooses the move that wins most often.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_PLAYER_H_
#define REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_PLAYER_H_

#include <vector>

#include "referee/games/hypnosia/state.h"
#include "sample-bots/strong/hypnosia_policy.h"
#include "sample-bots/strong/player.h"

namespace strong {

class HypnosiaPlayer : public Player {
 public:
  // `game` is a game of Hypnosia, and must outlive this object.
  explicit HypnosiaPlayer(const referee::games::Game& game);

  referee::games::Move Choose(const referee::games::State& state, Luck luck,
                              Budget* budget) override;

 private:
  // Plays `state` to its end. Returns the result of `seat`: 1 for the first rank, 0 for the last.
  double PlayOut(int seat, Luck luck, hypnosia::HypnosiaState* state);

  const hypnosia::Rules& rules_;
  const HypnosiaPolicy policy_;
  std::vector<referee::games::Move> legal_;  // a member so that playouts need not allocate
  std::vector<double> worths_;
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_PLAYER_H_
