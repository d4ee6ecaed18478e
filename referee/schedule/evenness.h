// How evenly the blocks of a competition spread over pairs of its bots: how often two meet, and how
// often one sits right after the other. Pure.
#ifndef REFEREE_SCHEDULE_EVENNESS_H_
#define REFEREE_SCHEDULE_EVENNESS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/rating/block.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// Competitions of more blocks are not looked at.
inline constexpr int64_t kMostBlocksForEvenness = 10'000;

// The fewest and the most blocks of any pair.
struct Evenness {
  int64_t least_met = 0;
  int64_t most_met = 0;
  // In which one of them sits right after the other; of two seats, as above.
  int64_t least_after = 0;
  int64_t most_after = 0;
};

// Whether a competition is to be even: a round robin, in which everybody is to meet everybody, or a
// gauntlet, in which the first is to meet everybody, and not too long.
bool IsToBeEven(const Spec& spec);

// Over pairs of bots for which in[bot], and only those with the first in a gauntlet. None if there
// are no such pairs. REQUIRES: IsToBeEven(spec), in.size() is the number of bots.
absl::optional<Evenness> EvennessOf(const Spec& spec, absl::Span<const rating::Pairing> blocks,
                                    const std::vector<bool>& in);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_EVENNESS_H_
