// Accounts, bans and entries of the audit log, as the store holds them.
#ifndef REFEREE_STORE_ACCOUNT_H_
#define REFEREE_STORE_ACCOUNT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/dice/dice.h"

namespace referee::store {

enum class Role { kBot, kOrganiser, kObserver };

// The holder of a token. All times in the store have microsecond precision.
struct Account {
  std::string name;  // unique
  Role role = Role::kBot;
  dice::Bytes32 token_hash{};  // SHA-256 of the token; unique
  std::string disabled;        // why the token is refused; empty: it is valid
  absl::Time create_time;
  absl::Time token_time;                         // when the token was made
  std::string version = {};                      // of a bot; empty: not reported
  absl::optional<absl::Time> version_time = {};  // when the version was last set
  // An organiser set the version. The bot's own reports are ignored until ReleaseVersion.
  bool version_kept = false;
  // How long the token is valid after token_time; zero: forever. Tokens that its holder renews keep
  // this lifetime.
  absl::Duration token_lifetime = absl::ZeroDuration();
  // The token before the last renewal by the holder, and when it becomes invalid.
  absl::optional<dice::Bytes32> former_hash = {};
  absl::optional<absl::Time> former_until = {};
  // When a token was last used, at most an hour too early; not set: unknown.
  absl::optional<absl::Time> last_used = {};

  // Returns when the token becomes invalid; not set: never.
  absl::optional<absl::Time> token_expires() const {
    if (token_lifetime == absl::ZeroDuration()) return absl::nullopt;
    return token_time + token_lifetime;
  }
};

// Checks that the holder may renew the token at `time`. Returns ResourceExhausted while the former
// token is valid, so that renewals cannot fill the audit log.
absl::Status CheckMayRenew(const Account& account, absl::Time time);

// Who sets the version of a bot. Versions that bots report are rate-limited.
enum class VersionSource { kOrganiser, kBot };

// An account or address that is refused, whatever its token.
struct Ban {
  enum class Kind { kAccount, kAddress };
  Kind kind = Kind::kAccount;
  std::string subject;  // a name; or an address or network, such as "10.0.0.0/8"; unique
  std::string reason;   // shown to the banned account or address
  absl::Time create_time;
  absl::optional<absl::Time> until;  // not set: until it is removed
  // The organiser at whose order every referee on the store cancels the running matches of the
  // banned; empty: they are played to their end.
  std::string cancelled_by = {};
};

// An entry of the audit log, written in the same transaction as its action.
struct AuditEntry {
  int64_t number = 0;  // set by the store, rising from 1; ignored as input
  absl::Time time;
  std::string who;      // the name of an account, or "local"
  std::string action;   // "bot.add"
  std::string subject;  // the object of the action
  std::string detail;   // for people; never a token
};

}  // namespace referee::store

#endif  // REFEREE_STORE_ACCOUNT_H_
