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

absl::StatusOr<Identity> BotsFileAndAccounts::Find(const TokenHash& hash) const {
  absl::StatusOr<Identity> listed = file_.Find(hash);
  if (listed.ok()) return listed;
  absl::StatusOr<Identity> kept = accounts_.Find(hash);
  // Such an account was made beside the running referee.
  if (kept.ok() && file_.contains(kept->name)) return AccountInBotsFileToo(kept->name);
  return kept;
}

absl::Status BotsFileAndAccounts::Recheck(absl::string_view name, const TokenHash& hash) const {
  return file_.contains(name) ? file_.Recheck(name, hash) : accounts_.Recheck(name, hash);
}

absl::StatusOr<bool> BotsFileAndAccounts::KnowsBot(absl::string_view name) const {
  return file_.contains(name) ? file_.KnowsBot(name) : accounts_.KnowsBot(name);
}

absl::StatusOr<bool> BotsFileAndAccounts::HasOrganiser() const {
  absl::StatusOr<bool> listed = file_.HasOrganiser();
  return listed.ok() && *listed ? listed : accounts_.HasOrganiser();
}

absl::Status CheckNoNameTwice(const Credentials& file, store::Store* store) {
  for (const std::string& name : file.names()) {
    const absl::StatusOr<store::Account> account = store->GetAccount(name);
    if (account.ok()) return NameInBotsFileAndStore(name);
    if (!absl::IsNotFound(account.status())) return account.status();
  }
  return absl::OkStatus();
}

}  // namespace referee::service
