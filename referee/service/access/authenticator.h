// Who somebody is, by their token. Two say so: Accounts, which are in the store, and Credentials,
// which are in memory only.
//
// A token is known only by its SHA-256, here as on disk.
#ifndef REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
#define REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/dice/dice.h"

namespace referee::service {

// What a token may do: see Role in admin_service.proto.
enum class Role { kBot, kOrganiser, kObserver };

// "bot", "organiser", "observer".
absl::string_view RoleName(Role role);

using TokenHash = dice::Bytes32;

TokenHash HashToken(absl::string_view token);
// Its 32 bytes, to be looked up by; as long as it lives.
absl::string_view BytesOf(const TokenHash& hash);

// Whether somebody may have this name.
bool IsName(absl::string_view text);

struct Identity {
  std::string name;
  Role role = Role::kBot;
};

// Thread-safe. Questions are answered from memory, at once, on any thread. Where another process
// may have changed what is asked for, memory is behind for a moment. So a yes is taken as it is;
// but before anybody is told no, or taken for an organiser for want of one, memory is refreshed.
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
  virtual bool KnowsBot(absl::string_view name) const = 0;

  // Whether there is any organiser. Without one, whoever is on this machine is.
  virtual bool HasOrganiser() const = 0;

  // Brings memory up to what is so now; waits for as long as a disk takes. Returns what keeps it
  // from that; then memory is as it was. Without anything beneath it, memory is always up to date.
  virtual absl::Status Refresh() { return absl::OkStatus(); }
  // The same, then calls `then` with what it returns: at once if there is nothing to wait for, else
  // on another thread.
  using Then = std::function<void(const absl::Status& fresh)>;
  virtual void RefreshThen(Then then) { then(Refresh()); }
};

// Returns NotFound that names the first of `names` that is no bot's, looked for anew; or what
// Refresh does. May wait for the disk.
absl::Status CheckAreBots(Authenticator* authenticator, absl::Span<const std::string> names);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_AUTHENTICATOR_H_
