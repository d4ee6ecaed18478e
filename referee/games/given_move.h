// Moves as bots give them, whatever the game: what the conversions of all games share.
#ifndef REFEREE_GAMES_GIVEN_MOVE_H_
#define REFEREE_GAMES_GIVEN_MOVE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/games/game.h"

namespace referee::v1 {
class Move;
}

namespace referee::games {

// Reads a move in notation, which every game takes. Returns InvalidArgument also when it is empty.
absl::StatusOr<Move> MoveFromNotation(const Game& game, const ::referee::v1::Move& move);
// Why a move in which neither the game's own member nor notation is set is none: it is of another
// game, or nothing is set.
absl::Status NoMoveOf(const Game& game, const ::referee::v1::Move& move);

}  // namespace referee::games

#endif  // REFEREE_GAMES_GIVEN_MOVE_H_
