#include "referee/service/access/authenticator.h"

#include <sodium.h>

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

}  // namespace referee::service
