#include "referee/competition/competition_now.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::competition {

void CompetitionNow::SetEntrants(std::vector<store::Entrant> all) {
  entrants = std::move(all);
  row.spec.entrants.clear();
  absl::flat_hash_map<std::string, int> latest;
  for (const store::Entrant& entrant : entrants) {
    row.spec.entrants.push_back(entrant.name);
    if (!entrant.successor) latest.insert_or_assign(entrant.name, entrant.number);
  }
  standing.clear();
  for (const store::Entrant& entrant : entrants) {
    const auto found = latest.find(entrant.name);
    standing.push_back(found == latest.end() ? entrant.number : found->second);
  }
}

const host::BotView& CompetitionNow::ViewOf(int bot) const {
  static const host::BotView kUnknown;
  const auto at = static_cast<size_t>(standing[static_cast<size_t>(bot)]);
  return at < situation.host.bots.size() ? situation.host.bots[at] : kUnknown;
}

bool CompetitionNow::IsAway(int bot) const {
  const host::BotView& view = ViewOf(bot);
  return !view.connected || !view.unable.empty() || view.takes_none;
}

std::string CompetitionNow::WhyGone(int bot) const {
  const store::Entrant& entrant = entrants[static_cast<size_t>(standing[bot])];
  if (entrant.presence == store::Presence::kIn && ViewOf(bot).takes_none) {
    return absl::StrCat(Quoted(entrant.name), " takes no matches");
  }
  const char* const how = entrant.presence == store::Presence::kIn          ? " is away"
                          : entrant.presence == store::Presence::kWithdrawn ? " has left"
                                                                            : " was set aside";
  return absl::StrCat(Quoted(entrant.name), how);
}

bool CompetitionNow::TakeSlots(const rating::Pairing& pairing) {
  const int seats = row.spec.seats;
  host::HostView& host = situation.host;
  if (!host.held_back.empty() || host.RoomForBlocks(seats) == 0) return false;
  const bool have = std::all_of(pairing.bots.begin(), pairing.bots.end(),
                                [&](int bot) { return ViewOf(bot).free_slots >= seats; });
  if (!have) return false;
  host.running += seats;
  for (const int bot : pairing.bots) host.bots[standing[bot]].free_slots -= seats;
  return true;
}

}  // namespace referee::competition
