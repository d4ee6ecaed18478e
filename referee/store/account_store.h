// Accounts in the store. store.h states the guarantees of every call.
#ifndef REFEREE_STORE_ACCOUNT_STORE_H_
#define REFEREE_STORE_ACCOUNT_STORE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/dice/dice.h"
#include "referee/store/account.h"

namespace referee::store {

class AccountStore {
 public:
  virtual ~AccountStore() = default;

  // Returns AlreadyExists when the name or the token is taken.
  virtual absl::Status AddAccount(const Account& account, const AuditEntry& audit) = 0;
  // Returns NotFound.
  virtual absl::StatusOr<Account> GetAccount(absl::string_view name) = 0;
  // Returns the account whose token has this hash, disabled or not, or NotFound.
  virtual absl::StatusOr<Account> FindToken(const dice::Bytes32& token_hash) = 0;
  // Returns at most `limit` accounts, sorted by the bytes of their names, after `after`; empty:
  // from the first.
  virtual absl::StatusOr<std::vector<Account>> ListAccounts(absl::string_view after, int limit) = 0;
  // Replaces all tokens of the account by a new one. `lifetime` is as in Account; not set:
  // unchanged. Returns NotFound, or AlreadyExists when the token is taken.
  virtual absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                                absl::Time token_time, absl::optional<absl::Duration> lifetime,
                                const AuditEntry& audit) = 0;
  // Renews a token for its holder, who presents the current one. The current token stays valid
  // until `former_until`; an older former token becomes invalid. Returns NotFound; AlreadyExists
  // when the new token is taken; FailedPrecondition when the current token is not `from_hash`;
  // ResourceExhausted while a former token is valid.
  virtual absl::Status RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                                  const dice::Bytes32& token_hash, absl::Time token_time,
                                  absl::Time former_until, const AuditEntry& audit) = 0;
  // Records when tokens of accounts, by name, were used. Ignores earlier times than the recorded
  // ones, and unknown names. Writes no audit entry.
  virtual absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) = 0;
  // Disables the account with this reason; an empty reason enables it. Returns NotFound. Returns
  // FailedPrecondition when no other organiser would be left that is neither disabled nor banned.
  virtual absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                                   const AuditEntry& audit) = 0;
  // Sets the version of a bot; the same version changes nothing. A version set by an organiser
  // stays until ReleaseVersion: reports of the bot are then OK, without change or audit entry.
  //
  // In each ladder of the bot that is NEW, RUNNING or PAUSED, a new entrant replaces the current
  // one. If an organiser sets the version, the latest entrant with this version in the season
  // returns instead, with its results. An entrant without blocks changes its version instead. Other
  // formats keep the version that the bot had when they were made.
  //
  // Returns NotFound; FailedPrecondition for an account that is not a bot's; ResourceExhausted when
  // a ladder has limits::kMaxEntrants. For a report of a bot also ResourceExhausted: within
  // limits::kVersionInterval of the last change; when the bot has limits::kMaxVersionsPerSeason
  // entrants in the season of a ladder; or when too many entrants of the ladder are versions
  // (CheckMayAdd of succession.h).
  virtual absl::Status SetVersion(absl::string_view name, absl::string_view version,
                                  absl::Time time, VersionSource source,
                                  const AuditEntry& audit) = 0;
  // Accepts reports of the bot about its version again. The bot has its version until it reports
  // another. Returns NotFound; FailedPrecondition for an account that is not a bot's.
  virtual absl::Status ReleaseVersion(absl::string_view name, const AuditEntry& audit) = 0;
  // Returns NotFound. Returns FailedPrecondition that names the competition while the account is in
  // one (Presence kIn) that is not FINISHED. Returns FailedPrecondition when no other organiser
  // would be left that is neither disabled nor banned.
  virtual absl::Status RemoveAccount(absl::string_view name, const AuditEntry& audit) = 0;
};

class AuditStore {
 public:
  virtual ~AuditStore() = default;

  // Adds a ban; replaces a ban of the same kind and subject, and removes expired ones. Returns
  // ResourceExhausted when there are limits::kMaxBans others. Returns FailedPrecondition when no
  // organiser would be left that is neither disabled nor banned.
  virtual absl::Status SetBan(const Ban& ban, const AuditEntry& audit) = 0;
  // Returns NotFound.
  virtual absl::Status RemoveBan(Ban::Kind kind, absl::string_view subject,
                                 const AuditEntry& audit) = 0;
  // Returns all bans: those of accounts first, then by subject.
  virtual absl::StatusOr<std::vector<Ban>> ListBans() = 0;

  // Writes an entry for an action that changes nothing in the store, such as cancelling a match.
  virtual absl::Status AppendAudit(const AuditEntry& audit) = 0;
  // Returns at most `limit` entries, newest first, with numbers below `before`; 0: from the newest.
  virtual absl::StatusOr<std::vector<AuditEntry>> ListAudit(int64_t before, int limit) = 0;
  // Returns at most `limit` entries, oldest first, with numbers above `after`.
  virtual absl::StatusOr<std::vector<AuditEntry>> ListAuditAfter(int64_t after, int limit) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_ACCOUNT_STORE_H_
