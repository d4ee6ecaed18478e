// From which position a block starts, when it may be one of several: all positions are played once,
// in an order that nobody chose, then all again in another order. Pure.
//
// Positions are numbered from 0 in the order in which they were given, n of them. The blocks p n to
// p n + n - 1 are pass p, whose order is a shuffle:
//
//   order = [0, 1, ..., n - 1]
//   for i = n - 1 down to 1: swap order[i] and order[d mod (i + 1)]
//
// where d is, for each i, the next four bytes, big-endian, of what follows from the pass: SHA-256
// of "referee-positions-v1/<p>/0", SHA-256 of "referee-positions-v1/<p>/1" and so on, the numbers
// in decimal. Block p n + k starts from position order[k].
#ifndef REFEREE_SCHEDULE_POSITIONS_H_
#define REFEREE_SCHEDULE_POSITIONS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace referee::schedule {

// The number of the position, of so many, that block `block` starts from; all of its matches and
// attempts do. Takes time that grows with `positions`, half a millisecond for as many as there may
// be. REQUIRES: block >= 0, positions from 1 to limits::kMaxPositions.
int PositionOf(int64_t block, int positions);

// Returns InvalidArgument that names the one that is empty or too long, or says that all together
// are too many or too long. What they mean only their game knows.
absl::Status ValidatePositions(absl::Span<const std::string> positions);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_POSITIONS_H_
