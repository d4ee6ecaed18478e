// Optional interface of a Game: how viewers draw and describe its matches.
//
// A game that has a picture or descriptions derives from Viewable as well as from Game. Viewers
// show the position text and notation of other games.
#ifndef REFEREE_GAMES_VIEWABLE_H_
#define REFEREE_GAMES_VIEWABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/games/game.h"

namespace referee::games {

// The picture of a game, for pages that draw it without its rules: the places, and the pieces on
// them. Plain values. referee/v1/view.proto explains them, and carries them.

// A place for pieces. The unit is a hundredth of a place; y grows downwards.
struct BoardPlace {
  enum class Kind { kSpace, kBridge, kHome, kGoal, kCell };
  Kind kind = Kind::kSpace;
  std::string name;  // as in notation
  int x = 0;
  int y = 0;
  Seat seat;              // the owner; None: shared by all seats
  bool landmark = false;  // the board shows its name
};

// A line between two places, given by their indices.
struct BoardLink {
  int from = 0;
  int to = 0;
};

struct BoardGeometry {
  int width = 0;
  int height = 0;
  std::vector<BoardPlace> places;
  std::vector<BoardLink> links;
  // By seat: the clockwise turn of the board, in degrees, that puts the seat at the bottom.
  std::vector<int> seat_angles;
};

// Places are indices into BoardGeometry::places.
struct ScenePiece {
  enum class Kind { kPawn, kStack, kBar, kCounter };
  Kind kind = Kind::kPawn;
  Seat seat;
  int place = 0;
  int end = 0;  // the other end of a bar; equal to `place` for other pieces
};

// A mark of the last move on the board.
struct SceneMark {
  enum class Kind { kMoved, kCaptured, kLaid, kRemoved };
  Kind kind = Kind::kMoved;
  int from = 0;
  int to = 0;
};

struct Scene {
  std::vector<ScenePiece> pieces;
  std::vector<SceneMark> marks;
  std::vector<std::string> holdings;  // by seat: its possessions, in a few words
};

// Immutable and thread-safe, as games are.
class Viewable {
 public:
  virtual ~Viewable() = default;

  // Explains the signs of State::Draw: lines of at most 76 columns, each ended by a newline.
  virtual absl::string_view Legend() const = 0;
  // Whether `move` takes something from another seat.
  virtual bool Captures(Move move) const = 0;

  // The places of the board. Without places, pages show the text of State::Draw.
  virtual BoardGeometry Geometry() const { return {}; }
  // The pieces on the places in `state`. `last` is the move that led from `before` to `state`, and
  // was legal in `before`. `before` is null at the start and after a forfeit. REQUIRES: the
  // geometry has places.
  virtual Scene SceneOf(const State& /*state*/, const State* /*before*/, Move /*last*/) const {
    return {};
  }
  // Describes `move`, which is legal in `before` and not the pass, as the end of a sentence that
  // begins with the seat: "moves a pawn from A3 to A7". Empty: viewers show the notation.
  virtual std::string Describe(const State& /*before*/, Move /*move*/) const { return ""; }
};

// The game as a Viewable, valid as long as the game; null if the game does not implement it.
inline const Viewable* ViewableOf(const Game& game) { return dynamic_cast<const Viewable*>(&game); }

}  // namespace referee::games

#endif  // REFEREE_GAMES_VIEWABLE_H_
