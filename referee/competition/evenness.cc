#include "referee/competition/evenness.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "referee/competition/schedule_reading.h"

namespace referee::competition {
namespace {

constexpr size_t kMostKeptEvenness = 64;

bool IsGoingOn(const store::Competition& competition) {
  return competition.state != store::CompetitionState::kFinishing &&
         competition.state != store::CompetitionState::kFinished;
}

absl::StatusOr<absl::optional<schedule::Evenness>> Read(store::CompetitionReader* store,
                                                        const store::Competition& competition) {
  const absl::StatusOr<std::vector<store::Entrant>> entrants = store->ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  std::vector<rating::Pairing> blocks;
  const absl::StatusOr<std::vector<rating::Pairing>> plan = ReadPlan(
      store, competition, *entrants, IsGoingOn(competition), [&](const store::Block& block) {
        const bool counts =
            block.state == store::BlockState::kRunning || block.state == store::BlockState::kPlayed;
        if (counts) blocks.push_back(block.pairing);
      });
  if (!plan.ok()) return plan.status();
  blocks.insert(blocks.end(), plan->begin(), plan->end());
  std::vector<bool> in;
  for (const store::Entrant& entrant : *entrants) {
    in.push_back(entrant.presence == store::Presence::kIn);
  }
  return schedule::EvennessOf(competition.spec, blocks, in);
}

}  // namespace

CompetitionEvenness::CompetitionEvenness(store::CompetitionReader* store)
    : store_(store), kept_(kMostKeptEvenness) {}

absl::StatusOr<absl::optional<schedule::Evenness>> CompetitionEvenness::Of(
    const store::Competition& competition) {
  if (!schedule::IsToBeEven(competition.spec)) return absl::optional<schedule::Evenness>();
  const auto known = kept_.Get(
      competition.id,
      [&](const OfVersion& kept) {
        return kept.version == competition.version && kept.state == competition.state;
      },
      [&]() -> absl::StatusOr<OfVersion> {
        const auto evenness = Read(store_, competition);
        if (!evenness.ok()) return evenness.status();
        return OfVersion{competition.version, competition.state, *evenness};
      });
  if (!known.ok()) return known.status();
  return (*known)->evenness;
}

}  // namespace referee::competition
