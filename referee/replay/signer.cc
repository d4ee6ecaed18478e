#include "referee/replay/signer.h"

#include <sodium.h>

#include <cstdlib>

#include "absl/strings/escaping.h"

namespace referee::replay {
namespace {

const unsigned char* Bytes(absl::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Initialises libsodium, which detects the features of the processor.
void InitSodium() {
  static const int initialised = sodium_init();
  if (initialised < 0) std::abort();
}

}  // namespace

std::string Fingerprint(const PublicKey& key) {
  constexpr size_t kShown = 16;
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, key.data(), key.size());
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(hash), kShown));
}

bool VerifySignature(absl::string_view message, const Signature& signature, const PublicKey& key) {
  InitSodium();
  return crypto_sign_verify_detached(signature.data(), Bytes(message), message.size(),
                                     key.data()) == 0;
}

Signer Signer::FromSeed(const std::array<uint8_t, 32>& seed) {
  InitSodium();
  Signer signer;
  crypto_sign_seed_keypair(signer.public_key_.data(), signer.secret_key_.data(), seed.data());
  return signer;
}

Signature Signer::Sign(absl::string_view message) const {
  Signature signature;
  crypto_sign_detached(signature.data(), nullptr, Bytes(message), message.size(),
                       secret_key_.data());
  return signature;
}

}  // namespace referee::replay
