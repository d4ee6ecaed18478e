// Authentication: identifies an account by its token.
//
// Accounts implements it with the store, Credentials with a list in memory. A token is stored only
// as its SHA-256, in memory and on disk.
#ifndef REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
#define REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/dice/dice.h"
#include "referee/store/account.h"

namespace referee::service {

// The permissions of a token: see Role in admin_service.proto.
using store::Role;

// "bot", "organiser", "observer".
absl::string_view RoleName(Role role);

using TokenHash = dice::Bytes32;

TokenHash HashToken(absl::string_view token);
// The 32 bytes of `hash` as a lookup key, valid as long as `hash`.
absl::string_view BytesOf(const TokenHash& hash);

// Whether `text` is a valid version of a bot.
bool IsVersion(absl::string_view text);
// The error for an invalid version in `field`.
absl::Status BadVersion(absl::string_view field, absl::string_view text);

struct Identity {
  std::string name;
  Role role = Role::kBot;
  std::string version = {};  // of a bot; empty: unknown
  // The token's expiry, if it is near.
  absl::optional<absl::Time> ends_soon = {};
};

// Thread-safe. Lookups read memory at once, on any thread. Memory may lag behind changes by another
// process. So callers accept a positive answer as it is, but refresh memory before they refuse.
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // Returns the holder of the token. Returns Unauthenticated with a hint if the token is unknown or
  // refused, and PermissionDenied if the account is banned. Tokens are looked up by hash, so the
  // timing does not reveal how much of a guess was right.
  virtual absl::StatusOr<Identity> Find(const TokenHash& hash) const = 0;

  // Returns the holder of a token that Find refuses because it has expired, or because the account
  // is banned or disabled. With it a bot that is shut out reconnects to running matches. Returns
  // Unauthenticated otherwise; also for a renewed token, whose present holder is unknown. The
  // default is for authenticators that shut out no account.
  virtual absl::StatusOr<Identity> FindShutOut(const TokenHash& hash) const;

  // Checks that a token which belonged to `name` still does, or was the one before `name` itself
  // renewed it. Returns Unauthenticated with the reason: renewed, disabled or removed. Does not
  // check expiry; see CheckExpiry.
  virtual absl::Status Recheck(absl::string_view name, const TokenHash& hash) const = 0;
  // Checks that the token of `name` has not expired. Returns Unauthenticated with the time if it
  // has. The default is for authenticators whose tokens never expire.
  virtual absl::Status CheckExpiry(absl::string_view) const { return absl::OkStatus(); }

  // Checks that clients at `address` (as ClientAddress or IpAddress write it) are not banned.
  // Returns PermissionDenied with the reason. Anything but an IP address passes. The default is for
  // authenticators without bans.
  virtual absl::Status CheckAddress(absl::string_view) const { return absl::OkStatus(); }
  // The bans in force that also cancel running matches.
  virtual std::vector<store::Ban> CancellingBans() const { return {}; }

  // A short public reason why the account is shut out, such as "banned: floods". Empty if it is
  // not, or if it is unknown.
  virtual std::string WhyShutOut(absl::string_view) const { return ""; }

  // Whether a bot of this name exists, even if it is shut out.
  virtual bool KnowsBot(absl::string_view name) const = 0;

  // Returns the role of an account, or nullopt if it does not exist. The default suits
  // authenticators that know only bots.
  virtual absl::optional<Role> RoleOf(absl::string_view /*name*/) const { return absl::nullopt; }

  // Whether any organiser exists.
  virtual bool HasOrganiser() const = 0;

  // Updates memory; may wait for the disk. On an error memory is unchanged. The default is for
  // authenticators that are always up to date.
  virtual absl::Status Refresh() { return absl::OkStatus(); }
  // Refreshes, then calls `then` with the result: at once if no wait is needed, otherwise on
  // another thread.
  using Then = std::function<void(const absl::Status& fresh)>;
  virtual void RefreshThen(Then then) { then(Refresh()); }

  // Stores the nonempty version that a bot reports. Then calls `then`, like RefreshThen, with OK or
  // the reason why the bot may not have it (Store::SetVersion). The default is for authenticators
  // that store no versions.
  virtual void TellVersion(const std::string& /*name*/, const std::string& /*version*/, Then then) {
    then(absl::OkStatus());
  }
};

// Returns NotFound for the first of `names` that is not a bot even after a refresh, and says what
// it is instead. Returns the error of Refresh if that fails. May wait for the disk.
absl::Status CheckAreBots(Authenticator* authenticator, absl::Span<const std::string> names);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
