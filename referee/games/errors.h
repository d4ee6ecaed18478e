// Error catalogue of the games: one function for each error of options, positions and moves.
//
// base/errors.h has the rules for wording an error.
#ifndef REFEREE_GAMES_ERRORS_H_
#define REFEREE_GAMES_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::games {

// --- Game, seats and options ---
absl::Status UnknownGame(absl::string_view name, absl::string_view known);
absl::Status BadSeatCount(absl::string_view game, int seats, int min_seats, int max_seats);
absl::Status NoDiceToReplace();

// --- Boards, positions and moves ---
//
// `why` is one clause in the terms of the game; `offset` is a byte of the text, from 0.
absl::Status BadBoard(absl::string_view field, absl::string_view why);
absl::Status BadPosition(absl::string_view field, size_t offset, absl::string_view why);
// Returns the `offset` of a BadPosition error; 0 for any other status.
size_t PositionFaultOffset(const absl::Status& status);
absl::Status BadMove(absl::string_view text, size_t offset, absl::string_view why);
absl::Status BadMoveField(absl::string_view field, absl::string_view why);
// A well-formed move that breaks a rule, such as "step 1: the die 5 was not rolled".
absl::Status IllegalMove(absl::string_view move, absl::string_view why);

}  // namespace referee::games

#endif  // REFEREE_GAMES_ERRORS_H_
