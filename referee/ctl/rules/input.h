// Parses the arguments of the rules commands: rolls of dice, and positions.
//
// A position also determines the number of seats.
#ifndef REFEREE_CTL_RULES_INPUT_H_
#define REFEREE_CTL_RULES_INPUT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::ctl {

// Parses rolls such as "31" or "31,62,66". Returns InvalidArgument unless each has 1 to
// games::kMaxChanceCount digits from 1 to 6.
absl::StatusOr<std::vector<std::vector<int>>> ParseRolls(absl::string_view text);

// The error for a --dice value that is not a roll, or does not fit the position.
absl::Status BadDice(absl::string_view text);

// A position and its game.
struct ReadPosition {
  std::shared_ptr<const games::Game> game;
  std::unique_ptr<games::State> state;  // in phase kTurn or kOver
};

// Parses a position, with the number of seats that fits it. Returns the game's error if no number
// of seats fits the options and the position.
absl::StatusOr<ReadPosition> ParsePositionOf(const games::GameType& type, absl::string_view text,
                                             absl::Span<const std::string> options);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_RULES_INPUT_H_
