#include "referee/store/account_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/succession.h"

namespace referee::store::account_table {
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

absl::StatusOr<Account> ReadOne(const SqlDatabase& db, SqlStatement* statement,
                                const absl::Status& none) {
  if (statement->Step()) return ReadAccount(db, *statement);
  return statement->status().ok() ? none : statement->status();
}

// Whether a statement finds a row.
absl::StatusOr<bool> Finds(SqlStatement* statement) {
  const bool found = statement->Step();
  if (!statement->status().ok()) return statement->status();
  return found;
}

// Returns LastOrganiser(name) if every organiser is disabled or banned at `now`. Then only a user
// of the referee's machine could make another.
absl::Status CheckOrganiserLeft(SqlDatabase* db, absl::string_view name, absl::Time now) {
  SqlStatement left = db->Prepare(
      "SELECT 1 FROM account WHERE role = 'ORGANISER' AND disabled = '' AND NOT EXISTS (SELECT 1 "
      "FROM ban WHERE kind = 'ACCOUNT' AND subject = account.name AND (until IS NULL OR until > "
      "?)) "
      "LIMIT 1");
  left.Bind(now);
  const absl::StatusOr<bool> found = Finds(&left);
  if (!found.ok()) return found.status();
  return *found ? absl::OkStatus() : LastOrganiser(name);
}

bool IsOrganiserAtWork(const Account& account) {
  return account.role == Role::kOrganiser && account.disabled.empty();
}

// None: no bytes.
absl::Span<const uint8_t> FormerBytes(const absl::optional<dice::Bytes32>& former_hash) {
  return former_hash ? absl::MakeConstSpan(*former_hash) : absl::Span<const uint8_t>();
}

absl::Status CheckTokenFree(SqlDatabase* db, const dice::Bytes32& token_hash) {
  SqlStatement find =
      db->Prepare("SELECT 1 FROM account WHERE token_hash = ?1 OR former_hash = ?1");
  find.Bind(absl::MakeConstSpan(token_hash));
  const absl::StatusOr<bool> found = Finds(&find);
  if (!found.ok()) return found.status();
  return *found ? TokenInUse() : absl::OkStatus();
}

}  // namespace

absl::Status Add(SqlDatabase* db, const Account& account) {
  SqlStatement find = db->Prepare("SELECT 1 FROM account WHERE name = ?");
  find.Bind(account.name);
  const absl::StatusOr<bool> found = Finds(&find);
  if (!found.ok()) return found.status();
  if (*found) return AccountExists(account.name);
  const absl::Status free = CheckTokenFree(db, account.token_hash);
  if (!free.ok()) return free;
  return db->Run("INSERT INTO account(" REFEREE_ACCOUNT_COLUMNS
                 ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 account.name, NameOf(kRoles, account.role),
                 absl::MakeConstSpan(account.token_hash), account.disabled, account.create_time,
                 account.token_time, account.version, account.version_time,
                 account.version_kept ? 1 : 0, absl::ToInt64Nanoseconds(account.token_lifetime),
                 FormerBytes(account.former_hash), account.former_until, account.last_used);
}

absl::StatusOr<Account> Get(SqlDatabase* db, absl::string_view name) {
  SqlStatement find = db->Prepare("SELECT " REFEREE_ACCOUNT_COLUMNS " FROM account WHERE name = ?");
  find.Bind(name);
  return ReadOne(*db, &find, NoAccount(name));
}

absl::StatusOr<Account> FindToken(SqlDatabase* db, const dice::Bytes32& token_hash) {
  SqlStatement find =
      db->Prepare("SELECT " REFEREE_ACCOUNT_COLUMNS " FROM account WHERE token_hash = ?");
  find.Bind(absl::MakeConstSpan(token_hash));
  return ReadOne(*db, &find, NoAccountOfToken());
}

absl::StatusOr<std::vector<Account>> List(SqlDatabase* db, absl::string_view after, int limit) {
  SqlStatement list = db->Prepare("SELECT " REFEREE_ACCOUNT_COLUMNS
                                  " FROM account WHERE name > ? ORDER BY name LIMIT ?");
  list.Bind(after, limit);
  std::vector<Account> accounts;
  while (list.Step()) {
    absl::StatusOr<Account> account = ReadAccount(*db, list);
    if (!account.ok()) return account.status();
    accounts.push_back(*std::move(account));
  }
  if (!list.status().ok()) return list.status();
  return accounts;
}

absl::Status SetToken(SqlDatabase* db, absl::string_view name, const dice::Bytes32& token_hash,
                      absl::Time token_time, absl::optional<absl::Duration> lifetime) {
  const absl::StatusOr<Account> account = Get(db, name);
  if (!account.ok()) return account.status();
  const absl::Status free = CheckTokenFree(db, token_hash);
  if (!free.ok()) return free;
  return db->Run(
      "UPDATE account SET token_hash = ?, token_time = ?, token_lifetime_ns = ?, former_hash = ?, "
      "former_until = NULL WHERE name = ?",
      absl::MakeConstSpan(token_hash), token_time,
      absl::ToInt64Nanoseconds(lifetime.value_or(account->token_lifetime)),
      FormerBytes(absl::nullopt), name);
}

absl::Status RenewToken(SqlDatabase* db, absl::string_view name, const dice::Bytes32& from_hash,
                        const dice::Bytes32& token_hash, absl::Time token_time,
                        absl::Time former_until) {
  const absl::StatusOr<Account> account = Get(db, name);
  if (!account.ok()) return account.status();
  if (account->token_hash != from_hash) return TokenNotCurrent(name);
  if (absl::Status may = CheckMayRenew(*account, token_time); !may.ok()) return may;
  const absl::Status free = CheckTokenFree(db, token_hash);
  if (!free.ok()) return free;
  return db->Run(
      "UPDATE account SET token_hash = ?, token_time = ?, former_hash = ?, former_until = ? WHERE "
      "name = ?",
      absl::MakeConstSpan(token_hash), token_time, absl::MakeConstSpan(from_hash), former_until,
      name);
}

absl::Status NoteUses(SqlDatabase* db, absl::Span<const std::pair<std::string, absl::Time>> uses) {
  for (const auto& [name, time] : uses) {
    const absl::Status noted = db->Run(
        "UPDATE account SET last_used = ?1 WHERE name = ?2 AND (last_used IS NULL OR last_used < "
        "?1)",
        time, name);
    if (!noted.ok()) return noted;
  }
  return absl::OkStatus();
}

absl::Status SetDisabled(SqlDatabase* db, absl::string_view name, absl::string_view reason,
                         absl::Time now) {
  const absl::StatusOr<Account> account = Get(db, name);
  if (!account.ok()) return account.status();
  const absl::Status set = db->Run("UPDATE account SET disabled = ? WHERE name = ?", reason, name);
  if (!set.ok() || reason.empty() || !IsOrganiserAtWork(*account)) return set;
  return CheckOrganiserLeft(db, name, now);
}

absl::StatusOr<bool> SetVersion(SqlDatabase* db, absl::string_view name, absl::string_view version,
                                absl::Time time, VersionSource source) {
  const absl::StatusOr<Account> account = Get(db, name);
  if (!account.ok()) return account.status();
  if (source == VersionSource::kBot && account->version_kept) return false;
  if (source == VersionSource::kOrganiser && account->role == Role::kBot) {
    const absl::Status kept = db->Run("UPDATE account SET version_kept = 1 WHERE name = ?", name);
    if (!kept.ok()) return kept;
  }
  if (account->version == version) return false;
  if (absl::Status may = CheckMayChange(*account, time, source); !may.ok()) return may;
  const absl::Status set = db->Run(
      "UPDATE account SET version = ?, version_time = ? WHERE name = ?", version, time, name);
  if (!set.ok()) return set;
  return true;
}

absl::Status ReleaseVersion(SqlDatabase* db, absl::string_view name) {
  const absl::StatusOr<Account> account = Get(db, name);
  if (!account.ok()) return account.status();
  if (account->role != Role::kBot) return NotABot(name);
  return db->Run("UPDATE account SET version_kept = 0 WHERE name = ?", name);
}

absl::Status Remove(SqlDatabase* db, absl::string_view name, absl::Time now) {
  SqlStatement entered = db->Prepare(
      "SELECT competition.name FROM entrant JOIN competition ON competition.key = "
      "entrant.competition WHERE entrant.name = ? AND entrant.presence = 'IN' AND "
      "competition.state <> 'FINISHED' ORDER BY competition.id LIMIT 1");
  entered.Bind(name);
  const absl::StatusOr<Account> account = Get(db, name);
  if (!account.ok()) return account.status();
  const absl::Status removed = db->Run("DELETE FROM account WHERE name = ?", name);
  if (!removed.ok()) return removed;
  if (entered.Step()) return AccountEntered(name, entered.Text(0));
  if (!entered.status().ok() || !IsOrganiserAtWork(*account)) return entered.status();
  return CheckOrganiserLeft(db, name, now);
}

absl::Status SetBan(SqlDatabase* db, const Ban& ban) {
  // Bans that are over go with it: they would count towards the most that may be.
  const absl::Status removed =
      db->Run("DELETE FROM ban WHERE (kind = ? AND subject = ?) OR until <= ?",
              NameOf(kBanKinds, ban.kind), ban.subject, ban.create_time);
  if (!removed.ok()) return removed;
  const absl::StatusOr<int64_t> others = db->ReadInt("SELECT count(*) FROM ban");
  if (!others.ok()) return others.status();
  if (*others >= limits::kMaxBans) return TooManyBans(limits::kMaxBans);
  const absl::Status set = db->Run(
      "INSERT INTO ban(kind, subject, reason, create_time, until, cancelled_by) VALUES(?, ?, ?, ?, "
      "?, ?)",
      NameOf(kBanKinds, ban.kind), ban.subject, ban.reason, ban.create_time, ban.until,
      ban.cancelled_by);
  if (!set.ok() || ban.kind != Ban::Kind::kAccount) return set;
  const absl::StatusOr<Account> account = Get(db, ban.subject);
  if (absl::IsNotFound(account.status())) return absl::OkStatus();
  if (!account.ok()) return account.status();
  if (!IsOrganiserAtWork(*account)) return absl::OkStatus();
  return CheckOrganiserLeft(db, ban.subject, ban.create_time);
}

absl::Status RemoveBan(SqlDatabase* db, Ban::Kind kind, absl::string_view subject) {
  const absl::Status removed =
      db->Run("DELETE FROM ban WHERE kind = ? AND subject = ?", NameOf(kBanKinds, kind), subject);
  if (!removed.ok()) return removed;
  return db->changes() == 0 ? NoBan(subject) : absl::OkStatus();
}

absl::StatusOr<std::vector<Ban>> ListBans(SqlDatabase* db) {
  SqlStatement list = db->Prepare(
      "SELECT kind, subject, reason, create_time, until, cancelled_by FROM ban ORDER BY kind, "
      "subject");
  std::vector<Ban> bans;
  while (list.Step()) {
    Ban ban;
    ban.subject = list.String(1);
    if (!ReadName(kBanKinds, list.Text(0), &ban.kind)) {
      return db->Damaged(absl::StrCat("ban ", Quoted(ban.subject)));
    }
    ban.reason = list.String(2);
    ban.create_time = list.Time(3);
    ban.until = list.OptionalTime(4);
    ban.cancelled_by = list.String(5);
    bans.push_back(std::move(ban));
  }
  if (!list.status().ok()) return list.status();
  return bans;
}

absl::Status AppendAudit(SqlDatabase* db, const AuditEntry& audit) {
  return db->Run("INSERT INTO audit(time, who, action, subject, detail) VALUES(?, ?, ?, ?, ?)",
                 audit.time, audit.who, audit.action, audit.subject, audit.detail);
}

namespace {

absl::StatusOr<std::vector<AuditEntry>> ReadEntries(SqlStatement& list) {
  std::vector<AuditEntry> entries;
  while (list.Step()) {
    entries.push_back({list.Int(0), list.Time(1), list.String(2), list.String(3), list.String(4),
                       list.String(5)});
  }
  if (!list.status().ok()) return list.status();
  return entries;
}

}  // namespace

absl::StatusOr<std::vector<AuditEntry>> ListAudit(SqlDatabase* db, int64_t before, int limit) {
  SqlStatement list = db->Prepare(
      "SELECT number, time, who, action, subject, detail FROM audit WHERE number < ? "
      "ORDER BY number DESC LIMIT ?");
  return ReadEntries(list.Bind(before > 0 ? before : std::numeric_limits<int64_t>::max(), limit));
}

absl::StatusOr<std::vector<AuditEntry>> ListAuditAfter(SqlDatabase* db, int64_t after, int limit) {
  SqlStatement list = db->Prepare(
      "SELECT number, time, who, action, subject, detail FROM audit WHERE number > ? "
      "ORDER BY number LIMIT ?");
  return ReadEntries(list.Bind(after, limit));
}

}  // namespace referee::store::account_table
