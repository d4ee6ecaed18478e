// The sample bot "strong": it looks ahead with the rules (referee::rules) for as long as a move may
// take. How it plays a game is in <game>_player.h; here it meets the SDK.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_STRONG_BOT_H_
#define REFEREE_SAMPLE_BOTS_STRONG_STRONG_BOT_H_

#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "referee/sdk/bot.h"
#include "referee/sdk/rules.h"
#include "sample-bots/strong/player.h"

namespace strong {

// How long to think about a move that may take `limit` more, with `bank` left for all that follow
// (infinite without a bank): two fifths of the limit, so that a busy machine or a slow line does
// not lose the match; no more than a fortieth of the bank, for there are many moves to come; at
// most `most`.
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
  // Thinks for `most` about a move at most.
  explicit StrongBots(absl::Duration most) : most_(most) {}

  // Throws if it does not know the game or its options, which resigns the match.
  std::unique_ptr<referee::sdk::Bot> ForMatch(const referee::sdk::Match& match) override;
  // Not called: each match has its own bot.
  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override {
    return turn.legal_move(0);
  }

 private:
  const absl::Duration most_;
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_STRONG_BOT_H_
