// Ed25519 signatures of a referee.
//
// A public key identifies the referee that signed a replay. key_files.h says where a referee stores
// its keys.
#ifndef REFEREE_REPLAY_SIGNER_H_
#define REFEREE_REPLAY_SIGNER_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace referee::replay {

using PublicKey = std::array<uint8_t, 32>;
using Signature = std::array<uint8_t, 64>;

// Returns the first 16 bytes of SHA-256 of the key as 32 hex digits: short enough to compare by
// eye.
std::string Fingerprint(const PublicKey& key);

// Returns whether the owner of `key` signed `message` with `signature`.
bool VerifySignature(absl::string_view message, const Signature& signature, const PublicKey& key);

// A key pair. Immutable, thread-safe; copies hold the secret too.
class Signer {
 public:
  // Derives the key pair from 32 secret bytes.
  static Signer FromSeed(const std::array<uint8_t, 32>& seed);

  const PublicKey& public_key() const { return public_key_; }
  Signature Sign(absl::string_view message) const;

 private:
  Signer() = default;

  PublicKey public_key_{};
  std::array<uint8_t, 64> secret_key_{};  // libsodium's form: seed, then public key
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_SIGNER_H_
