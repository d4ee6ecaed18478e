#include "referee/games/hypnosia/convert.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/games/hypnosia/v1/hypnosia.pb.h"
#include "referee/games/errors.h"
#include "referee/games/given_move.h"
#include "referee/games/hypnosia/game.h"
#include "referee/games/hypnosia/notation.h"
#include "referee/games/hypnosia/state.h"
#include "referee/games/hypnosia/type.h"
#include "referee/games/options.h"
#include "referee/games/repeated.h"
#include "referee/games/wire.h"

namespace referee::games::hypnosia {
namespace {

namespace pb = ::games::hypnosia::v1;

// Areas on the wire: the lane, the rings from 1, the centre.
constexpr uint32_t kLaneArea = 0;
constexpr uint32_t kCentreArea = kMaxRings + 1;

void PlaceToWire(Place place, pb::Space* out) {
  out->set_area(place.is_lane()     ? kLaneArea
                : place.is_centre() ? kCentreArea
                                    : static_cast<uint32_t>(place.ring()) + 1);
  out->set_index(static_cast<uint32_t>(place.index()));
}

// The name of a field of a step, for errors only: every turn passes through this code.
std::string FieldName(int step, absl::string_view field, absl::string_view inner = "") {
  return absl::StrCat("steps[", step, "].", field, inner);
}

// Reads `field` of the step with index `step`.
absl::StatusOr<Place> PlaceFromWire(const Board& board, const pb::Space& space, int step,
                                    absl::string_view field) {
  const auto outside = [&](absl::string_view what, int low, int high) {
    return BadMoveField(
        FieldName(step, field, ".index"),
        absl::StrCat(space.index(), " is not a space of ", what, ", ", low, " to ", high));
  };
  const uint32_t index = space.index();
  if (space.area() == kLaneArea) {
    if (index < 1 || index > kLaneSpaces) return outside("the lane", 1, kLaneSpaces);
    return Place::Lane(static_cast<int>(index));
  }
  if (space.area() == kCentreArea) {
    if (index != 0) return outside("the centre", 0, 0);
    return Place::Centre();
  }
  if (space.area() > static_cast<uint32_t>(board.rings())) {
    return BadMoveField(FieldName(step, field, ".area"),
                        absl::StrCat(space.area(), " is not 0 (lane), 1 to ", board.rings(),
                                     " (rings) or ", kCentreArea, " (centre)"));
  }
  const int ring = static_cast<int>(space.area()) - 1;
  if (index >= static_cast<uint32_t>(board.ring_size(ring))) {
    const char letter[] = {static_cast<char>('A' + ring), '\0'};
    return outside(absl::StrCat("ring ", letter), 0, board.ring_size(ring) - 1);
  }
  return Place::Ring(ring, static_cast<int>(index));
}

absl::StatusOr<Step> StepFromWire(const Board& board, const pb::Step& in, int index) {
  Step step;
  if (in.die() < 1 || in.die() > kDieSides) {
    return BadMoveField(FieldName(index, "die"),
                        absl::StrCat(in.die(), " is not a number from 1 to ", kDieSides));
  }
  step.die = static_cast<int>(in.die());
  step.stack = in.stack();
  if (!in.has_from()) return BadMoveField(FieldName(index, "from"), "not set");
  const absl::StatusOr<Place> from = PlaceFromWire(board, in.from(), index, "from");
  if (!from.ok()) return from.status();
  step.from = *from;
  if (!in.has_to()) return step;
  const absl::StatusOr<Place> to = PlaceFromWire(board, in.to(), index, "to");
  if (!to.ok()) return to.status();
  step.to = *to;
  return step;
}

const Rules& RulesOf(const Game& game) { return static_cast<const HypnosiaGame&>(game).rules(); }

class WireConversion final : public Wire {
 public:
  void OptionsToWire(const Game& game, ::referee::v1::GameOptions* out) const override {
    pb::Options* options = out->mutable_hypnosia();
    for (const Option& option : game.source()) {
      if (option.name == kBoardOption) options->set_board(option.value);
      if (option.name == kPositionOption) options->set_position(option.value);
      if (option.name == kStackBridgesOption) options->set_stack_bridges(option.value == "true");
    }
    options->set_turn_limit(RulesOf(game).turn_limit());
  }

  absl::StatusOr<std::vector<Option>> OptionsFromWire(
      const ::referee::v1::GameOptions& options) const override {
    const pb::Options& in = options.hypnosia();
    std::vector<Option> out;
    if (in.has_board()) out.push_back({std::string(kBoardOption), in.board()});
    if (in.has_position()) out.push_back({std::string(kPositionOption), in.position()});
    if (in.has_stack_bridges()) {
      out.push_back({std::string(kStackBridgesOption), in.stack_bridges() ? "true" : "false"});
    }
    if (in.has_turn_limit()) {
      out.push_back({std::string(kTurnLimitOption), absl::StrCat(in.turn_limit())});
    }
    return out;
  }

  void PositionToWire(const State& state, ::referee::v1::Position* out) const override {
    const auto& hypnosia = static_cast<const HypnosiaState&>(state);
    const Rules& rules = hypnosia.rules();
    const Board& board = rules.board();
    const Table& table = hypnosia.table();
    pb::Position* position = out->mutable_hypnosia();
    for (int ring = 0; ring < board.rings(); ++ring) {
      auto* spaces = Reused(position->mutable_rings(), ring)->mutable_spaces();
      spaces->Resize(board.ring_size(ring), 0);
      const Cell* cells = table.cells.data() + board.ring_offset(ring);
      for (int i = 0; i < board.ring_size(ring); ++i) spaces->Set(i, cells[i]);
    }
    Shorten(position->mutable_rings(), board.rings());
    position->mutable_points()->Resize(rules.seats(), 0);
    for (int seat = 0; seat < rules.seats(); ++seat) {
      auto* pawns = Reused(position->mutable_lanes(), seat)->mutable_pawns();
      pawns->Resize(kLaneSpaces, false);
      for (int k = 0; k < kLaneSpaces; ++k) pawns->Set(k, table.pieces[seat].lane >> k & 1);
      position->set_points(seat, table.points[seat]);
    }
    Shorten(position->mutable_lanes(), rules.seats());
    position->clear_centre();
    for (int i = 0; i < table.centre_count; ++i) position->add_centre(table.centre[i]);
    position->clear_forfeits();
    for (int i = 0; i < table.forfeit_count; ++i) position->add_forfeits(table.forfeits[i]);
  }

  void MoveToWire(const Game&, Move move, ::referee::v1::Move* out) const override {
    const Steps steps = DecodeMove(move);
    auto* wire_steps = out->mutable_hypnosia()->mutable_steps();
    for (int i = 0; i < steps.count; ++i) {
      const Step& step = steps.step[i];
      pb::Step* wire_step = Reused(wire_steps, i);
      wire_step->set_die(static_cast<uint32_t>(step.die));
      PlaceToWire(step.from, wire_step->mutable_from());
      wire_step->set_stack(step.stack);
      PlaceToWire(step.to, wire_step->mutable_to());
      wire_step->set_captured(static_cast<uint32_t>(step.captured));
    }
    Shorten(wire_steps, steps.count);
  }

  absl::StatusOr<Move> MoveFromWire(const Game& game,
                                    const ::referee::v1::Move& move) const override {
    using Kind = ::referee::v1::Move::GameCase;
    if (move.game_case() == Kind::kNotation) return MoveFromNotation(game, move);
    if (move.game_case() != Kind::kHypnosia) return NoMoveOf(game, move);
    const pb::Move& in = move.hypnosia();
    if (in.steps_size() > kDice) {
      return BadMoveField(
          "steps", absl::StrCat("there are ", in.steps_size(), ", at most ", kDice, " are played"));
    }
    if (in.steps_size() == 0) return Move::Pass();
    Steps steps;
    steps.captures_stated = false;
    for (const pb::Step& wire_step : in.steps()) {
      const absl::StatusOr<Step> step = StepFromWire(RulesOf(game).board(), wire_step, steps.count);
      if (!step.ok()) return step.status();
      steps.step[steps.count++] = *step;
    }
    return EncodeMove(steps);
  }
};

}  // namespace

const Wire& HypnosiaWire() {
  static const WireConversion* const wire = new WireConversion;
  return *wire;
}

}  // namespace referee::games::hypnosia
