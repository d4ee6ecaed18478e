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
  // Twice as many as are left: going through them costs each newcomer little.
  too_many_ = std::max(limits::kMaxBadAddresses, 2 * accounts_.size());
}

bool UnheardCalls::Add(absl::string_view account, uint64_t calls, Instant now) {
  Account& opener = accounts_[account];
  if (opener.left.Take(static_cast<int64_t>(calls), now)) return true;
  // Its other connections together open no more either.
  opener.left.Drain(now);
  opener.distrusted_until = now + limits::kWasteRefusal;
  return false;
}

bool UnheardCalls::Distrusts(absl::string_view account, Instant now) const {
  const auto opener = accounts_.find(account);
  return opener != accounts_.end() && now < opener->second.distrusted_until;
}

}  // namespace referee::service
