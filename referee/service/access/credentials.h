// Authentication by a fixed list in memory, for a referee without accounts.
//
//   Credentials credentials;
//   credentials.Add(token, {"alice", Role::kBot});
#ifndef REFEREE_SERVICE_ACCESS_CREDENTIALS_H_
#define REFEREE_SERVICE_ACCESS_CREDENTIALS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/service/access/authenticator.h"

namespace referee::service {

// Immutable once filled; then thread-safe.
class Credentials final : public Authenticator {
 public:
  // Returns AlreadyExists if the name or the token is known, and InvalidArgument for an invalid
  // name.
  absl::Status Add(absl::string_view token, Identity identity);

  // Authenticator. A token never becomes invalid.
  absl::StatusOr<Identity> Find(const TokenHash& hash) const override;
  absl::Status Recheck(absl::string_view name, const TokenHash& hash) const override;
  bool KnowsBot(absl::string_view name) const override;
  absl::optional<Role> RoleOf(absl::string_view name) const override;
  bool HasOrganiser() const override;

 private:
  absl::flat_hash_map<std::string, Identity> by_hash_;  // key: SHA-256, 32 bytes
  absl::flat_hash_map<std::string, Role> by_name_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_CREDENTIALS_H_
