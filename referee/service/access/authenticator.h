// Authentication: finds out who somebody is by their token. Accounts implements it with the store,
// Credentials with a list in memory.
//
// A token is known only by its SHA-256, here as on disk.
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

// What a token may do: see Role in admin_service.proto.
using store::Role;

// "bot", "organiser", "observer".
absl::string_view RoleName(Role role);

using TokenHash = dice::Bytes32;

TokenHash HashToken(absl::string_view token);
// The 32 bytes of `hash`, as a key for look-ups; valid as long as `hash`.
absl::string_view BytesOf(const TokenHash& hash);

// Whether `text` can be the version of a bot.
bool IsVersion(absl::string_view text);
// Of a version that is none, in this field.
absl::Status BadVersion(absl::string_view field, absl::string_view text);

struct Identity {
  std::string name;
  Role role = Role::kBot;
  std::string version = {};  // of a bot; empty: none was told
  // When the token ends, if that is soon.
  absl::optional<absl::Time> ends_soon = {};
};

// Thread-safe. Questions are answered from memory, at once, on any thread. Memory may lag behind
// changes made by another process. So callers accept a yes as it is; but before they refuse
// anybody, they refresh memory.
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // Whose token this is. Returns Unauthenticated that says what to do when it is nobody's, or
  // refused; PermissionDenied when the account is banned. The time that it takes does not reveal
  // how much of a guess was right: tokens are looked up by their hash.
  virtual absl::StatusOr<Identity> Find(const TokenHash& hash) const = 0;

  // Whose token this is, where Find says no: if it has ended, or its account is banned or disabled.
  // So a bot that is shut out comes back to matches that have begun. Else Unauthenticated, in
  // particular for a token that was renewed: who has it now is not known. The default is for
  // authenticators that shut nobody out.
  virtual absl::StatusOr<Identity> FindShutOut(const TokenHash& hash) const;

  // Whether a token that belonged to `name` still does, or is the one that `name` itself has
  // renewed last. Returns Unauthenticated that says what became of it: renewed, disabled, removed.
  // That it has ended is what CheckExpiry says.
  virtual absl::Status Recheck(absl::string_view name, const TokenHash& hash) const = 0;
  // Whether the token of `name` has not ended. Returns Unauthenticated that says when it has. The
  // default is for authenticators whose tokens never do.
  virtual absl::Status CheckExpiry(absl::string_view) const { return absl::OkStatus(); }

  // Whether clients at `address`, as ClientAddress or IpAddress write it, are let in. Returns
  // PermissionDenied that says why not. What is no IP address is let in. The default is for
  // authenticators that ban nobody.
  virtual absl::Status CheckAddress(absl::string_view) const { return absl::OkStatus(); }
  // The bans that hold now and cancel the matches that are under way.
  virtual std::vector<store::Ban> CancellingBans() const { return {}; }

  // Why the account of this name is shut out, in a few words for everybody: "banned: floods". Empty
  // if it is not, or is not known.
  virtual std::string WhyShutOut(absl::string_view) const { return ""; }

  // Whether there is a bot of this name, whether it may play now or not.
  virtual bool KnowsBot(absl::string_view name) const = 0;

  // Returns the role of an account; not set if the account does not exist. By default not set:
  // authenticators that know only bots need no more.
  virtual absl::optional<Role> RoleOf(absl::string_view /*name*/) const { return absl::nullopt; }

  // Whether there is any organiser.
  virtual bool HasOrganiser() const = 0;

  // Brings memory up to date; may wait for the disk. After an error memory is unchanged. The
  // default is for authenticators that are always up to date.
  virtual absl::Status Refresh() { return absl::OkStatus(); }
  // The same, then calls `then` with what it returns: at once if there is nothing to wait for, else
  // on another thread.
  using Then = std::function<void(const absl::Status& fresh)>;
  virtual void RefreshThen(Then then) { then(Refresh()); }

  // A bot tells that it has another version, which is not empty. Keeps that, and then calls `then`
  // with OK, as RefreshThen does; or with why the bot may not have it (Store::SetVersion). The
  // default is for authenticators that keep no versions.
  virtual void TellVersion(const std::string& /*name*/, const std::string& /*version*/, Then then) {
    then(absl::OkStatus());
  }
};

// Returns NotFound that names the first of `names` that is no bot's even after a refresh, and whose
// it is instead; or the error of Refresh. May wait for the disk.
absl::Status CheckAreBots(Authenticator* authenticator, absl::Span<const std::string> names);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
