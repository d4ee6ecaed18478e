#include "referee/store/store.h"

#include <tuple>

#include "absl/strings/str_cat.h"
#include "referee/base/rotation.h"
#include "referee/store/names.h"

namespace referee::store {

absl::string_view StateName(CompetitionState state) { return NameOf(kStates, state); }

bool SameSpec(const schedule::Spec& a, const schedule::Spec& b) {
  const auto fields = [](const schedule::Spec& spec) {
    return std::tie(spec.name, spec.format, spec.game, spec.options, spec.seats, spec.time_control,
                    spec.on_timeout, spec.on_illegal, spec.on_lost_link, spec.lag_compensation,
                    spec.entrants, spec.rounds, spec.best_of, spec.max_running, spec.absence_limit,
                    spec.pinned);
  };
  return fields(a) == fields(b);
}

absl::optional<dice::Seed> PinnedSeedOf(const match::DiceSource& dice, int64_t block, int attempt) {
  if (dice.pinned_seed) {
    return dice::DerivedSeed(*dice.pinned_seed, absl::StrCat("competition/", block, "/", attempt));
  }
  if (!dice.pinned_number) return absl::nullopt;
  return dice::HashedSeed(
      absl::StrCat("referee-competition-v1/", *dice.pinned_number, "/", block, "/", attempt));
}

rating::BlockOutcome OutcomeOf(const Block& block) {
  const int seats = static_cast<int>(block.pairing.bots.size());
  rating::BlockOutcome outcome;
  outcome.pairing = block.pairing;
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    std::vector<int>& by_place = outcome.ranks.emplace_back(block.pairing.bots.size());
    for (int seat = 0; seat < seats; ++seat) {
      by_place[PlaceOfSeat(seat, static_cast<int>(rotation), seats)] =
          block.matches[rotation].verdict.ranks[seat];
    }
  }
  return outcome;
}

}  // namespace referee::store
