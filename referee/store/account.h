// Accounts, bans and entries of the audit log, as the store keeps them.
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

// The holder of a token. Times are kept to the microsecond, as everywhere in the store.
struct Account {
  std::string name;  // unique
  Role role = Role::kBot;
  dice::Bytes32 token_hash{};  // SHA-256 of the token; unique
  std::string disabled;        // why the token is refused; empty: it is taken
  absl::Time create_time;
  absl::Time token_time;                         // when the token was made
  std::string version = {};                      // of a bot; empty: none was told
  absl::optional<absl::Time> version_time = {};  // when that was set last
  // An organiser set it: what the bot tells of itself changes nothing until it is released.
  bool version_kept = false;
  // How long its token is taken after token_time; zero: without end. So are those that its holder
  // renews it by.
  absl::Duration token_lifetime = absl::ZeroDuration();
  // The token that its holder has renewed last, and until when that is still taken.
  absl::optional<dice::Bytes32> former_hash = {};
  absl::optional<absl::Time> former_until = {};
  // When a token of it was taken last, or up to an hour before; not set: nobody noted that yet.
  absl::optional<absl::Time> last_used = {};

  // When the token ends; not set: never.
  absl::optional<absl::Time> token_expires() const {
    if (token_lifetime == absl::ZeroDuration()) return absl::nullopt;
    return token_time + token_lifetime;
  }
};

// Whether its holder may renew the account's token at `time`: not while the one before is still
// taken, so that nobody fills the audit log with renewals. Returns ResourceExhausted.
absl::Status CheckMayRenew(const Account& account, absl::Time time);

// Who says that a bot has another version. What bots say of themselves is bounded.
enum class VersionSource { kOrganiser, kBot };

// Somebody who is not let in, whatever token they have.
struct Ban {
  enum class Kind { kAccount, kAddress };
  Kind kind = Kind::kAccount;
  std::string subject;  // a name; or an address or network, such as "10.0.0.0/8"; one ban each
  std::string reason;   // for whoever is banned
  absl::Time create_time;
  absl::optional<absl::Time> until;  // not set: until it is removed
  // Who has the matches that are under way cancelled, at every referee on the store; empty: nobody,
  // and they are played to their end.
  std::string cancelled_by = {};
};

// An entry of the audit log, written in the same transaction as the action that it describes.
struct AuditEntry {
  int64_t number = 0;  // given by the store, rising from 1; ignored as input
  absl::Time time;
  std::string who;      // the name of an account, or "local"
  std::string action;   // "bot.add"
  std::string subject;  // to whom or what it was done
  std::string detail;   // for people; never a token
};

}  // namespace referee::store

#endif  // REFEREE_STORE_ACCOUNT_H_
