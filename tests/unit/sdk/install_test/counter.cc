// Counts the legal first moves of every game, using only the rules.
#include <iostream>
#include <vector>

#include "referee/games/hypnosia/state.h"
#include "referee/games/isaac/state.h"
#include "referee/games/rules.h"

namespace rules = referee::games;

int main() {
  const referee::dice::Key key = referee::dice::PinnedKey(referee::dice::PinnedSeed(1));
  for (const rules::GameType* type : rules::GameTypes()) {
    const auto game = rules::MakeGame(type->name(), 2, {}).value();
    const auto state = game->NewState();
    rules::DrawChance(key, state.get(), [](const rules::Chance&, absl::Span<const int>) {});
    std::vector<rules::Move> legal;
    state->LegalMoves(&legal);
    std::cout << type->name() << ' ' << legal.size() << '\n';
  }
}
