// Tells a signature by the referee's key from any other, at a fraction of what it costs to verify
// it: who has the secret key needs no arithmetic on the curve.
#ifndef REFEREE_TESTS_SIMULATION_SIGNATURE_CHECKER_H_
#define REFEREE_TESTS_SIMULATION_SIGNATURE_CHECKER_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "referee/replay/signer.h"

namespace referee::simulation {

// An Ed25519 signature is (R, S) with S = r + H(R, A, M) a mod L (RFC 8032, 5.1.6), and R follows
// from r, which follows from the message, by a multiplication on the curve: that is nearly all of
// the cost. Here r, a and the equation are computed, and R is taken from the signature: S holds for
// no other R, A or M. So this trusts libsodium's multiplication, as signing again would, and sees
// everything else. Immutable, thread-safe.
class SignatureChecker {
 public:
  // Of the key pair that follows from `seed`, as replay::Signer has it.
  explicit SignatureChecker(const std::array<uint8_t, 32>& seed);

  const replay::PublicKey& public_key() const { return public_key_; }
  // Whether the owner of the key signed `message` so.
  bool IsSigned(absl::string_view message, const replay::Signature& signature) const;

 private:
  using Scalar = std::array<uint8_t, 32>;

  replay::PublicKey public_key_;
  Scalar secret_;                   // a
  std::array<uint8_t, 32> prefix_;  // of what r is the hash of
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_SIGNATURE_CHECKER_H_
