// The strong player of Isaac. In the placement, Monte Carlo: the placements that look best at once
// are each played on to the end of the match many times. In the scoring, where chance has no part,
// alpha-beta: it looks ahead move by move, deeper and deeper while there is time, and judges where
// it stops by playing quickly on to the end.
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
  // `game` is one of Isaac, and must outlive this.
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
  // Looks `depth` moves ahead of each candidate. Returns false if the budget ended on the way.
  bool LookAhead(const isaac::IsaacState& state, int depth, std::vector<Candidate>* candidates,
                 Budget* budget);
  // What `state` brings to the seat to move, as far as it matters: at most `low` if that is less,
  // at least `high` if more.
  double Search(const isaac::IsaacState& state, int depth, double low, double high, Budget* budget);
  // A state to work with at `depth`; the same again for the same depth.
  isaac::IsaacState* Scratch(int depth);

  const isaac::Rules rules_;
  std::vector<std::unique_ptr<isaac::IsaacState>> scratch_;
  bool out_of_time_ = false;
  bool seen_all_ = false;  // every line was followed to the end of the match
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_ISAAC_PLAYER_H_
