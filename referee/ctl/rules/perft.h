// Perft: counts the sequences of turns that can be played from a position, to compare two
// implementations of a game's rules.
#ifndef REFEREE_CTL_RULES_PERFT_H_
#define REFEREE_CTL_RULES_PERFT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::ctl {

struct PerftCounts {
  uint64_t legal = 0;     // sequences of legal turns
  uint64_t distinct = 0;  // positions that they lead to, their dice aside
};

// Counts the sequences of `depth` legal turns from `start`, and the positions after them. The n-th
// turn is played with the n-th of `rolls`, the last serving the rest; without any, with the dice of
// `start`. Sequences after which the match is over count if they have all `depth` turns.
// Returns InvalidArgument when the game cannot have a roll of `rolls`, OutOfRange when `legal` does
// not fit. REQUIRES: start.phase() != kChance, depth >= 1.
absl::StatusOr<PerftCounts> Perft(const games::State& start, int depth,
                                  absl::Span<const std::vector<int>> rolls);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_RULES_PERFT_H_
