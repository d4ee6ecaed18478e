#include "sample-bots/strong/strong_bot.h"

#include <algorithm>
#include <stdexcept>

#include "sample-bots/strong/hypnosia_player.h"
#include "sample-bots/strong/isaac_player.h"

namespace strong {
namespace {

namespace rules = referee::games;
namespace sdk = referee::sdk;

std::unique_ptr<Player> PlayerOf(const rules::Game& game) {
  if (game.name() == "hypnosia") return std::make_unique<HypnosiaPlayer>(game);
  if (game.name() == "isaac") return std::make_unique<IsaacPlayer>(game);
  throw std::invalid_argument("a game that it does not play");
}

}  // namespace

absl::Duration TimeToThink(absl::Duration limit, absl::Duration bank, absl::Duration most) {
  return std::min({limit * 0.4, bank / 40, most});
}

sdk::Move StrongBot::ChooseTurn(const sdk::Turn& turn) {
  const absl::Duration bank = turn.bank_left().value_or(absl::InfiniteDuration());
  Budget budget = Budget::Of(absl::ToChronoNanoseconds(TimeToThink(turn.time_left(), bank, most_)));
  const std::unique_ptr<rules::State> state = rules_.StateOf(turn).value();
  return rules_.ToSdk(player_->Choose(*state, Luck(turn.Chance()), &budget));
}

std::unique_ptr<sdk::Bot> StrongBots::ForMatch(const sdk::Match& match) {
  sdk::MatchRules rules = sdk::MatchRules::Of(match).value();
  std::unique_ptr<Player> player = PlayerOf(rules.game());
  return std::make_unique<StrongBot>(std::move(rules), std::move(player), most_);
}

}  // namespace strong
