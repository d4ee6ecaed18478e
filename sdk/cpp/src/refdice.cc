#include "sdk/cpp/src/refdice.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "sodium/crypto_hash_sha256.h"

namespace referee::sdk::refdice {
namespace {

const unsigned char* Bytes(absl::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string* text) { return reinterpret_cast<unsigned char*>(&(*text)[0]); }

// The MAC of what `keyed` has absorbed so far and then `text`.
std::string Finish(crypto_auth_hmacsha256_state keyed, absl::string_view text) {
  crypto_auth_hmacsha256_update(&keyed, Bytes(text), text.size());
  std::string mac(crypto_auth_hmacsha256_BYTES, '\0');
  crypto_auth_hmacsha256_final(&keyed, Bytes(&mac));
  return mac;
}

crypto_auth_hmacsha256_state Keyed(absl::string_view key) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, Bytes(key), key.size());
  return state;
}

}  // namespace

std::string Sha256(absl::string_view bytes) {
  std::string hash(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(Bytes(&hash), Bytes(bytes), bytes.size());
  return hash;
}

std::string MatchKey(absl::string_view seed, absl::Span<const std::string> nonces) {
  std::string text = "refdice-v1/key";
  for (const std::string& nonce : nonces) {
    text.push_back(static_cast<char>(nonce.size()));
    text.append(nonce);
  }
  return Finish(Keyed(seed), text);
}

Key::Key(absl::string_view bytes) : keyed_(Keyed(bytes)) {}

std::vector<int> Key::Uniform(absl::string_view label, int n, int count) const {
  const size_t word = n <= 256 ? 1 : 2;
  const int range = n <= 256 ? 256 : 65536;
  std::vector<int> numbers;
  std::string block;
  size_t at = 0;
  for (int next = 0; static_cast<int>(numbers.size()) < count; at += word) {
    if (at == block.size()) {
      block = Finish(keyed_, absl::StrCat("refdice-v1/", label, "/", next++));
      at = 0;
    }
    int drawn = static_cast<uint8_t>(block[at]);
    if (word == 2) drawn = drawn << 8 | static_cast<uint8_t>(block[at + 1]);
    if (drawn < range - range % n) numbers.push_back(drawn % n);
  }
  return numbers;
}

std::vector<int> Key::Roll(int seat, int k) const {
  std::vector<int> dice = Uniform(absl::StrCat("roll/", seat, "/", k), 6, 2);
  for (int& die : dice) ++die;
  return dice;
}

}  // namespace referee::sdk::refdice
