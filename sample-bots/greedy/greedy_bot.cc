#include "sample-bots/greedy/greedy_bot.h"

#include <utility>

#include "absl/status/statusor.h"
#include "referee/sdk/hypnosia.h"
#include "referee/sdk/rules.h"
#include "sample-bots/greedy/hypnosia_bot.h"
#include "sample-bots/greedy/isaac_bot.h"
#include "sample-bots/greedy/track.h"

namespace greedy {
namespace {

namespace sdk = referee::sdk;

absl::StatusOr<std::unique_ptr<sdk::Bot>> BotFor(const sdk::Match& match) {
  if (match.options().has_isaac()) {
    absl::StatusOr<sdk::MatchRules> rules = sdk::MatchRules::Of(match);
    if (!rules.ok()) return rules.status();
    return std::make_unique<IsaacBot>(*std::move(rules));
  }
  const absl::StatusOr<sdk::hypnosia::Board> board =
      sdk::hypnosia::BoardOf(match.options().hypnosia());
  if (!board.ok()) return board.status();
  return std::make_unique<HypnosiaBot>(Track(*board));
}

}  // namespace

std::unique_ptr<sdk::Bot> GreedyBots::ForMatch(const sdk::Match& match) {
  absl::StatusOr<std::unique_ptr<sdk::Bot>> bot = BotFor(match);
  if (bot.ok()) return *std::move(bot);
  match.log().Error("plays the first move, always: ", bot.status().message());
  return nullptr;
}

}  // namespace greedy
