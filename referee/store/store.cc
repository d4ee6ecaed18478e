#include "referee/store/store.h"

#include <tuple>

#include "referee/store/names.h"

namespace referee::store {

absl::string_view StateName(CompetitionState state) { return NameOf(kStates, state); }

bool SameSpec(const schedule::Spec& a, const schedule::Spec& b) {
  const auto fields = [](const schedule::Spec& spec) {
    return std::tie(spec.name, spec.format, spec.game, spec.options, spec.seats, spec.time_control,
                    spec.on_timeout, spec.on_illegal, spec.on_lost_link, spec.lag_compensation,
                    spec.entrants, spec.rounds, spec.best_of, spec.max_running, spec.absence_limit,
                    spec.seed);
  };
  return fields(a) == fields(b);
}

rating::BlockOutcome OutcomeOf(const Block& block) {
  const size_t n = block.pairing.bots.size();
  rating::BlockOutcome outcome;
  outcome.pairing = block.pairing;
  outcome.matches.resize(block.matches.size());
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    const BlockMatch& match = block.matches[rotation];
    rating::MatchOutcome& by_place = outcome.matches[rotation];
    by_place.ranks.resize(n);
    by_place.scores.resize(n);
    by_place.silent.resize(n);
    const auto place = [&](size_t seat) { return (seat + rotation) % n; };
    for (size_t seat = 0; seat < n; ++seat) {
      by_place.ranks[place(seat)] = match.ranks[seat];
      by_place.scores[place(seat)] = match.scores[seat];
    }
    for (const SeatForfeit& forfeit : match.forfeits) {
      by_place.silent[place(static_cast<size_t>(forfeit.seat))] =
          forfeit.cause == match::Cause::kTimeout || forfeit.cause == match::Cause::kDisconnected;
    }
  }
  return outcome;
}

}  // namespace referee::store
