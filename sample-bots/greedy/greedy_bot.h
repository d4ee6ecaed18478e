// The sample bot "greedy": gives each match a separate bot for its game.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_GREEDY_BOT_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_GREEDY_BOT_H_

#include <memory>

#include "referee/sdk/bot.h"

namespace greedy {

class GreedyBots : public referee::sdk::Bot {
 public:
  // Returns null if the game or the board is unknown. Then ChooseTurn below plays the match.
  std::unique_ptr<referee::sdk::Bot> ForMatch(const referee::sdk::Match& match) override;
  // Always plays the first legal move.
  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override {
    return turn.legal_move(0);
  }
};

}  // namespace greedy

#endif  // REFEREE_SAMPLE_BOTS_GREEDY_GREEDY_BOT_H_
