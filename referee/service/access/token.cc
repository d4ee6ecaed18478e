#include "referee/service/access/token.h"

#include <sodium.h>

#include "absl/strings/str_cat.h"

namespace referee::service {

std::string NewToken() {
  uint8_t secret[32];
  randombytes_buf(secret, sizeof secret);
  std::string token = absl::StrCat(kTokenPrefix, Base32(secret));
  sodium_memzero(secret, sizeof secret);
  return token;
}

std::string Base32(absl::Span<const uint8_t> bytes) {
  constexpr char kDigits[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::string text;
  uint32_t held = 0;  // its lowest `bits` bits are not written yet
  int bits = 0;
  for (const uint8_t byte : bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += kDigits[(held >> (bits - 5)) & 31];
  }
  if (bits > 0) text += kDigits[(held << (5 - bits)) & 31];
  return text;
}

}  // namespace referee::service
