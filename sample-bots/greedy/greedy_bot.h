// The sample bot "greedy": for each match a bot of its own, that of its game.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_GREEDY_BOT_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_GREEDY_BOT_H_

#include <memory>

#include "referee/sdk/bot.h"

namespace greedy {

class GreedyBots : public referee::sdk::Bot {
 public:
  // Null for a match whose game or board it cannot read; that one is played below.
  std::unique_ptr<referee::sdk::Bot> ForMatch(const referee::sdk::Match& match) override;
  // Plays the first move, always.
  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override {
    return turn.legal_move(0);
  }
};

}  // namespace greedy

#endif  // REFEREE_SAMPLE_BOTS_GREEDY_GREEDY_BOT_H_
