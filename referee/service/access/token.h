// Generates the secret tokens of accounts.
#ifndef REFEREE_SERVICE_ACCESS_TOKEN_H_
#define REFEREE_SERVICE_ACCESS_TOKEN_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace referee::service {

// The prefix of every token, by which leaked tokens can be recognised.
inline constexpr absl::string_view kTokenPrefix = "rfb_";

// Returns a new token: kTokenPrefix and 32 unpredictable bytes in base32. Its 56 characters can be
// typed, spoken and used in any shell.
std::string NewToken();

// RFC 4648, in lower case and without padding.
std::string Base32(absl::Span<const uint8_t> bytes);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_TOKEN_H_
