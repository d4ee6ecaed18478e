// How daemons help the home of a competition: what they offer, what it gives them, and what they
// take. A hint is all that is offered: what cannot be played where it was given is handed back.

#include <algorithm>
#include <utility>

#include "referee/competition/planner.h"

namespace referee::competition {

// --- At a helper ---

store::Help Planner::Offer() const {
  store::Help offer;
  const bool open = row_.state == store::CompetitionState::kRunning && situation_.may_begin;
  if (!home_.helps || !open || held_back()) return offer;
  const int seats = row_.spec.seats;
  offer.blocks = situation_.host.RoomForBlocks(seats);
  offer.places.assign(entrants_.size(), 0);
  for (size_t bot = 0; bot < entrants_.size(); ++bot) {
    if (!entrants_[bot].successor) offer.places[bot] = ViewOf(static_cast<int>(bot)).free_slots;
  }
  // The home takes off what it has given, so that nothing has to be said anew when that begins.
  for (const auto& [number, block] : open_) {
    if (!block.made || block.waits_in_host() || block.over()) continue;
    ++offer.blocks;
    for (const int bot : block.block.pairing.bots) offer.places[standing_[bot]] += seats;
  }
  while (!offer.places.empty() && offer.places.back() == 0) offer.places.pop_back();
  return offer;
}

void Planner::TakeGiven(std::vector<store::Block> open) {
  std::map<int64_t, OpenBlock> none;
  for (store::Block& block : open) {
    if (block.owner != lease_.owner || open_.count(block.number) > 0) continue;
    const std::vector<int>& bots = block.pairing.bots;
    const bool known = std::all_of(bots.begin(), bots.end(), [&](int bot) {
      return static_cast<size_t>(bot) < entrants_.size();
    });
    // One whose matches have names was not just given.
    if (!known || !block.matches.empty()) {
      stale_ = true;
      return;
    }
    const int64_t number = block.number;
    Open(std::move(block), &none);
    open_.at(number).from_before = false;  // of this process, which knows what it has asked for
  }
}

// --- At the home ---

Planner::Place Planner::RoomAt(const store::Help& help) const {
  Place place;
  place.owner = help.owner;
  place.blocks = help.blocks;
  place.slots.assign(entrants_.size(), 0);
  place.free.assign(entrants_.size(), false);
  std::copy_n(help.places.begin(), std::min(help.places.size(), place.slots.size()),
              place.slots.begin());
  const auto take = [&](const rating::Pairing& pairing) {
    --place.blocks;
    for (const int bot : pairing.bots) place.slots[standing_[bot]] -= row_.spec.seats;
  };
  for (const auto& [number, foreign] : foreign_) {
    if (foreign.owner == help.owner) take(foreign.pairing);
  }
  for (const Transaction::Begun& begun : unwritten_) {
    if (begun.to == help.owner) take(begun.pairing);
  }
  return place;
}

}  // namespace referee::competition
