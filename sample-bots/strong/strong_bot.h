// The sample bot "strong": searches with the rules (referee::rules) within the time of a move.
//
// This file connects the players, <game>_player.h, to the SDK.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_STRONG_BOT_H_
#define REFEREE_SAMPLE_BOTS_STRONG_STRONG_BOT_H_

#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "referee/sdk/bot.h"
#include "referee/sdk/rules.h"
#include "sample-bots/strong/player.h"

namespace strong {

// The time to think about a move. `limit` is the time left for this move, `bank` the time left for
// all moves (infinite without a bank). The result is the smallest of: two fifths of the limit, so
// that a busy machine or a slow network does not lose the match; a fortieth of the bank, because
// many moves follow; and `most`.
absl::Duration TimeToThink(absl::Duration limit, absl::Duration bank, absl::Duration most);

// Plays one match.
class StrongBot : public referee::sdk::Bot {
 public:
  StrongBot(referee::sdk::MatchRules rules, std::unique_ptr<Player> player, absl::Duration most)
      : rules_(std::move(rules)), player_(std::move(player)), most_(most) {}

  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override;

 private:
  const referee::sdk::MatchRules rules_;
  const std::unique_ptr<Player> player_;
  const absl::Duration most_;
};

// Gives each match a StrongBot with a player of its game.
class StrongBots : public referee::sdk::Bot {
 public:
  // Thinks about a move for at most `most`.
  explicit StrongBots(absl::Duration most) : most_(most) {}

  // Throws if the game or its options are unknown, which resigns the match.
  std::unique_ptr<referee::sdk::Bot> ForMatch(const referee::sdk::Match& match) override;
  // Never called: each match has its own bot.
  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override {
    return turn.legal_move(0);
  }

 private:
  const absl::Duration most_;
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_STRONG_BOT_H_
