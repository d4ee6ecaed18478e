// Converts between the types of the SDK and of the rules, for bots that search ahead.
//
// Link referee::rules as well as referee::sdk. Works for every built-in game of referee::rules.
//
//   namespace rules = referee::games;
//
//   const sdk::MatchRules played = sdk::MatchRules::Of(turn.match()).value();
//   const std::unique_ptr<rules::State> state = played.StateOf(turn).value();
//   std::vector<rules::Move> legal;
//   state->LegalMoves(&legal);
//   return played.ToSdk(legal[0]);
//
// Values are converted through text: the options, position strings and notation of the protocol.
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

// The rules of a match. A value, cheap to copy; thread-safe.
class MatchRules {
 public:
  // Makes the game with the options and seats of the match. This parses the board, so keep the
  // result for the whole match if moves are fast. Returns NotFound or InvalidArgument if a newer
  // referee plays a game or an option that these rules lack.
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

  // The state of the turn: phase() is kTurn, seat_to_move() is turn.seat(), roll() is turn.dice().
  // It has no history: turns count from 0, so a turn limit seems further away than it is. The state
  // may outlive this object. Returns InvalidArgument if the position is impossible under these
  // rules; a referee with the same rules does not send such a position.
  absl::StatusOr<std::unique_ptr<games::State>> StateOf(const Turn& turn) const {
    return game_->ParsePosition(turn.position_text());
  }

  // Converts a move for ChooseTurn to return.
  Move ToSdk(games::Move move) const { return MoveFromNotation(game_->MoveText(move)); }

  // Converts a move of the referee (from Turn::legal_moves() or TurnPlayed::move()) for
  // State::Apply. Returns InvalidArgument if the move belongs to another game.
  absl::StatusOr<games::Move> FromSdk(const Move& move) const {
    return game_->ParseMove(Notation(move));
  }

 private:
  explicit MatchRules(std::shared_ptr<const games::Game> game) : game_(std::move(game)) {}

  std::shared_ptr<const games::Game> game_;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_RULES_H_
