#include "referee/service/access/authenticator.h"

#include <sodium.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/host/errors.h"
#include "referee/service/errors.h"

namespace referee::service {

absl::string_view RoleName(Role role) {
  switch (role) {
    case Role::kBot:
      return "bot";
    case Role::kOrganiser:
      return "organiser";
    case Role::kObserver:
      return "observer";
  }
  return "";
}

TokenHash HashToken(absl::string_view token) {
  TokenHash hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(token.data()),
                     token.size());
  return hash;
}

absl::string_view BytesOf(const TokenHash& hash) {
  return absl::string_view(reinterpret_cast<const char*>(hash.data()), hash.size());
}

absl::StatusOr<Identity> Authenticator::FindShutOut(const TokenHash&) const {
  return UnknownToken();
}

bool IsVersion(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxVersionBytes && IsPlainText(text);
}

absl::Status BadVersion(absl::string_view field, absl::string_view text) {
  return BadValue(field, text,
                  absl::StrCat("1 to ", limits::kMaxVersionBytes,
                               " bytes of UTF-8 without control characters"));
}

absl::Status CheckAreBots(Authenticator* authenticator, absl::Span<const std::string> names) {
  const auto first_unknown = [&] {
    return std::find_if(names.begin(), names.end(),
                        [&](const std::string& name) { return !authenticator->KnowsBot(name); });
  };
  if (first_unknown() == names.end()) return absl::OkStatus();
  if (absl::Status fresh = authenticator->Refresh(); !fresh.ok()) return fresh;
  const auto unknown = first_unknown();
  if (unknown == names.end()) return absl::OkStatus();
  const absl::optional<Role> role = authenticator->RoleOf(*unknown);
  return role.has_value() ? host::NotABot(*unknown, RoleName(*role)) : host::UnknownBot(*unknown);
}

}  // namespace referee::service
