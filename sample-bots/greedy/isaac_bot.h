// A bot for Isaac that looks one turn ahead, and in the scoring at the opponent's best answer.
//
// In the placement it likes own long pieces in crowded lines, and to leave itself more room than
// the opponent. In the scoring it likes points, less what the opponent can make next, and less what
// lies below its new floor and can no longer be scored. Of equally good moves it plays the first,
// so that a match repeats exactly.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_ISAAC_BOT_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_ISAAC_BOT_H_

#include <memory>
#include <utility>

#include "referee/games/isaac/state.h"
#include "referee/sdk/bot.h"
#include "referee/sdk/rules.h"

namespace greedy {

namespace isaac = referee::games::isaac;

// What the position before the scoring is worth to `seat`: the pieces that lie, and the room for
// those that do not yet.
double PlacementWorth(const isaac::Table& table, int seat);

// The most points that `seat` can score with one removal; 0 if it can remove nothing.
// REQUIRES: both counters are on the board.
int BestRemoval(const isaac::Table& table, int seat);

// What the pieces of `seat` below its floor would score, were it not for the floor. REQUIRES: as
// above.
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
