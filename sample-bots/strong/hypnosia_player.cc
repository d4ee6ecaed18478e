#include "sample-bots/strong/hypnosia_player.h"

#include <algorithm>
#include <utility>

#include "referee/games/hypnosia/game.h"
#include "referee/games/hypnosia/state.h"

namespace strong {
namespace {

using hypnosia::HypnosiaState;
using referee::games::Move;
using referee::games::Phase;
using referee::games::State;

// The number of moves that get playouts.
constexpr size_t kCandidates = 12;

}  // namespace

HypnosiaPlayer::HypnosiaPlayer(const referee::games::Game& game)
    : rules_(static_cast<const hypnosia::HypnosiaGame&>(game).rules()), policy_(rules_) {}

Move HypnosiaPlayer::Choose(const State& state, Luck luck, Budget* budget) {
  const int seat = state.seat_to_move().index();
  state.LegalMoves(&legal_);
  policy_.Rate(static_cast<const HypnosiaState&>(state).table(), legal_, &worths_);
  std::vector<std::pair<double, Move>> candidates;
  for (size_t i = 0; i < legal_.size(); ++i) candidates.push_back({-worths_[i], legal_[i]});
  std::sort(candidates.begin(), candidates.end());
  if (candidates.size() > kCandidates) candidates.resize(kCandidates);

  const std::unique_ptr<State> copy = state.Clone();
  const size_t best =
      BestByPlayouts(candidates.size(), luck, budget, [&](size_t candidate, Luck playout_luck) {
        copy->CopyFrom(state);
        copy->Apply(candidates[candidate].second);
        return PlayOut(seat, playout_luck, static_cast<HypnosiaState*>(copy.get()));
      });
  return candidates[best].second;
}

double HypnosiaPlayer::PlayOut(int seat, Luck luck, HypnosiaState* state) {
  while (state->phase() != Phase::kOver) {
    if (state->phase() == Phase::kChance) {
      const int dice[] = {luck.Below(hypnosia::kDieSides), luck.Below(hypnosia::kDieSides)};
      state->ApplyChance(dice);
      continue;
    }
    state->LegalMoves(&legal_);
    policy_.Rate(state->table(), legal_, &worths_);
    const auto best = std::max_element(worths_.begin(), worths_.end());
    state->Apply(legal_[static_cast<size_t>(best - worths_.begin())]);
  }
  const int others = rules_.seats() - 1;
  return 1 - (state->outcome().ranks[static_cast<size_t>(seat)] - 1.0) / others;
}

}  // namespace strong
