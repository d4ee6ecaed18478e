#include "tests/simulation/shown_rolls.h"

#include <algorithm>
#include <iterator>
#include <variant>

namespace referee::simulation {

bool ShownRolls::Follow(const match::Record& record, Instant now) {
  // The first turn's roll has no record of its own.
  if (!std::holds_alternative<match::Drawn>(record)) Roll(now);
  std::visit([this](const auto& one) { Follow(one); }, record);
  const bool rolled = !std::holds_alternative<match::Drawn>(record) && Roll(now);
  if (std::holds_alternative<match::Ended>(record)) shown_.emplace_back(now, match::kNeverRolls);
  return rolled;
}

int64_t ShownRolls::ShownBefore(Instant when) const {
  const auto later = std::lower_bound(
      shown_.begin(), shown_.end(), when,
      [](const std::pair<Instant, int64_t>& one, Instant time) { return one.first < time; });
  return later == shown_.begin() ? kFirstRoll : std::prev(later)->second;
}

void ShownRolls::Follow(const match::Drawn& drawn) {
  const games::Chance chance = state_->chance();
  std::vector<int> outcome;
  if (chance.kind == games::Chance::Kind::kFirstPlayer) {
    outcome.push_back(drawn.seat.index());
  } else {
    for (int i = 0; i < drawn.roll.size(); ++i) outcome.push_back(drawn.roll[i] - 1);
  }
  state_->ApplyChance(outcome);
}

void ShownRolls::Follow(const match::Played& played) {
  std::vector<int> dice;
  for (int i = 0; i < played.roll.size(); ++i) dice.push_back(played.roll[i]);
  if (!dice.empty()) static_cast<void>(state_->SetRoll(dice));
  state_->Apply(played.move);
}

void ShownRolls::Follow(const match::Forfeited& forfeited) { state_->Forfeit(forfeited.seat); }

bool ShownRolls::Roll(Instant now) {
  if (state_->phase() != games::Phase::kChance) return false;
  const games::Chance chance = state_->chance();
  if (chance.kind != games::Chance::Kind::kTurnRoll) return false;
  shown_.emplace_back(now, match::RollIndex(chance, state_->first_seat(), seats_));
  state_->ApplyChance(std::vector<int>(static_cast<size_t>(chance.count)));
  return true;
}

}  // namespace referee::simulation
