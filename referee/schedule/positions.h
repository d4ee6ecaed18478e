// Assigns starting positions to blocks: every position once per pass, in a pseudorandom order.
//
// Pure. Positions are numbered from 0 in the order in which they were given, n of them. The blocks
// p n to p n + n - 1 are pass p, whose order is a shuffle:
//
//   order = [0, 1, ..., n - 1]
//   for i = n - 1 down to 1: swap order[i] and order[d mod (i + 1)]
//
// For each i, d is the next four bytes, big-endian, of the byte stream of the pass. The stream is
// SHA-256 of "referee-positions-v1/<p>/0", then SHA-256 of "referee-positions-v1/<p>/1" and so on,
// the numbers in decimal. Block p n + k starts from position order[k].
#ifndef REFEREE_SCHEDULE_POSITIONS_H_
#define REFEREE_SCHEDULE_POSITIONS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace referee::schedule {

// Returns the number of the position from which all matches and attempts of block `block` start,
// out of `positions`. Takes time proportional to `positions`: half a millisecond for the maximum.
// REQUIRES: block >= 0, positions from 1 to limits::kMaxPositions.
int PositionOf(int64_t block, int positions);

// Returns InvalidArgument that names a position that is empty or too long, or says that there are
// too many positions or bytes. Does not check what positions mean in their game.
absl::Status ValidatePositions(absl::Span<const std::string> positions);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_POSITIONS_H_
