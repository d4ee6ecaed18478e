// A bot for Isaac that looks one turn ahead, and in the scoring also at the opponent's best reply.
//
// In the placement it values own long pieces in crowded lines, and more room for itself than for
// the opponent. In the scoring it values points. It subtracts the points that the opponent can make
// next, and the pieces below its own new floor, which can no longer score. Of equally good moves it
// plays the first, so that a match repeats exactly.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_ISAAC_BOT_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_ISAAC_BOT_H_

#include <memory>
#include <utility>

#include "referee/games/isaac/state.h"
#include "referee/sdk/bot.h"
#include "referee/sdk/rules.h"

namespace greedy {

namespace isaac = referee::games::isaac;

// The value to `seat` of a position before the scoring: its placed pieces, and the room for its
// other pieces.
double PlacementWorth(const isaac::Table& table, int seat);

// The most points that `seat` can score with one removal; 0 without a legal removal.
// REQUIRES: both counters are on the board.
int BestRemoval(const isaac::Table& table, int seat);

// The points that the pieces of `seat` below its floor would score without the floor. REQUIRES:
// both counters are on the board.
int BelowFloor(const isaac::Table& table, int seat);

// Plays one match.
class IsaacBot : public referee::sdk::Bot {
 public:
  explicit IsaacBot(referee::sdk::MatchRules rules) : rules_(std::move(rules)) {}

  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override;

 private:
  const referee::sdk::MatchRules rules_;
};

}  // namespace greedy

#endif  // REFEREE_SAMPLE_BOTS_GREEDY_ISAAC_BOT_H_
