// Helpers for tests of Isaac: positions and moves as text.
#ifndef REFEREE_TESTS_UNIT_GAMES_ISAAC_FIXTURE_H_
#define REFEREE_TESTS_UNIT_GAMES_ISAAC_FIXTURE_H_

#include <initializer_list>
#include <string>

#include "absl/strings/match.h"
#include "tests/unit/games/game_fixture.h"

namespace referee::games::isaac {

inline constexpr absl::string_view kStart = "- 54321,54321 0,0 0,0 - P a a";

class IsaacTest : public GameTest {
 protected:
  IsaacTest() : GameTest("isaac") {}

  // The position after a sequence of legal moves.
  std::string After(absl::string_view position,
                    std::initializer_list<absl::string_view> moves) const {
    const auto state = At(position);
    for (const absl::string_view move : moves) Play(state.get(), move);
    return state->Position();
  }

  // The legal moves that begin with `prefix`.
  Texts LegalWith(absl::string_view prefix, absl::string_view position) const {
    Texts texts;
    for (const std::string& text : Legal(position)) {
      if (absl::StartsWith(text, prefix)) texts.push_back(text);
    }
    return texts;
  }
};

}  // namespace referee::games::isaac

#endif  // REFEREE_TESTS_UNIT_GAMES_ISAAC_FIXTURE_H_
