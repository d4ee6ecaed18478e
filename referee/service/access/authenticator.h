// Who somebody is, by their token. Two say so: Accounts, which are in the store, and Credentials,
// which are in memory only.
//
// A token is known only by its SHA-256, here as on disk.
#ifndef REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
#define REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/dice/dice.h"

namespace referee::service {

// What a token may do: see Role in admin_service.proto.
enum class Role { kBot, kOrganiser, kObserver };

// "bot", "organiser", "observer".
absl::string_view RoleName(Role role);

using TokenHash = dice::Bytes32;

TokenHash HashToken(absl::string_view token);

struct Identity {
  std::string name;
  Role role = Role::kBot;
};

// Thread-safe. Calls take microseconds. Each returns Unavailable, too, when what it reads cannot be
// read.
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // Whose token this is. Returns Unauthenticated that says what to do when it is nobody's, or
  // refused. How long it takes says nothing of how much of a guess was right: tokens are looked up
  // by their hash.
  virtual absl::StatusOr<Identity> Find(const TokenHash& hash) const = 0;

  // Whether a token that was found to be that of `name` is so still. Returns Unauthenticated that
  // says what became of it: renewed, disabled, removed.
  virtual absl::Status Recheck(absl::string_view name, const TokenHash& hash) const = 0;

  // Whether there is a bot of this name, whether it may play now or not.
  virtual absl::StatusOr<bool> KnowsBot(absl::string_view name) const = 0;

  // Whether there is any organiser. Without one, whoever is on this machine is.
  virtual absl::StatusOr<bool> HasOrganiser() const = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
