// What a game may tell viewers of its matches beside what games/game.h asks of it. A Game that has
// something to tell derives from Viewable, too; of others viewers show what every game has.
#ifndef REFEREE_GAMES_VIEWABLE_H_
#define REFEREE_GAMES_VIEWABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/games/game.h"

namespace referee::games {

// What a game looks like, for pages that draw it without its rules: where places lie, and what
// stands on them. Plain values; referee/v1/view.proto explains them and is what they become.

// A place on which pieces stand. The unit is a hundredth of a place; y grows downwards.
struct BoardPlace {
  enum class Kind { kSpace, kBridge, kHome, kGoal, kCell };
  Kind kind = Kind::kSpace;
  std::string name;  // as in notation
  int x = 0;
  int y = 0;
  Seat seat;              // whose it is; None: everybody's
  bool landmark = false;  // its name is to be read on the board
};

// A way between two places, by their indices.
struct BoardLink {
  int from = 0;
  int to = 0;
};

struct BoardGeometry {
  int width = 0;
  int height = 0;
  std::vector<BoardPlace> places;
  std::vector<BoardLink> links;
  // By seat: how far to turn the board clockwise so that the seat sits below, in degrees.
  std::vector<int> seat_angles;
};

// Places are indices into BoardGeometry::places.
struct ScenePiece {
  enum class Kind { kPawn, kStack, kBar, kCounter };
  Kind kind = Kind::kPawn;
  Seat seat;
  int place = 0;
  int end = 0;  // of a bar, where it ends; of others, as `place`
};

// What a move did.
struct SceneMark {
  enum class Kind { kMoved, kCaptured, kLaid, kRemoved };
  Kind kind = Kind::kMoved;
  int from = 0;
  int to = 0;
};

struct Scene {
  std::vector<ScenePiece> pieces;
  std::vector<SceneMark> marks;
  std::vector<std::string> holdings;  // by seat: what it has, in a few words
};

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
