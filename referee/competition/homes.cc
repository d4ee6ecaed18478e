#include "referee/competition/homes.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "referee/base/limits.h"

namespace referee::competition {
namespace {

// FNV-1a over both texts, with the finaliser of SplitMix64, so that each bit depends on all others.
uint64_t Weight(absl::string_view competition, absl::string_view owner) {
  uint64_t hash = 0xCBF29CE484222325;
  const auto add = [&hash](absl::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
    hash = (hash ^ 0xFF) * 0x100000001B3;  // separates the texts: 0xFF is no byte of UTF-8
  };
  add(competition);
  add(owner);
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
  return hash ^ (hash >> 31);
}

}  // namespace

std::vector<std::string> HomeOrder(absl::string_view competition, std::vector<std::string> owners) {
  std::sort(owners.begin(), owners.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(Weight(competition, a), a) > std::pair(Weight(competition, b), b);
  });
  return owners;
}

const store::Daemon* HomeOf(const store::Competition& competition,
                            absl::Span<const store::Daemon> daemons) {
  for (const store::Daemon& daemon : daemons) {
    if (daemon.term == competition.home_term) return &daemon;
  }
  return nullptr;
}

std::vector<const store::Daemon*> HelpersOf(const store::Competition& competition,
                                            absl::Span<const store::Daemon> daemons) {
  const auto most = static_cast<size_t>(competition.spec.homes - 1);
  std::vector<const store::Daemon*> helpers;
  const store::Daemon* const home = HomeOf(competition, daemons);
  if (most == 0 || home == nullptr) return helpers;
  std::map<std::string, const store::Daemon*> able;
  std::vector<std::string> owners;
  for (const store::Daemon& daemon : daemons) {
    if (&daemon == home || !daemon.stays() || daemon.address.empty()) continue;
    able.emplace(daemon.owner, &daemon);
    owners.push_back(daemon.owner);
  }
  for (const std::string& owner : HomeOrder(competition.spec.name, std::move(owners))) {
    if (helpers.size() == most) break;
    helpers.push_back(able.at(owner));
  }
  return helpers;
}

std::vector<std::string> OthersOf(absl::string_view owner,
                                  absl::Span<const store::Daemon> daemons) {
  std::vector<std::string> addresses;
  for (const store::Daemon& daemon : daemons) {
    if (daemon.owner == owner || daemon.draining || daemon.address.empty()) continue;
    if (daemon.address.size() <= limits::kMaxAddressBytes) addresses.push_back(daemon.address);
  }
  std::sort(addresses.begin(), addresses.end());
  return addresses;
}

Home HomeFor(absl::string_view owner, const store::Competition& competition,
             absl::Span<const store::Daemon> daemons) {
  const store::Daemon* const daemon = HomeOf(competition, daemons);
  if (daemon == nullptr) return {false};
  if (daemon->owner == owner) return {true};
  const std::vector<const store::Daemon*> helpers = HelpersOf(competition, daemons);
  const bool helps = std::any_of(helpers.begin(), helpers.end(), [&](const store::Daemon* helper) {
    return helper->owner == owner;
  });
  return {false, daemon->owner, daemon->address, helps};
}

std::vector<store::CompetitionId> Homes::ToTake(absl::Span<const store::Competition> competitions,
                                                absl::Span<const store::Daemon> daemons,
                                                bool draining, Instant now) {
  const bool any_stays = std::any_of(daemons.begin(), daemons.end(),
                                     [](const store::Daemon& daemon) { return daemon.stays(); });
  const auto takes = [&](const store::Daemon& daemon) {
    return any_stays ? daemon.stays() : !daemon.draining;
  };
  std::vector<std::string> candidates;
  for (const store::Daemon& daemon : daemons) {
    if (takes(daemon)) candidates.push_back(daemon.owner);
  }
  const std::map<store::CompetitionId, Instant> before = std::exchange(free_since_, {});
  asks_again_ = Instant::InfiniteFuture();
  std::vector<store::CompetitionId> to_take;
  for (const store::Competition& competition : competitions) {
    const store::Daemon* const home = HomeOf(competition, daemons);
    // An owner that cannot begin matches keeps its competitions if no other referee can either.
    if (home != nullptr && (takes(*home) || home->owner == owner_)) continue;
    const auto known = before.find(competition.id);
    const Instant since = known == before.end() ? now : known->second;
    free_since_.emplace(competition.id, since);
    const std::vector<std::string> order = HomeOrder(competition.spec.name, candidates);
    const auto place = std::find(order.begin(), order.end(), owner_);
    if (draining || place == order.end()) continue;
    const auto turn = place - order.begin();
    const Instant when = since + static_cast<int>(turn) * limits::kHomePatience;
    if (when <= now) {
      to_take.push_back(competition.id);
    } else {
      asks_again_ = std::min(asks_again_, when);
    }
  }
  return to_take;
}

}  // namespace referee::competition
