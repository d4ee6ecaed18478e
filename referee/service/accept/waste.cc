#include "referee/service/accept/waste.h"

#include <algorithm>

namespace referee::service {

bool Waste::Add(const IpAddress& address, uint64_t bytes, Instant now) {
  auto found = accounts_.find(address);
  if (found == accounts_.end()) {
    Forget(now);
    found = accounts_.try_emplace(address).first;
  }
  Account& account = found->second;
  if (account.left.Take(static_cast<int64_t>(bytes), now)) return true;
  account.refused_until = now + limits::kWasteRefusal;
  return false;
}

void Waste::Return(const IpAddress& address, uint64_t bytes) {
  const auto account = accounts_.find(address);
  if (account != accounts_.end()) account->second.left.Return(static_cast<int64_t>(bytes));
}

bool Waste::Refuses(const IpAddress& address, bool accounts_known, Instant now) {
  const auto account = accounts_.find(address);
  if (account == accounts_.end() || account->second.refused_until <= now) return false;
  return !accounts_known || !account->second.newcomers.Take(1, now);
}

void Waste::Forget(Instant now) {
  if (accounts_.size() < too_many_) return;
  for (auto it = accounts_.begin(); it != accounts_.end();) {
    const auto account = it++;
    const bool good = account->second.refused_until <= now;
    if (good && account->second.left.Has(limits::kWaste.burst, now)) accounts_.erase(account);
  }
  // Doubling the limit keeps the cost of each scan low.
  too_many_ = std::max(limits::kMaxBadAddresses, 2 * accounts_.size());
}

bool AccountBudgets::Add(absl::string_view account, uint64_t count, Instant now) {
  Account& spender = accounts_.try_emplace(account, Account{TokenBucket(each_), {}}).first->second;
  if (spender.left.Take(static_cast<int64_t>(count), now)) return true;
  // Empties the budget, so that the account's other connections bring no more either.
  spender.left.Drain(now);
  spender.distrusted_until = now + limits::kWasteRefusal;
  return false;
}

bool AccountBudgets::Distrusts(absl::string_view account, Instant now) const {
  const auto spender = accounts_.find(account);
  return spender != accounts_.end() && now < spender->second.distrusted_until;
}

}  // namespace referee::service
