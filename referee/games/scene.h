// What a game looks like, for pages that draw it without its rules: where places lie, and what
// stands on them. Plain values; referee/v1/view.proto explains them and is what they become.
#ifndef REFEREE_GAMES_SCENE_H_
#define REFEREE_GAMES_SCENE_H_

#include <string>
#include <vector>

#include "referee/base/ids.h"

namespace referee::games {

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

}  // namespace referee::games

#endif  // REFEREE_GAMES_SCENE_H_
