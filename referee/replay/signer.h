// The referee's signature: Ed25519, with a key of its own that is made at the first start and
// stays in the data directory. Whoever has the public key can tell whose replay it is.
#ifndef REFEREE_REPLAY_SIGNER_H_
#define REFEREE_REPLAY_SIGNER_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

using PublicKey = std::array<uint8_t, 32>;
using Signature = std::array<uint8_t, 64>;

// The first 16 bytes of SHA-256 of the key, as 32 hex digits: short enough to compare by eye.
std::string Fingerprint(const PublicKey& key);

// Whether `signature` is that of `message` by the owner of `key`.
bool VerifySignature(absl::string_view message, const Signature& signature, const PublicKey& key);

// Reads a public key from a file as <data-dir>/key.pub is: 64 hex digits and a line end.
// Returns an error that names the file.
absl::StatusOr<PublicKey> ReadPublicKey(const std::string& path);

// A key pair. Immutable, thread-safe; copies hold the secret too.
class Signer {
 public:
  // Reads <data_dir>/key, or makes it (mode 0600) with key.pub beside it when there is none; the
  // directory is made if need be. Two starts at once agree on one key. Returns an error that names
  // the file and what to do; never overwrites a key.
  static absl::StatusOr<Signer> LoadOrCreate(const std::string& data_dir);
  // The key pair that follows from 32 bytes; for tests and tools.
  static Signer FromSeed(const std::array<uint8_t, 32>& seed);

  const PublicKey& public_key() const { return public_key_; }
  Signature Sign(absl::string_view message) const;

 private:
  Signer() = default;

  PublicKey public_key_{};
  std::array<uint8_t, 64> secret_key_{};  // libsodium's: seed, then public key
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_SIGNER_H_
