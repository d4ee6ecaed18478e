// Reads the moves of bots, for the conversions of all games.
#ifndef REFEREE_GAMES_GIVEN_MOVE_H_
#define REFEREE_GAMES_GIVEN_MOVE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/games/game.h"

namespace referee::v1 {
class Move;
}

namespace referee::games {

// Reads a move in notation, which every game accepts. An empty notation is InvalidArgument too.
absl::StatusOr<Move> MoveFromNotation(const Game& game, const ::referee::v1::Move& move);
// Returns the error for a move that has neither notation nor the member of this game: it belongs to
// another game, or nothing is set.
absl::Status NoMoveOf(const Game& game, const ::referee::v1::Move& move);

}  // namespace referee::games

#endif  // REFEREE_GAMES_GIVEN_MOVE_H_
