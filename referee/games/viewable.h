// What a game may tell viewers of its matches beside what games/game.h asks of it. A Game that has
// something to tell derives from Viewable, too; of others viewers show what every game has.
#ifndef REFEREE_GAMES_VIEWABLE_H_
#define REFEREE_GAMES_VIEWABLE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "referee/games/game.h"
#include "referee/games/scene.h"

namespace referee::games {

// Immutable and thread-safe, as games are.
class Viewable {
 public:
  virtual ~Viewable() = default;

  // What the signs mean in what State::Draw draws: lines of at most 76 columns, each ended by a
  // newline.
  virtual absl::string_view Legend() const = 0;
  // Whether a move of this game takes something from another seat.
  virtual bool Captures(Move move) const = 0;

  // Where its places lie. Without places pages show what State::Draw draws.
  virtual BoardGeometry Geometry() const { return {}; }
  // What stands on the places in `state`, to which `last` led from `before`, a state in which that
  // was legal; null at the start and after a forfeit. REQUIRES: the geometry has places.
  virtual Scene SceneOf(const State& /*state*/, const State* /*before*/, Move /*last*/) const {
    return {};
  }
  // What a move that is legal in `before`, and no pass, does, as the end of a sentence that begins
  // with the seat: "moves a pawn from A3 to A7". Empty: its notation must do.
  virtual std::string Describe(const State& /*before*/, Move /*move*/) const { return ""; }
};

// The game as a Viewable, which lives as long as it; null if it is none.
inline const Viewable* ViewableOf(const Game& game) { return dynamic_cast<const Viewable*>(&game); }

}  // namespace referee::games

#endif  // REFEREE_GAMES_VIEWABLE_H_
