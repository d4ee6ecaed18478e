// Random bytes from the system, for all rooms of a node.
#ifndef REFEREE_NODE_ENTROPY_H_
#define REFEREE_NODE_ENTROPY_H_

#include <sodium.h>

#include <cstdint>

#include "absl/types/span.h"

namespace referee::node {

// REQUIRES: sodium_init was called.
inline void FillWithEntropy(absl::Span<uint8_t> bytes) {
  randombytes_buf(bytes.data(), bytes.size());
}

}  // namespace referee::node

#endif  // REFEREE_NODE_ENTROPY_H_
