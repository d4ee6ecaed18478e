#include "sample-bots/greedy/hypnosia_bot.h"

#include <bitset>

namespace greedy {
namespace {

namespace hypnosia = referee::sdk::hypnosia;
namespace sdk = referee::sdk;

// Values, in points of the game.
constexpr double kCapture =
    3;  // +1 for the captor, -1 for the owner, and one rival pawn less on its way
constexpr double kNearer = 0.2;   // for each die fewer to the centre
constexpr double kFarthest = 25;  // a pawn this many dice from the centre gets no kNearer
constexpr double kLoss = 2;       // for a captured pawn, besides the distance that it had covered

// The chance that at least one of two dice is in the set `dice`.
double ChanceOf(uint8_t dice) {
  const double miss = (6.0 - static_cast<double>(std::bitset<6>(dice).count())) / 6;
  return 1 - miss * miss;
}

int PawnsIn(uint32_t unit) { return hypnosia::IsStack(unit) ? 2 : 1; }
uint32_t Pawn(int seat) { return 1 + 2 * static_cast<uint32_t>(seat); }
uint32_t Stack(int seat) { return 2 + 2 * static_cast<uint32_t>(seat); }

}  // namespace

sdk::Move HypnosiaBot::ChooseTurn(const sdk::Turn& turn) {
  const Scene now = Look(turn);
  const sdk::Move* best = nullptr;
  double best_value = 0;
  for (const sdk::Move& move : turn.legal_moves()) {
    Scene after = now;
    const double value = Play(move.hypnosia(), turn.seat(), &after) + Worth(after, turn.seat());
    if (best != nullptr && value <= best_value) continue;
    best = &move;
    best_value = value;
  }
  return *best;
}

Scene HypnosiaBot::Look(const sdk::Turn& turn) const {
  const hypnosia::Position& position = turn.position().hypnosia();
  Scene scene;
  for (const auto& ring : position.rings()) {
    scene.units.insert(scene.units.end(), ring.spaces().begin(), ring.spaces().end());
  }
  for (int seat = 0; seat < position.lanes_size(); ++seat) {
    Scene::Lane lane;
    lane.number = hypnosia::LaneOf(seat, position.lanes_size());
    for (int i = 0; i < 4; ++i) lane.pawns[i] = position.lanes(seat).pawns(i);
    scene.lanes.push_back(lane);
  }
  scene.in_centre = position.centre_size();
  return scene;
}

double HypnosiaBot::Play(const hypnosia::Move& move, int seat, Scene* scene) const {
  double won = 0;
  for (const hypnosia::Step& step : move.steps()) {
    int pawns = 1;
    if (step.from().area() == hypnosia::kLane) {
      scene->lanes[seat].pawns[step.from().index() - 1] = false;
    } else {
      uint32_t& unit =
          scene->units[track_.id(step.from().area() - hypnosia::kRingA, step.from().index())];
      if (step.stack()) pawns = 2;
      unit = hypnosia::IsStack(unit) && !step.stack() ? Pawn(seat) : 0;
    }
    won += kCapture * step.captured();
    if (step.to().area() == hypnosia::kCentre) {
      // The points of the place and the value of the whole way. With less, a pawn would stay
      // outside.
      for (; pawns > 0; --pawns) {
        won += track_.centre_places() - scene->in_centre++ + kNearer * kFarthest;
      }
      continue;
    }
    uint32_t& unit =
        scene->units[track_.id(step.to().area() - hypnosia::kRingA, step.to().index())];
    unit = pawns == 2 || unit == Pawn(seat) ? Stack(seat) : Pawn(seat);
  }
  return won;
}

double HypnosiaBot::Worth(const Scene& scene, int seat) const {
  double worth = WorthOnRings(scene, seat);
  const Scene::Lane& lane = scene.lanes[seat];
  for (int depth = 1; depth <= 4; ++depth) {
    if (!lane.pawns[depth - 1]) continue;
    worth += kNearer * (kFarthest - track_.rolls_from_lane(lane.number, depth));
  }
  return worth;
}

double HypnosiaBot::WorthOnRings(const Scene& scene, int seat) const {
  std::vector<uint8_t> by_any;
  std::vector<uint8_t> by_stacks;
  MarkThreats(scene, seat, false, &by_any);
  MarkThreats(scene, seat, true, &by_stacks);
  double worth = 0;
  for (SpaceId space = 0; space < track_.spaces(); ++space) {
    const uint32_t unit = scene.units[space];
    if (hypnosia::IsEmpty(unit) || hypnosia::SeatOf(unit) != seat) continue;
    const double way = kNearer * (kFarthest - track_.rolls(space));
    const double risk = ChanceOf(hypnosia::IsStack(unit) ? by_stacks[space] : by_any[space]);
    worth += PawnsIn(unit) * (way - risk * (kLoss + way));
  }
  return worth;
}

void HypnosiaBot::MarkThreats(const Scene& scene, int seat, bool stacks,
                              std::vector<uint8_t>* threats) const {
  threats->assign(track_.spaces() + 1, 0);
  const auto mark = [&](SpaceId space, int die) {
    if (space != kNowhere) (*threats)[space] |= static_cast<uint8_t>(1 << (die - 1));
  };
  for (SpaceId space = 0; space < track_.spaces(); ++space) {
    const uint32_t unit = scene.units[space];
    if (hypnosia::IsEmpty(unit) || hypnosia::SeatOf(unit) == seat) continue;
    if (stacks && !hypnosia::IsStack(unit)) continue;
    for (int die = 1; die <= 6; ++die) {
      mark(track_.walk(space, die), die);
      mark(track_.cross(space, die), die);
    }
  }
  if (stacks) return;
  for (int other = 0; other < static_cast<int>(scene.lanes.size()); ++other) {
    if (other == seat) continue;
    const Scene::Lane& lane = scene.lanes[other];
    for (int depth = 1; depth <= 4; ++depth) {
      if (!lane.pawns[depth - 1]) continue;
      for (int die = depth; die <= 6; ++die) mark(track_.leave(lane.number, depth, die), die);
    }
  }
}

}  // namespace greedy
