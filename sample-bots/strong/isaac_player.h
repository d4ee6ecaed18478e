// The strong player of Isaac: Monte Carlo in the placement, alpha-beta in the scoring.
//
// In the placement, it plays the placements that look best at once on to the end of the match many
// times. The scoring has no chance. There it searches with iterative deepening while time remains,
// and rates leaves by a fast playout.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_ISAAC_PLAYER_H_
#define REFEREE_SAMPLE_BOTS_STRONG_ISAAC_PLAYER_H_

#include <memory>
#include <vector>

#include "referee/games/isaac/state.h"
#include "sample-bots/strong/isaac_policy.h"
#include "sample-bots/strong/player.h"

namespace strong {

class IsaacPlayer : public Player {
 public:
  // `game` is a game of Isaac, and must outlive this object.
  explicit IsaacPlayer(const referee::games::Game& game);

  referee::games::Move Choose(const referee::games::State& state, Luck luck,
                              Budget* budget) override;

 private:
  struct Candidate {
    referee::games::Move move;
    double value = 0;
  };

  referee::games::Move ChoosePlacement(const isaac::IsaacState& state, Luck luck, Budget* budget);
  referee::games::Move ChooseRemoval(const isaac::IsaacState& state, Budget* budget);
  // Searches `depth` moves beyond each candidate. Returns false if the budget ended first.
  bool LookAhead(const isaac::IsaacState& state, int depth, std::vector<Candidate>* candidates,
                 Budget* budget);
  // The value of `state` to the seat to move, within the window: at most `low` if the value is
  // below, at least `high` if it is above.
  double Search(const isaac::IsaacState& state, int depth, double low, double high, Budget* budget);
  // A reusable state for the search at `depth`.
  isaac::IsaacState* Scratch(int depth);

  const isaac::Rules rules_;
  std::vector<std::unique_ptr<isaac::IsaacState>> scratch_;
  bool out_of_time_ = false;
  bool seen_all_ = false;  // every line was followed to the end of the match
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_ISAAC_PLAYER_H_
