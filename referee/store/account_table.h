// Accounts, bans and the audit log, in SQL. Every function runs within its caller's transaction.
// store.h says what each does and returns.
#ifndef REFEREE_STORE_ACCOUNT_TABLE_H_
#define REFEREE_STORE_ACCOUNT_TABLE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/dice/dice.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store::account_table {

absl::Status Add(SqlDatabase* db, const Account& account);
absl::StatusOr<Account> Get(SqlDatabase* db, absl::string_view name);
absl::StatusOr<Account> FindToken(SqlDatabase* db, const dice::Bytes32& token_hash);
absl::StatusOr<std::vector<Account>> List(SqlDatabase* db, absl::string_view after, int limit);
absl::Status SetToken(SqlDatabase* db, absl::string_view name, const dice::Bytes32& token_hash,
                      absl::Time token_time, absl::optional<absl::Duration> lifetime);
absl::Status RenewToken(SqlDatabase* db, absl::string_view name, const dice::Bytes32& from_hash,
                        const dice::Bytes32& token_hash, absl::Time token_time,
                        absl::Time former_until);
absl::Status NoteUses(SqlDatabase* db, absl::Span<const std::pair<std::string, absl::Time>> uses);
absl::Status SetDisabled(SqlDatabase* db, absl::string_view name, absl::string_view reason,
                         absl::Time now);
// The part of Store::SetVersion that is about the account. Returns whether it has changed.
absl::StatusOr<bool> SetVersion(SqlDatabase* db, absl::string_view name, absl::string_view version,
                                absl::Time time, VersionSource source);
absl::Status ReleaseVersion(SqlDatabase* db, absl::string_view name);
absl::Status Remove(SqlDatabase* db, absl::string_view name, absl::Time now);

absl::Status SetBan(SqlDatabase* db, const Ban& ban);
absl::Status RemoveBan(SqlDatabase* db, Ban::Kind kind, absl::string_view subject);
absl::StatusOr<std::vector<Ban>> ListBans(SqlDatabase* db);

absl::Status AppendAudit(SqlDatabase* db, const AuditEntry& audit);
absl::StatusOr<std::vector<AuditEntry>> ListAudit(SqlDatabase* db, int64_t before, int limit);
absl::StatusOr<std::vector<AuditEntry>> ListAuditAfter(SqlDatabase* db, int64_t after, int limit);

}  // namespace referee::store::account_table

#endif  // REFEREE_STORE_ACCOUNT_TABLE_H_
