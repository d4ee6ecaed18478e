#include "referee/service/access/accounts.h"

#include <sodium.h>

#include <vector>

#include "referee/base/limits.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

Role ToRole(store::Role role) {
  switch (role) {
    case store::Role::kBot:
      return Role::kBot;
    case store::Role::kOrganiser:
      return Role::kOrganiser;
    case store::Role::kObserver:
      break;
  }
  return Role::kObserver;
}

bool SameHash(const TokenHash& a, const TokenHash& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

absl::StatusOr<Identity> Accounts::Find(const TokenHash& hash) const {
  const absl::StatusOr<store::Account> account = store_.FindToken(hash);
  if (absl::IsNotFound(account.status())) return UnknownToken();
  if (!account.ok()) return account.status();
  if (!SameHash(account->token_hash, hash)) return UnknownToken();
  if (!account->disabled.empty()) return AccountDisabled(account->name, account->disabled);
  return Identity{account->name, ToRole(account->role)};
}

absl::Status Accounts::Recheck(absl::string_view name, const TokenHash& hash) const {
  const absl::StatusOr<store::Account> account = store_.GetAccount(name);
  if (absl::IsNotFound(account.status())) return AccountRemoved(name);
  if (!account.ok()) return account.status();
  if (!account->disabled.empty()) return AccountDisabled(name, account->disabled);
  return SameHash(account->token_hash, hash) ? absl::OkStatus() : TokenRenewed(name);
}

absl::StatusOr<bool> Accounts::Has(absl::string_view name, store::Role role) const {
  const absl::StatusOr<store::Account> account = store_.GetAccount(name);
  if (absl::IsNotFound(account.status())) return false;
  if (!account.ok()) return account.status();
  return account->role == role;
}

absl::StatusOr<bool> Accounts::KnowsBot(absl::string_view name) const {
  return Has(name, store::Role::kBot);
}

absl::StatusOr<bool> Accounts::HasOrganiser() const {
  std::string last;
  {
    MutexLock lock(&mutex_);
    last = organiser_;
  }
  if (!last.empty()) {
    const absl::StatusOr<bool> still = Has(last, store::Role::kOrganiser);
    if (!still.ok() || *still) return still;
  }
  std::string after;
  for (;;) {
    const absl::StatusOr<std::vector<store::Account>> page =
        store_.ListAccounts(after, limits::kMaxPageSize);
    if (!page.ok()) return page.status();
    for (const store::Account& account : *page) {
      if (account.role != store::Role::kOrganiser) continue;
      MutexLock lock(&mutex_);
      organiser_ = account.name;
      return true;
    }
    if (static_cast<int>(page->size()) < limits::kMaxPageSize) return false;
    after = page->back().name;
  }
}

}  // namespace referee::service
