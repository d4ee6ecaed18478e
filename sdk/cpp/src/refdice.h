// refdice-v1, by which all dice of a match follow from a seed and nonces: as much of it as a bot
// needs to check the referee. How it works: referee/dice/DICE.md. 32 bytes are a string of 32 bytes
// here, as on the wire. Pure functions and values.
#ifndef REFEREE_SDK_SRC_REFDICE_H_
#define REFEREE_SDK_SRC_REFDICE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sodium/crypto_auth_hmacsha256.h"

namespace referee::sdk::refdice {

std::string Sha256(absl::string_view bytes);

// The match key; of pinned dice there are no nonces. REQUIRES: each nonce has at most 32 bytes.
std::string MatchKey(absl::string_view seed, absl::Span<const std::string> nonces);

// A match key, of which HMAC-SHA256 is prepared once for all that is drawn by it. Copyable.
class Key {
 public:
  explicit Key(absl::string_view bytes);

  // The first `count` numbers of uniform(label, n), 0 to n - 1 each. REQUIRES: 2 <= n <= 65536.
  std::vector<int> Uniform(absl::string_view label, int n, int count) const;

  // The k-th roll, from 0, of a seat's turns: two dice, 1 to 6 each.
  std::vector<int> Roll(int seat, int k) const;

 private:
  crypto_auth_hmacsha256_state keyed_;
};

}  // namespace referee::sdk::refdice

#endif  // REFEREE_SDK_SRC_REFDICE_H_
