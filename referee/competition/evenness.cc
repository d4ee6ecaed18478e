#include "referee/competition/evenness.h"

#include <algorithm>
#include <vector>

#include "referee/competition/schedule_reading.h"

namespace referee::competition {
namespace {

constexpr size_t kMostKeptEvenness = 64;

bool IsGoingOn(const store::Competition& competition) {
  return competition.state != store::CompetitionState::kFinishing &&
         competition.state != store::CompetitionState::kFinished;
}

absl::StatusOr<absl::optional<schedule::Evenness>> Read(store::Store* store,
                                                        const store::Competition& competition) {
  const absl::StatusOr<std::vector<store::Entrant>> entrants = store->ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  const absl::StatusOr<std::vector<rating::Pairing>> blocks =
      ReadPairings(store, competition, *entrants, IsGoingOn(competition));
  if (!blocks.ok()) return blocks.status();
  std::vector<bool> in;
  for (const store::Entrant& entrant : *entrants) {
    in.push_back(entrant.presence == store::Presence::kIn);
  }
  return schedule::EvennessOf(competition.spec, *blocks, in);
}

}  // namespace

absl::StatusOr<absl::optional<schedule::Evenness>> CompetitionEvenness::Of(
    const store::Competition& competition) {
  if (!schedule::IsToBeEven(competition.spec)) return absl::optional<schedule::Evenness>();
  MutexLock lock(&mutex_);
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.competition == competition.id;
  });
  if (known != kept_.end() && known->version == competition.version) return known->evenness;
  const absl::StatusOr<absl::optional<schedule::Evenness>> evenness = Read(store_, competition);
  if (!evenness.ok()) return evenness.status();
  if (known != kept_.end()) kept_.erase(known);
  kept_.push_front({competition.id, competition.version, *evenness});
  if (kept_.size() > kMostKeptEvenness) kept_.pop_back();
  return *evenness;
}

}  // namespace referee::competition
