// refdice-v1, by which all dice of a match follow from a seed and nonces: as much of it as a bot
// needs to check the referee. How it works: referee/dice/DICE.md. 32 bytes are a string of 32 bytes
// here, as on the wire. Pure functions.
#ifndef REFEREE_SDK_SRC_REFDICE_H_
#define REFEREE_SDK_SRC_REFDICE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace referee::sdk::refdice {

std::string Sha256(absl::string_view bytes);

// The match key; of pinned dice there are no nonces. REQUIRES: each nonce has at most 32 bytes.
std::string MatchKey(absl::string_view seed, absl::Span<const std::string> nonces);

// The first `count` numbers of uniform(label, n), 0 to n - 1 each. REQUIRES: 2 <= n <= 65536.
std::vector<int> Uniform(absl::string_view key, absl::string_view label, int n, int count);

// The k-th roll, from 0, of a seat's turns: two dice, 1 to 6 each.
std::vector<int> Roll(absl::string_view key, int seat, int k);

}  // namespace referee::sdk::refdice

#endif  // REFEREE_SDK_SRC_REFDICE_H_
