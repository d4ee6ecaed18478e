#include "tests/simulation/signature_checker.h"

#include <sodium.h>

#include <algorithm>
#include <initializer_list>

namespace referee::simulation {
namespace {

template <size_t kSize>
absl::string_view Text(const std::array<uint8_t, kSize>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::array<uint8_t, crypto_hash_sha512_BYTES> Sha512(
    std::initializer_list<absl::string_view> parts) {
  crypto_hash_sha512_state state;
  crypto_hash_sha512_init(&state);
  for (const absl::string_view part : parts) {
    crypto_hash_sha512_update(&state, reinterpret_cast<const uint8_t*>(part.data()), part.size());
  }
  std::array<uint8_t, crypto_hash_sha512_BYTES> hash;
  crypto_hash_sha512_final(&state, hash.data());
  return hash;
}

// SHA-512 of the parts, as a scalar.
std::array<uint8_t, crypto_core_ed25519_SCALARBYTES> HashToScalar(
    std::initializer_list<absl::string_view> parts) {
  const auto hash = Sha512(parts);
  std::array<uint8_t, crypto_core_ed25519_SCALARBYTES> scalar;
  crypto_core_ed25519_scalar_reduce(scalar.data(), hash.data());
  return scalar;
}

}  // namespace

SignatureChecker::SignatureChecker(const std::array<uint8_t, 32>& seed)
    : public_key_(replay::Signer::FromSeed(seed).public_key()) {
  const auto hash = Sha512({Text(seed)});
  std::copy_n(hash.begin(), secret_.size(), secret_.begin());
  std::copy_n(hash.begin() + secret_.size(), prefix_.size(), prefix_.begin());
  secret_.front() &= 0xf8;
  secret_.back() = static_cast<uint8_t>((secret_.back() & 0x7f) | 0x40);
}

bool SignatureChecker::IsSigned(absl::string_view message,
                                const replay::Signature& signature) const {
  const absl::string_view point = Text(signature).substr(0, crypto_core_ed25519_BYTES);
  const absl::string_view given = Text(signature).substr(crypto_core_ed25519_BYTES);
  const Scalar r = HashToScalar({Text(prefix_), message});
  const Scalar challenge = HashToScalar({point, Text(public_key_), message});
  Scalar wanted;
  crypto_core_ed25519_scalar_mul(wanted.data(), challenge.data(), secret_.data());
  crypto_core_ed25519_scalar_add(wanted.data(), wanted.data(), r.data());
  return Text(wanted) == given;
}

}  // namespace referee::simulation
