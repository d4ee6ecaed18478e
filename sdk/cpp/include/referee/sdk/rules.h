// Converts between the SDK's types and the rules' types, for bots that search ahead. Besides the
// library referee::sdk it needs referee::rules; it works for every game of those.
//
//   namespace rules = referee::games;
//
//   const sdk::MatchRules played = sdk::MatchRules::Of(turn.match()).value();
//   const std::unique_ptr<rules::State> state = played.StateOf(turn).value();
//   std::vector<rules::Move> legal;
//   state->LegalMoves(&legal);
//   return played.ToSdk(legal[0]);
//
// Conversions go through text: the options, position strings and notation of the protocol.
#ifndef REFEREE_SDK_RULES_H_
#define REFEREE_SDK_RULES_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/games/game.h"
#include "referee/games/rules.h"
#include "referee/sdk/match.h"
#include "referee/sdk/option_values.h"

namespace referee::sdk {

// The rules that a match is played by. A value, cheap to copy; thread-safe.
class MatchRules {
 public:
  // Makes the game with the options and seats of the match. Worth keeping for the whole match where
  // moves are fast: it reads the board. Returns NotFound or InvalidArgument if the referee is newer
  // than these rules, and plays a game or an option that they do not know.
  static absl::StatusOr<MatchRules> Of(const Match& match) {
    std::vector<games::Option> options;
    for (OptionValue& option : OptionValues(match.options())) {
      options.push_back({std::move(option.name), std::move(option.value)});
    }
    absl::StatusOr<std::shared_ptr<const games::Game>> game =
        games::MakeGame(match.game(), match.seats(), options);
    if (!game.ok()) return game.status();
    return MatchRules(*std::move(game));
  }

  const games::Game& game() const { return *game_; }

  // The state in which the turn is to be played: phase() is kTurn, seat_to_move() is turn.seat(),
  // roll() is turn.dice(). It has no history: turns count from 0, so a limit of turns seems further
  // away than it is. May outlive this. Returns InvalidArgument if the rules cannot have the
  // position, which a referee with the same rules does not send.
  absl::StatusOr<std::unique_ptr<games::State>> StateOf(const Turn& turn) const {
    return game_->ParsePosition(turn.position_text());
  }

  // A move of the rules, for ChooseTurn to return.
  Move ToSdk(games::Move move) const { return MoveFromNotation(game_->MoveText(move)); }

  // A move of the referee (one of Turn::legal_moves(), or TurnPlayed::move()) for State::Apply.
  // Returns InvalidArgument if it is none of this game.
  absl::StatusOr<games::Move> FromSdk(const Move& move) const {
    return game_->ParseMove(Notation(move));
  }

 private:
  explicit MatchRules(std::shared_ptr<const games::Game> game) : game_(std::move(game)) {}

  std::shared_ptr<const games::Game> game_;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_RULES_H_
