// Draws Hypnosia for pages: the rings as circles around the centre, the lanes outside.
//
// The places of the geometry are, in this order: the ring spaces; the places of the centre, in the
// order in which they fill; four lane spaces for each seat.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/games/hypnosia/game.h"
#include "referee/games/hypnosia/notation.h"
#include "referee/games/hypnosia/state.h"

namespace referee::games::hypnosia {
namespace {

constexpr int kPlaceUnits = 100;
constexpr double kPi = 3.14159265358979323846;

int CentrePlace(const Board& board, int index) { return board.spaces() + index; }
int LanePlace(const Board& board, int seat, int k) {
  return board.spaces() + board.centre_places() + kLaneSpaces * seat + k - 1;
}

std::string PlaceName(Place place) {
  std::string name;
  AppendPlace(place, &name);
  return name;
}

// The radius of a circle with room for `places` places side by side.
double RadiusFor(int places, double distance) {
  return places < 2 ? 0 : distance / (2 * std::sin(kPi / places));
}

// Computes the layout. Angles are in turns, counter-clockwise from the bottom.
class Circles {
 public:
  explicit Circles(const Rules& rules) : rules_(rules), board_(rules.board()) {
    radius_.resize(static_cast<size_t>(board_.rings()));
    angle_.resize(radius_.size());
    centre_radius_ = RadiusFor(board_.centre_places(), 1.02 * kPlaceUnits);
    double inside = centre_radius_ - 0.5 * kPlaceUnits;
    for (int ring = board_.rings() - 1; ring >= 0; --ring) {
      inside = std::max(inside + 1.9 * kPlaceUnits,
                        RadiusFor(board_.ring_size(ring), 1.05 * kPlaceUnits));
      radius_[ring] = inside;
    }
    TurnRings();
    middle_ = radius_[0] + (kLaneSpaces + 0.6) * kPlaceUnits;
  }

  BoardGeometry Draw() {
    geometry_.width = geometry_.height = static_cast<int>(std::lround(2 * middle_));
    AddRings();
    for (int i = 0; i < board_.centre_places(); ++i) {
      Add(BoardPlace::Kind::kGoal, absl::StrCat("X", i + 1), centre_radius_,
          0.5 - static_cast<double>(i) / board_.centre_places());
    }
    for (int seat = 0; seat < rules_.seats(); ++seat) AddLane(seat);
    AddLinks();
    return std::move(geometry_);
  }

 private:
  // Turns each ring so that the first bridge to it points straight inwards.
  void TurnRings() {
    for (int ring = 0; ring + 1 < board_.rings(); ++ring) {
      for (int i = 0; i < board_.ring_size(ring); ++i) {
        const auto space = static_cast<Space>(board_.ring_offset(ring) + i);
        if (!board_.is_bridge(space)) continue;
        const int to = board_.cross(space, 1) - board_.ring_offset(ring + 1);
        angle_[ring + 1] = AngleOf(ring, i) - static_cast<double>(to) / board_.ring_size(ring + 1);
        break;
      }
    }
  }

  double AngleOf(int ring, int index) const {
    return angle_[ring] + static_cast<double>(index) / board_.ring_size(ring);
  }

  void Add(BoardPlace::Kind kind, std::string name, double radius, double angle) {
    BoardPlace place;
    place.kind = kind;
    place.name = std::move(name);
    place.x = static_cast<int>(std::lround(middle_ + radius * std::sin(2 * kPi * angle)));
    place.y = static_cast<int>(std::lround(middle_ + radius * std::cos(2 * kPi * angle)));
    geometry_.places.push_back(std::move(place));
  }

  void AddRings() {
    for (int ring = 0; ring < board_.rings(); ++ring) {
      for (int i = 0; i < board_.ring_size(ring); ++i) {
        const auto space = static_cast<Space>(board_.ring_offset(ring) + i);
        Add(board_.is_bridge(space) ? BoardPlace::Kind::kBridge : BoardPlace::Kind::kSpace,
            PlaceName(board_.place(space)), radius_[ring], AngleOf(ring, i));
        geometry_.places.back().landmark = i == 0;
      }
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      geometry_.places[board_.lane_entry(lane)].landmark = true;
    }
  }

  void AddLane(int seat) {
    const Space entry = board_.lane_entry(rules_.lane_of(seat));
    for (int k = 1; k <= kLaneSpaces; ++k) {
      Add(BoardPlace::Kind::kHome, PlaceName(Place::Lane(k)), radius_[0] + k * kPlaceUnits,
          AngleOf(0, entry));
      geometry_.places.back().seat = Seat(seat);
    }
    geometry_.links.push_back({LanePlace(board_, seat, 1), entry});
    geometry_.seat_angles.push_back(static_cast<int>(std::lround(360 * AngleOf(0, entry))));
  }

  // Adds the bridges. Bridges of the innermost ring get no link: the centre is not a single place.
  void AddLinks() {
    for (int space = 0; space < board_.spaces(); ++space) {
      const Space to = board_.cross(static_cast<Space>(space), 1);
      if (to < board_.spaces()) geometry_.links.push_back({space, to});
    }
  }

  const Rules& rules_;
  const Board& board_;
  std::vector<double> radius_;  // by ring
  std::vector<double> angle_;   // of the first space of each ring
  double centre_radius_ = 0;
  double middle_ = 0;
  BoardGeometry geometry_;
};

void AddPieces(const Rules& rules, const Table& table, Scene* scene) {
  const Board& board = rules.board();
  const auto add = [scene](ScenePiece::Kind kind, int seat, int place) {
    scene->pieces.push_back({kind, Seat(seat), place, place});
  };
  for (int space = 0; space < board.spaces(); ++space) {
    const Cell cell = table.cells[space];
    if (cell == kEmpty) continue;
    add(IsStack(cell) ? ScenePiece::Kind::kStack : ScenePiece::Kind::kPawn, OwnerOf(cell), space);
  }
  for (int i = 0; i < table.centre_count; ++i) {
    add(ScenePiece::Kind::kPawn, table.centre[i], CentrePlace(board, i));
  }
  for (int seat = 0; seat < rules.seats(); ++seat) {
    for (int k = 1; k <= kLaneSpaces; ++k) {
      if (table.pieces[seat].lane >> (k - 1) & 1) {
        add(ScenePiece::Kind::kPawn, seat, LanePlace(board, seat, k));
      }
    }
  }
}

void AddMarks(const Rules& rules, const Table& before, Move last, Scene* scene) {
  const Board& board = rules.board();
  const Steps steps = DecodeMove(last);
  int arrived = before.centre_count;
  for (int i = 0; i < steps.count; ++i) {
    const Step& step = steps.step[i];
    const int from = step.from.is_lane() ? LanePlace(board, before.mover, step.from.index())
                                         : board.space(step.from);
    const int to = step.to.is_centre() ? CentrePlace(board, arrived) : board.space(step.to);
    if (step.to.is_centre()) arrived += step.stack ? 2 : 1;
    scene->marks.push_back({SceneMark::Kind::kMoved, from, to});
    if (step.captured > 0) scene->marks.push_back({SceneMark::Kind::kCaptured, from, to});
  }
}

// The pawns of a seat as text, such as "lane 2, rings A3 B7*, centre 5+4".
std::string HoldingOf(const Rules& rules, const Table& table, int seat) {
  const Board& board = rules.board();
  const Pieces& pieces = table.pieces[seat];
  std::vector<std::string> parts;
  int in_lane = 0;
  for (int k = 0; k < kLaneSpaces; ++k) in_lane += pieces.lane >> k & 1;
  if (in_lane > 0) parts.push_back(absl::StrCat("lane ", in_lane));
  std::vector<Space> spaces(pieces.at.begin(), pieces.at.begin() + pieces.units);
  std::sort(spaces.begin(), spaces.end());
  std::string rings;
  for (const Space space : spaces) {
    absl::StrAppend(&rings, " ", PlaceName(board.place(space)),
                    IsStack(table.cells[space]) ? "*" : "");
  }
  if (!rings.empty()) parts.push_back(absl::StrCat("rings", rings));
  std::vector<int> values;
  for (int i = 0; i < table.centre_count; ++i) {
    if (table.centre[i] == seat) values.push_back(board.centre_places() - i);
  }
  if (!values.empty()) parts.push_back(absl::StrCat("centre ", absl::StrJoin(values, "+")));
  return parts.empty() ? "no pawns" : absl::StrJoin(parts, ", ");
}

std::string PlaceWords(Place place) { return place.is_centre() ? "the centre" : PlaceName(place); }

}  // namespace

BoardGeometry HypnosiaGame::Geometry() const { return Circles(*rules_).Draw(); }

Scene HypnosiaGame::SceneOf(const State& state, const State* before, Move last) const {
  const Table& table = static_cast<const HypnosiaState&>(state).table();
  Scene scene;
  AddPieces(*rules_, table, &scene);
  if (before != nullptr) {
    AddMarks(*rules_, static_cast<const HypnosiaState*>(before)->table(), last, &scene);
  }
  for (int seat = 0; seat < rules_->seats(); ++seat) {
    scene.holdings.push_back(HoldingOf(*rules_, table, seat));
  }
  return scene;
}

std::string HypnosiaGame::Describe(const State& /*before*/, Move move) const {
  const Steps steps = DecodeMove(move);
  std::string text;
  for (int i = 0; i < steps.count; ++i) {
    const Step& step = steps.step[i];
    absl::StrAppend(&text, i == 0 ? "moves" : ", then", step.stack ? " a stack" : " a pawn",
                    " from ", PlaceWords(step.from), " to ", PlaceWords(step.to));
    if (step.captured > 0) {
      absl::StrAppend(&text, step.captured == 1 ? ", capturing a pawn" : ", capturing a stack");
    }
  }
  return text;
}

}  // namespace referee::games::hypnosia
