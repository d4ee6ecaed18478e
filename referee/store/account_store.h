// What the store does with accounts, with bans and with the audit log.
// store.h says what holds for every call.
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
  // The account whose token has this hash, disabled or not. Returns NotFound.
  virtual absl::StatusOr<Account> FindToken(const dice::Bytes32& token_hash) = 0;
  // At most `limit` accounts by name, in order of bytes, after `after`; empty: from the first.
  virtual absl::StatusOr<std::vector<Account>> ListAccounts(absl::string_view after, int limit) = 0;
  // Gives the account another token, in place of all that it has. `lifetime` as in Account; not
  // set: as before. Returns NotFound, AlreadyExists when the token is taken.
  virtual absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                                absl::Time token_time, absl::optional<absl::Duration> lifetime,
                                const AuditEntry& audit) = 0;
  // The same for its holder, who shows the token that it has: that one is taken until
  // `former_until`, and the one that was former before is not any more. Returns NotFound,
  // AlreadyExists when the new token is taken; FailedPrecondition when the account's is not
  // `from_hash`; ResourceExhausted while a former one is still taken.
  virtual absl::Status RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                                  const dice::Bytes32& token_hash, absl::Time token_time,
                                  absl::Time former_until, const AuditEntry& audit) = 0;
  // Notes when tokens of accounts, by name, were taken. What is earlier than what is known, and who
  // is unknown, is passed over. Leaves no audit entry.
  virtual absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) = 0;
  // Disables the account with this reason or, if it is empty, enables it. Returns NotFound;
  // FailedPrecondition when no other organiser would be left that is neither
  // disabled nor banned.
  virtual absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                                   const AuditEntry& audit) = 0;
  // Gives a bot another version; nothing changes if it has that, but that an organiser's word is
  // kept: after it nothing changes that the bot says, which is OK and leaves no audit entry, until
  // ReleaseVersion. In each ladder that it is in, and that is NEW, RUNNING or PAUSED, a new entrant
  // takes the place of the one that stands for it; by an organiser's word the latest one that had
  // this version earlier in the season comes back instead, with what it had. One that has begun no
  // block changes its version instead. Other formats keep the version that the bot had when they
  // were made. Returns NotFound; FailedPrecondition for an account that is no bot's;
  // ResourceExhausted when a ladder has limits::kMaxEntrants. From a bot also ResourceExhausted
  // within limits::kVersionInterval of the time when its version was set last, when the bot has
  // limits::kMaxVersionsPerSeason entrants in the season of a ladder already, or too many of the
  // ladder's are versions (CheckMayAdd of succession.h).
  virtual absl::Status SetVersion(absl::string_view name, absl::string_view version,
                                  absl::Time time, VersionSource source,
                                  const AuditEntry& audit) = 0;
  // Lets the bot's own word on its version count again; it keeps the version that it has until it
  // tells another. Returns NotFound; FailedPrecondition for an account that is no bot's.
  virtual absl::Status ReleaseVersion(absl::string_view name, const AuditEntry& audit) = 0;
  // Returns NotFound; FailedPrecondition that names the competition while it is in one (Presence
  // kIn) that is not FINISHED, or when no other organiser would be left that is neither
  // disabled nor banned.
  virtual absl::Status RemoveAccount(absl::string_view name, const AuditEntry& audit) = 0;
};

class AuditStore {
 public:
  virtual ~AuditStore() = default;

  // Adds a ban, in the place of one of the same kind and subject, and removes those that are over.
  // Returns ResourceExhausted when there are limits::kMaxBans others; FailedPrecondition when no
  // organiser would be left that is neither disabled nor banned.
  virtual absl::Status SetBan(const Ban& ban, const AuditEntry& audit) = 0;
  // Returns NotFound.
  virtual absl::Status RemoveBan(Ban::Kind kind, absl::string_view subject,
                                 const AuditEntry& audit) = 0;
  // All of them, those of accounts first, by subject.
  virtual absl::StatusOr<std::vector<Ban>> ListBans() = 0;

  // For actions that change nothing in the store, such as cancelling a match.
  virtual absl::Status AppendAudit(const AuditEntry& audit) = 0;
  // At most `limit` entries, newest first, of numbers below `before`; 0: from the newest.
  virtual absl::StatusOr<std::vector<AuditEntry>> ListAudit(int64_t before, int limit) = 0;
  // At most `limit` entries, oldest first, of numbers above `after`.
  virtual absl::StatusOr<std::vector<AuditEntry>> ListAuditAfter(int64_t after, int limit) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_ACCOUNT_STORE_H_
