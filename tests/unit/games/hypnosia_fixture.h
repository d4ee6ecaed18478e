// Helpers for tests of Hypnosia: positions and moves as text.
#ifndef REFEREE_TESTS_UNIT_GAMES_HYPNOSIA_FIXTURE_H_
#define REFEREE_TESTS_UNIT_GAMES_HYPNOSIA_FIXTURE_H_

#include <string>

#include "tests/unit/games/game_fixture.h"

namespace referee::games::hypnosia {

class HypnosiaTest : public GameTest {
 protected:
  HypnosiaTest() : GameTest("hypnosia") {}

  static void Roll(State* state, int first, int second) {
    ASSERT_EQ(state->phase(), Phase::kChance);
    const int outcome[] = {first - 1, second - 1};
    state->ApplyChance(outcome);
  }

  // The position after a move. The next seat has rolled 6 and 6.
  std::string After(absl::string_view position, absl::string_view move) const {
    const auto state = At(position);
    Play(state.get(), move);
    if (state->phase() == Phase::kChance) Roll(state.get(), 6, 6);
    return state->Position();
  }
};

}  // namespace referee::games::hypnosia

#endif  // REFEREE_TESTS_UNIT_GAMES_HYPNOSIA_FIXTURE_H_
