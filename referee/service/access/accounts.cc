#include "referee/service/access/accounts.h"

#include <sodium.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

bool SameHash(const TokenHash& a, const TokenHash& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool IsFormer(const store::Account& account, const TokenHash& hash) {
  return account.former_hash && SameHash(*account.former_hash, hash);
}

absl::Status ExpiryOf(const store::Account& account, absl::Time now) {
  const absl::optional<absl::Time> expires = account.token_expires();
  const bool expired = expires && now >= *expires;
  return expired ? TokenExpired(account.name, *expires) : absl::OkStatus();
}

// The token's expiry, if it is near enough to notify the holder.
absl::optional<absl::Time> EndsSoon(const store::Account& account, absl::Time now) {
  const absl::optional<absl::Time> expires = account.token_expires();
  const absl::Duration notice =
      std::min(limits::kTokenNotice, account.token_lifetime / limits::kTokenNoticePart);
  return expires && *expires - now < notice ? expires : absl::nullopt;
}

}  // namespace

Accounts::Accounts(store::Store* store, const Clock* clock,
                   std::unique_ptr<host::Executor> executor)
    : store_(*store),
      clock_(*clock),
      book_(std::make_shared<Book>()),
      executor_(std::move(executor)) {}

std::shared_ptr<const Accounts::Book> Accounts::book() const {
  MutexLock lock(&mutex_);
  return book_;
}

absl::StatusOr<std::shared_ptr<const store::Account>> Accounts::FindAccount(const TokenHash& hash,
                                                                            absl::Time now) const {
  const std::shared_ptr<const Book> known = book();
  const auto it = known->by_hash.find(BytesOf(hash));
  if (it == known->by_hash.end()) return UnknownToken();
  const store::Account& account = *it->second;
  if (absl::Status banned = CheckBan(*known, account.name); !banned.ok()) return banned;
  if (!account.disabled.empty()) return AccountDisabled(account.name, account.disabled);
  if (IsFormer(account, hash) && now >= account.former_until.value_or(now)) {
    return TokenRenewed(account.name);
  }
  return it->second;
}

absl::StatusOr<Identity> Accounts::Find(const TokenHash& hash) const {
  const absl::Time now = clock_.WallNow();
  const auto account = FindAccount(hash, now);
  if (!account.ok()) return account.status();
  if (absl::Status good = ExpiryOf(**account, now); !good.ok()) return good;
  NoteUse(**account, now);
  return Identity{(*account)->name, (*account)->role, (*account)->version,
                  EndsSoon(**account, now)};
}

absl::StatusOr<Identity> Accounts::FindShutOut(const TokenHash& hash) const {
  const std::shared_ptr<const Book> known = book();
  const auto it = known->by_hash.find(BytesOf(hash));
  if (it == known->by_hash.end()) return UnknownToken();
  const store::Account& account = *it->second;
  const absl::Time now = clock_.WallNow();
  if (IsFormer(account, hash) && now >= account.former_until.value_or(now)) {
    return TokenRenewed(account.name);
  }
  const bool shut_out = !CheckBan(*known, account.name).ok() || !account.disabled.empty() ||
                        !ExpiryOf(account, now).ok();
  if (!shut_out) return UnknownToken();
  return Identity{account.name, account.role, account.version};
}

std::string Accounts::WhyShutOut(absl::string_view name) const {
  const std::shared_ptr<const Book> known = book();
  const auto ban = known->banned.find(name);
  if (ban != known->banned.end() && Holds(ban->second)) {
    return absl::StrCat("banned", ban->second.reason.empty() ? "" : ": ", ban->second.reason);
  }
  const auto account = known->by_name.find(name);
  if (account == known->by_name.end() || account->second->disabled.empty()) return "";
  return absl::StrCat("disabled: ", account->second->disabled);
}

absl::Status Accounts::Recheck(absl::string_view name, const TokenHash& hash) const {
  const std::shared_ptr<const Book> known = book();
  const auto it = known->by_name.find(name);
  if (it == known->by_name.end()) return AccountRemoved(name);
  if (absl::Status banned = CheckBan(*known, name); !banned.ok()) return banned;
  const store::Account& account = *it->second;
  if (!account.disabled.empty()) return AccountDisabled(name, account.disabled);
  const bool is_its = SameHash(account.token_hash, hash) || IsFormer(account, hash);
  return is_its ? absl::OkStatus() : TokenRenewed(name);
}

absl::Status Accounts::CheckExpiry(absl::string_view name) const {
  const std::shared_ptr<const Book> known = book();
  const auto it = known->by_name.find(name);
  return it == known->by_name.end() ? AccountRemoved(name)
                                    : ExpiryOf(*it->second, clock_.WallNow());
}

void Accounts::NoteUse(const store::Account& account, absl::Time now) const {
  MutexLock lock(&uses_mutex_);
  const auto noted =
      noted_uses_.try_emplace(account.name, account.last_used.value_or(absl::InfinitePast())).first;
  if (now - noted->second < limits::kUseInterval) return;
  noted->second = now;
  due_uses_[account.name] = now;
}

void Accounts::KeepUses() {
  std::vector<std::pair<std::string, absl::Time>> due;
  {
    MutexLock lock(&uses_mutex_);
    due.assign(due_uses_.begin(), due_uses_.end());
    due_uses_.clear();
  }
  if (due.empty() || store_.NoteUses(due).ok()) return;
  MutexLock lock(&uses_mutex_);
  for (const auto& [name, time] : due) due_uses_.emplace(name, time);
}

bool Accounts::Holds(const store::Ban& ban) const {
  return !ban.until || clock_.WallNow() < *ban.until;
}

absl::Status Accounts::CheckBan(const Book& known, absl::string_view name) const {
  const auto ban = known.banned.find(name);
  if (ban == known.banned.end() || !Holds(ban->second)) return absl::OkStatus();
  return AccountBanned(name, ban->second.reason, ban->second.until);
}

absl::Status Accounts::CheckAddress(absl::string_view address) const {
  const absl::optional<IpAddress> ip = IpAddress::Parse(address);
  if (!ip) return absl::OkStatus();
  const std::shared_ptr<const Book> known = book();
  for (const auto& [range, ban] : known->banned_ranges) {
    if (!range.Contains(*ip) || !Holds(ban)) continue;
    return AddressBanned(ban.subject, ban.reason, ban.until);
  }
  return absl::OkStatus();
}

std::vector<store::Ban> Accounts::CancellingBans() const {
  std::vector<store::Ban> bans;
  const auto take = [&](const store::Ban& ban) {
    if (!ban.cancelled_by.empty() && Holds(ban)) bans.push_back(ban);
  };
  const std::shared_ptr<const Book> known = book();
  for (const auto& [name, ban] : known->banned) take(ban);
  for (const auto& [range, ban] : known->banned_ranges) take(ban);
  return bans;
}

bool Accounts::KnowsBot(absl::string_view name) const { return RoleOf(name) == Role::kBot; }

absl::optional<Role> Accounts::RoleOf(absl::string_view name) const {
  const std::shared_ptr<const Book> known = book();
  const auto it = known->by_name.find(name);
  if (it == known->by_name.end()) return absl::nullopt;
  return it->second->role;
}

bool Accounts::HasOrganiser() const { return book()->has_organiser; }

absl::Status Accounts::Refresh() {
  MutexLock lock(&refresh_mutex_);
  const Instant began = clock_.Now();
  absl::Status read = ReadWhatChanged();
  MutexLock publish(&mutex_);
  refreshed_ = read.ok() ? absl::make_optional(began) : absl::nullopt;
  return read;
}

bool Accounts::StoreAnswers(absl::Duration age) {
  {
    MutexLock lock(&mutex_);
    if (refreshed_ && clock_.Now() - *refreshed_ <= age) return true;
  }
  return Refresh().ok();
}

absl::Status Accounts::ReadWhatChanged() {
  const absl::StatusOr<std::vector<store::AuditEntry>> log = store_.ListAudit(0, 1);
  if (!log.ok()) return log.status();
  const int64_t newest = log->empty() ? 0 : log->front().number;
  if (newest == newest_entry_) return absl::OkStatus();
  // A concurrent change may be missed here, but its audit entry is newer and triggers another read.
  absl::StatusOr<std::shared_ptr<const Book>> read = ReadAll();
  if (!read.ok()) return read.status();
  newest_entry_ = newest;
  MutexLock publish(&mutex_);
  book_ = *std::move(read);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const Accounts::Book>> Accounts::ReadAll() const {
  auto all = std::make_shared<Book>();
  if (absl::Status read = ReadBans(all.get()); !read.ok()) return read;
  std::string after;
  for (;;) {
    absl::StatusOr<std::vector<store::Account>> page =
        store_.ListAccounts(after, limits::kMaxPageSize);
    if (!page.ok()) return page.status();
    const bool last = static_cast<int>(page->size()) < limits::kMaxPageSize;
    if (!last) after = page->back().name;
    for (store::Account& one : *page) {
      const auto account = std::make_shared<const store::Account>(std::move(one));
      all->by_name.emplace(account->name, account);
      all->by_hash.emplace(BytesOf(account->token_hash), account);
      if (account->former_hash) all->by_hash.emplace(BytesOf(*account->former_hash), account);
      if (account->role == store::Role::kOrganiser) all->has_organiser = true;
    }
    if (last) return all;
  }
}

absl::Status Accounts::ReadBans(Book* all) const {
  absl::StatusOr<std::vector<store::Ban>> bans = store_.ListBans();
  if (!bans.ok()) return bans.status();
  for (store::Ban& ban : *bans) {
    if (ban.kind == store::Ban::Kind::kAccount) {
      std::string name = ban.subject;
      all->banned.emplace(std::move(name), std::move(ban));
      continue;
    }
    const absl::StatusOr<IpRange> range = IpRange::Parse(ban.subject);
    if (!range.ok()) return range.status();
    all->banned_ranges.emplace_back(range->Counted(), std::move(ban));
  }
  return absl::OkStatus();
}

void Accounts::RefreshThen(Then then) {
  {
    MutexLock lock(&mutex_);
    waiting_.push_back(std::move(then));
    if (waiting_.size() > 1) return;  // a refresh is already pending
  }
  executor_->Run([this] { AnswerWaiting(); });
}

void Accounts::TellVersion(const std::string& name, const std::string& version, Then then) {
  executor_->Run([=] { then(KeepVersion(name, version)); });
}

absl::Status Accounts::KeepVersion(const std::string& name, const std::string& version) {
  const store::AuditEntry audit{0, clock_.WallNow(), name, "bot.version", name, version};
  absl::Status kept =
      store_.SetVersion(name, version, audit.time, store::VersionSource::kBot, audit);
  return kept.ok() ? Refresh() : kept;
}

void Accounts::AnswerWaiting() {
  std::vector<Then> waiting;
  {
    MutexLock lock(&mutex_);
    waiting.swap(waiting_);
  }
  const absl::Status fresh = Refresh();
  KeepUses();
  for (const Then& then : waiting) then(fresh);
}

}  // namespace referee::service
