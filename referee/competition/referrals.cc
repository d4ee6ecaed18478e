#include "referee/competition/referrals.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/competition/homes.h"

namespace referee::competition {
namespace {

void AddHome(const std::string& competition, const std::string& address, host::Referral* referral) {
  auto home =
      std::find_if(referral->homes.begin(), referral->homes.end(),
                   [&](const host::Referral::Home& known) { return known.address == address; });
  if (home == referral->homes.end()) {
    if (referral->homes.size() == limits::kMaxHomes) return;
    home = referral->homes.insert(home, {address, {}});
  }
  if (home->competitions.size() < limits::kMaxCompetitionsOfHome) {
    home->competitions.push_back(competition);
  }
}

}  // namespace

Referrals MakeReferrals(absl::Span<const HousedCompetition> competitions) {
  std::vector<const HousedCompetition*> order;
  for (const HousedCompetition& competition : competitions) order.push_back(&competition);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->priority > b->priority; });
  Referrals referrals;
  for (const HousedCompetition* const competition : order) {
    if (competition->addresses.empty()) continue;
    for (const std::string& bot : competition->bots) {
      host::Referral& referral = referrals[bot];
      referral.here = false;
      for (const std::string& address : competition->addresses) {
        AddHome(competition->name, address, &referral);
      }
    }
  }
  for (const HousedCompetition* const competition : order) {
    if (!competition->here) continue;
    for (const std::string& bot : competition->bots) {
      const auto referred = referrals.find(bot);
      if (referred != referrals.end()) referred->second.here = true;
    }
  }
  return referrals;
}

std::vector<std::string> OthersFor(absl::string_view bot, std::vector<std::string> addresses) {
  addresses = HomeOrder(bot, std::move(addresses));
  if (addresses.size() > limits::kMaxHomes) addresses.resize(limits::kMaxHomes);
  return addresses;
}

}  // namespace referee::competition
