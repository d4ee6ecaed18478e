#include "referee/gate/ticket.h"

#include <sodium.h>

#include <cstdint>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/replay/replay.h"

namespace referee::gate {
namespace {

constexpr size_t kMinKeyBytes = 32;

std::string MacOf(absl::string_view key, absl::string_view end) {
  const std::string text = absl::StrCat("refgate-ticket-v1/", end);
  unsigned char mac[crypto_auth_hmacsha256_BYTES];
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()),
                              key.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()),
                                text.size());
  crypto_auth_hmacsha256_final(&state, mac);
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(mac), sizeof(mac)));
}

}  // namespace

absl::StatusOr<std::string> ReadTicketKey(const std::string& path) {
  absl::StatusOr<std::string> key = replay::ReadFile(path);
  if (key.ok() && key->size() < kMinKeyBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(path), " holds no key: expected at least ", kMinKeyBytes,
                     " bytes that nobody can guess, as from 'head -c 32 /dev/urandom'"));
  }
  return key;
}

std::string MakeTicket(absl::string_view key, absl::Time end) {
  const std::string text = absl::StrCat(absl::ToUnixSeconds(end));
  return absl::StrCat(text, "-", MacOf(key, text));
}

absl::StatusOr<absl::Time> CheckTicket(absl::string_view key, absl::string_view ticket,
                                       absl::Time now) {
  if (ticket.empty()) {
    return absl::PermissionDeniedError("a ticket is needed here: ask the organiser for one");
  }
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(ticket, absl::MaxSplits('-', 1));
  const std::string mac = MacOf(key, parts.first);
  int64_t seconds = 0;
  if (parts.second.size() != mac.size() ||
      sodium_memcmp(parts.second.data(), mac.data(), mac.size()) != 0 ||
      !absl::SimpleAtoi(parts.first, &seconds)) {
    return absl::PermissionDeniedError("this is no ticket of this gate");
  }
  const absl::Time end = absl::FromUnixSeconds(seconds);
  if (end <= now) {
    return absl::PermissionDeniedError("the ticket is over: ask the organiser for another");
  }
  return end;
}

}  // namespace referee::gate
