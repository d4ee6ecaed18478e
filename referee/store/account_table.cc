// The calls of SqlStore for accounts, bans and the audit log.

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/sql_store.h"
#include "referee/store/succession.h"
#include "referee/store/tables.h"

namespace referee::store {
namespace {

#define REFEREE_ACCOUNT_COLUMNS                                                        \
  "name, role, token_hash, disabled, create_time, token_time, version, version_time, " \
  "version_kept, token_lifetime_ns, former_hash, former_until, last_used"

absl::StatusOr<Account> ReadAccount(const SqlDatabase& db, const SqlStatement& row) {
  Account account;
  account.name = row.String(0);
  const absl::string_view hash = row.Text(2);
  if (!ReadName(kRoles, row.Text(1), &account.role) || hash.size() != account.token_hash.size()) {
    return db.Damaged(absl::StrCat("account ", Quoted(account.name)));
  }
  std::copy(hash.begin(), hash.end(), account.token_hash.begin());
  account.disabled = row.String(3);
  account.create_time = row.Time(4);
  account.token_time = row.Time(5);
  account.version = row.String(6);
  account.version_time = row.OptionalTime(7);
  account.version_kept = row.Int(8) != 0;
  account.token_lifetime = absl::Nanoseconds(row.Int(9));
  if (const absl::string_view former = row.Text(10); former.size() == hash.size()) {
    account.former_hash.emplace();
    std::copy(former.begin(), former.end(), account.former_hash->begin());
  }
  account.former_until = row.OptionalTime(11);
  account.last_used = row.OptionalTime(12);
  return account;
}

absl::StatusOr<Account> ReadOneAccount(const SqlDatabase& db, SqlStatement* statement,
                                       const absl::Status& none) {
  if (statement->Step()) return ReadAccount(db, *statement);
  return statement->status().ok() ? none : statement->status();
}

// Returns whether a statement returns a row.
absl::StatusOr<bool> FindsRow(SqlStatement* statement) {
  const bool found = statement->Step();
  if (!statement->status().ok()) return statement->status();
  return found;
}

absl::StatusOr<Account> FindAccount(SqlDatabase* db, absl::string_view name) {
  SqlStatement find = db->Prepare("SELECT " REFEREE_ACCOUNT_COLUMNS " FROM account WHERE name = ?");
  find.Bind(name);
  return ReadOneAccount(*db, &find, NoAccount(name));
}

// Returns LastOrganiser(name) if every organiser is disabled or banned at `now`. Then only a user
// of the referee's machine could make another.
absl::Status CheckOrganiserLeft(SqlDatabase* db, absl::string_view name, absl::Time now) {
  SqlStatement left = db->Prepare(
      "SELECT 1 FROM account WHERE role = 'ORGANISER' AND disabled = '' AND NOT EXISTS (SELECT 1 "
      "FROM ban WHERE kind = 'ACCOUNT' AND subject = account.name AND (until IS NULL OR until > "
      "?)) LIMIT 1");
  left.Bind(now);
  const absl::StatusOr<bool> found = FindsRow(&left);
  if (!found.ok()) return found.status();
  return *found ? absl::OkStatus() : LastOrganiser(name);
}

bool IsOrganiserAtWork(const Account& account) {
  return account.role == Role::kOrganiser && account.disabled.empty();
}

// Returns the bytes of a hash; none if it is not set.
absl::Span<const uint8_t> FormerBytes(const absl::optional<dice::Bytes32>& former_hash) {
  return former_hash ? absl::MakeConstSpan(*former_hash) : absl::Span<const uint8_t>();
}

absl::Status CheckTokenFree(SqlDatabase* db, const dice::Bytes32& token_hash) {
  SqlStatement find =
      db->Prepare("SELECT 1 FROM account WHERE token_hash = ?1 OR former_hash = ?1");
  find.Bind(absl::MakeConstSpan(token_hash));
  const absl::StatusOr<bool> found = FindsRow(&find);
  if (!found.ok()) return found.status();
  return *found ? TokenInUse() : absl::OkStatus();
}

}  // namespace

absl::Status SqlStore::AddAccount(const Account& account, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    SqlStatement find = db->Prepare("SELECT 1 FROM account WHERE name = ?");
    find.Bind(account.name);
    const absl::StatusOr<bool> found = FindsRow(&find);
    if (!found.ok()) return found.status();
    if (*found) {
      return absl::AlreadyExistsError(absl::StrCat("account ", Quoted(account.name),
                                                   ": there is one of this name; choose another"));
    }
    const absl::Status free = CheckTokenFree(db, account.token_hash);
    if (!free.ok()) return free;
    return db->Run("INSERT INTO account(" REFEREE_ACCOUNT_COLUMNS
                   ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   account.name, NameOf(kRoles, account.role),
                   absl::MakeConstSpan(account.token_hash), account.disabled, account.create_time,
                   account.token_time, account.version, account.version_time,
                   account.version_kept ? 1 : 0, absl::ToInt64Nanoseconds(account.token_lifetime),
                   FormerBytes(account.former_hash), account.former_until, account.last_used);
  });
}

absl::StatusOr<Account> SqlStore::GetAccount(absl::string_view name) {
  return Read([&](SqlDatabase* db) { return FindAccount(db, name); });
}

absl::StatusOr<Account> SqlStore::FindToken(const dice::Bytes32& token_hash) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<Account> {
    SqlStatement find =
        db->Prepare("SELECT " REFEREE_ACCOUNT_COLUMNS " FROM account WHERE token_hash = ?");
    find.Bind(absl::MakeConstSpan(token_hash));
    return ReadOneAccount(*db, &find, absl::NotFoundError("token: no account has it"));
  });
}

absl::StatusOr<std::vector<Account>> SqlStore::ListAccounts(absl::string_view after, int limit) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Account>> {
    SqlStatement list = db->Prepare("SELECT " REFEREE_ACCOUNT_COLUMNS
                                    " FROM account WHERE name > ? ORDER BY name LIMIT ?");
    list.Bind(after, limit);
    return ReadRows<Account>(&list, [&](const SqlStatement& row) { return ReadAccount(*db, row); });
  });
}

absl::Status SqlStore::SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                                absl::Time token_time, absl::optional<absl::Duration> lifetime,
                                const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Account> account = FindAccount(db, name);
    if (!account.ok()) return account.status();
    const absl::Status free = CheckTokenFree(db, token_hash);
    if (!free.ok()) return free;
    return db->Run(
        "UPDATE account SET token_hash = ?, token_time = ?, token_lifetime_ns = ?, former_hash = "
        "?, former_until = NULL WHERE name = ?",
        absl::MakeConstSpan(token_hash), token_time,
        absl::ToInt64Nanoseconds(lifetime.value_or(account->token_lifetime)),
        FormerBytes(absl::nullopt), name);
  });
}

absl::Status SqlStore::RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                                  const dice::Bytes32& token_hash, absl::Time token_time,
                                  absl::Time former_until, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Account> account = FindAccount(db, name);
    if (!account.ok()) return account.status();
    if (account->token_hash != from_hash) {
      return absl::FailedPreconditionError(
          absl::StrCat("account ", Quoted(name),
                       ": its token was renewed already; renew it with the new one, or ask the "
                       "organiser for another"));
    }
    if (absl::Status may = CheckMayRenew(*account, token_time); !may.ok()) return may;
    const absl::Status free = CheckTokenFree(db, token_hash);
    if (!free.ok()) return free;
    return db->Run(
        "UPDATE account SET token_hash = ?, token_time = ?, former_hash = ?, former_until = ? "
        "WHERE name = ?",
        absl::MakeConstSpan(token_hash), token_time, absl::MakeConstSpan(from_hash), former_until,
        name);
  });
}

absl::Status SqlStore::NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::Status {
    for (const auto& [name, time] : uses) {
      const absl::Status noted = db->Run(
          "UPDATE account SET last_used = ?1 WHERE name = ?2 AND (last_used IS NULL OR last_used < "
          "?1)",
          time, name);
      if (!noted.ok()) return noted;
    }
    return absl::OkStatus();
  });
}

absl::Status SqlStore::SetDisabled(absl::string_view name, absl::string_view reason,
                                   const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Account> account = FindAccount(db, name);
    if (!account.ok()) return account.status();
    const absl::Status set =
        db->Run("UPDATE account SET disabled = ? WHERE name = ?", reason, name);
    if (!set.ok() || reason.empty() || !IsOrganiserAtWork(*account)) return set;
    return CheckOrganiserLeft(db, name, audit.time);
  });
}

absl::Status SqlStore::SetVersion(absl::string_view name, absl::string_view version,
                                  absl::Time time, VersionSource source, const AuditEntry& audit) {
  if (source == VersionSource::kBot) {
    const absl::StatusOr<Account> account = GetAccount(name);
    if (account.ok() && account->version_kept) return absl::OkStatus();
  }
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Account> account = FindAccount(db, name);
    if (!account.ok()) return account.status();
    if (source == VersionSource::kBot && account->version_kept) return absl::OkStatus();
    if (source == VersionSource::kOrganiser && account->role == Role::kBot) {
      const absl::Status kept = db->Run("UPDATE account SET version_kept = 1 WHERE name = ?", name);
      if (!kept.ok()) return kept;
    }
    if (account->version == version) return absl::OkStatus();
    if (absl::Status may = CheckMayChange(*account, time, source); !may.ok()) return may;
    const absl::Status set = db->Run(
        "UPDATE account SET version = ?, version_time = ? WHERE name = ?", version, time, name);
    return set.ok() ? SetVersionInLadders(db, name, version, source) : set;
  });
}

absl::Status SqlStore::ReleaseVersion(absl::string_view name, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Account> account = FindAccount(db, name);
    if (!account.ok()) return account.status();
    if (account->role != Role::kBot) return NotABot(name);
    return db->Run("UPDATE account SET version_kept = 0 WHERE name = ?", name);
  });
}

absl::Status SqlStore::RemoveAccount(absl::string_view name, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    SqlStatement entered = db->Prepare(
        "SELECT competition.name FROM entrant JOIN competition ON competition.key = "
        "entrant.competition WHERE entrant.name = ? AND entrant.presence = 'IN' AND "
        "competition.state <> 'FINISHED' ORDER BY competition.id LIMIT 1");
    entered.Bind(name);
    const absl::StatusOr<Account> account = FindAccount(db, name);
    if (!account.ok()) return account.status();
    const absl::Status removed = db->Run("DELETE FROM account WHERE name = ?", name);
    if (!removed.ok()) return removed;
    if (entered.Step()) {
      return absl::FailedPreconditionError(
          absl::StrCat("account ", Quoted(name), ": plays in competition ", Quoted(entered.Text(0)),
                       ", which is not over; withdraw it there first"));
    }
    if (!entered.status().ok() || !IsOrganiserAtWork(*account)) return entered.status();
    return CheckOrganiserLeft(db, name, audit.time);
  });
}

absl::Status SqlStore::SetBan(const Ban& ban, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    // Remove expired bans too: they would count towards the limit.
    const absl::Status removed =
        db->Run("DELETE FROM ban WHERE (kind = ? AND subject = ?) OR until <= ?",
                NameOf(kBanKinds, ban.kind), ban.subject, ban.create_time);
    if (!removed.ok()) return removed;
    const absl::StatusOr<int64_t> others = db->ReadInt("SELECT count(*) FROM ban");
    if (!others.ok()) return others.status();
    if (*others >= limits::kMaxBans) {
      return absl::ResourceExhaustedError(
          absl::StrCat("there are ", limits::kMaxBans,
                       " bans, the most that may: remove some, or ban networks"));
    }
    const absl::Status set = db->Run(
        "INSERT INTO ban(kind, subject, reason, create_time, until, cancelled_by) VALUES(?, ?, ?, "
        "?, ?, ?)",
        NameOf(kBanKinds, ban.kind), ban.subject, ban.reason, ban.create_time, ban.until,
        ban.cancelled_by);
    if (!set.ok() || ban.kind != Ban::Kind::kAccount) return set;
    const absl::StatusOr<Account> account = FindAccount(db, ban.subject);
    if (absl::IsNotFound(account.status())) return absl::OkStatus();
    if (!account.ok()) return account.status();
    if (!IsOrganiserAtWork(*account)) return absl::OkStatus();
    return CheckOrganiserLeft(db, ban.subject, ban.create_time);
  });
}

absl::Status SqlStore::RemoveBan(Ban::Kind kind, absl::string_view subject,
                                 const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::Status removed =
        db->Run("DELETE FROM ban WHERE kind = ? AND subject = ?", NameOf(kBanKinds, kind), subject);
    if (!removed.ok()) return removed;
    return db->changes() == 0
               ? absl::NotFoundError(absl::StrCat("ban of ", Quoted(subject),
                                                  ": there is none; 'refctl ban list' shows all"))
               : absl::OkStatus();
  });
}

absl::StatusOr<std::vector<Ban>> SqlStore::ListBans() {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Ban>> {
    SqlStatement list = db->Prepare(
        "SELECT kind, subject, reason, create_time, until, cancelled_by FROM ban ORDER BY kind, "
        "subject");
    return ReadRows<Ban>(&list, [&](const SqlStatement& row) -> absl::StatusOr<Ban> {
      Ban ban;
      ban.subject = row.String(1);
      if (!ReadName(kBanKinds, row.Text(0), &ban.kind)) {
        return db->Damaged(absl::StrCat("ban ", Quoted(ban.subject)));
      }
      ban.reason = row.String(2);
      ban.create_time = row.Time(3);
      ban.until = row.OptionalTime(4);
      ban.cancelled_by = row.String(5);
      return ban;
    });
  });
}

absl::Status LogAudit(SqlDatabase* db, const AuditEntry& audit) {
  return db->Run("INSERT INTO audit(time, who, action, subject, detail) VALUES(?, ?, ?, ?, ?)",
                 audit.time, audit.who, audit.action, audit.subject, audit.detail);
}

absl::Status SqlStore::AppendAudit(const AuditEntry& audit) {
  return Audited(audit, [](SqlDatabase*) { return absl::OkStatus(); });
}

namespace {

absl::StatusOr<std::vector<AuditEntry>> ReadEntries(SqlStatement* list) {
  return ReadRows<AuditEntry>(list, [](const SqlStatement& row) {
    return AuditEntry{row.Int(0),    row.Time(1),   row.String(2),
                      row.String(3), row.String(4), row.String(5)};
  });
}

}  // namespace

absl::StatusOr<std::vector<AuditEntry>> SqlStore::ListAudit(int64_t before, int limit) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<AuditEntry>> {
    SqlStatement list = db->Prepare(
        "SELECT number, time, who, action, subject, detail FROM audit WHERE number < ? "
        "ORDER BY number DESC LIMIT ?");
    return ReadEntries(
        &list.Bind(before > 0 ? before : std::numeric_limits<int64_t>::max(), limit));
  });
}

absl::StatusOr<std::vector<AuditEntry>> SqlStore::ListAuditAfter(int64_t after, int limit) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<AuditEntry>> {
    SqlStatement list = db->Prepare(
        "SELECT number, time, who, action, subject, detail FROM audit WHERE number > ? "
        "ORDER BY number LIMIT ?");
    return ReadEntries(&list.Bind(after, limit));
  });
}

}  // namespace referee::store
