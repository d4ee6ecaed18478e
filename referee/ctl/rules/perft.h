// Perft: counts the sequences of turns from a position, to compare implementations of a game.
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
  uint64_t distinct = 0;  // positions reached, without their dice
};

// Counts the sequences of `depth` legal turns from `start`, and the positions after them. Turn n
// uses roll n of `rolls`; the last roll serves all further turns. Without rolls, all turns use the
// dice of `start`. A sequence that ends the match counts if it has all `depth` turns. Returns
// InvalidArgument if a roll is impossible in the game, and OutOfRange if `legal` overflows.
// REQUIRES: start.phase() != kChance, depth >= 1.
absl::StatusOr<PerftCounts> Perft(const games::State& start, int depth,
                                  absl::Span<const std::vector<int>> rolls);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_RULES_PERFT_H_
