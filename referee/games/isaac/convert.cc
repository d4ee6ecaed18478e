#include "referee/games/isaac/convert.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "proto/games/isaac/v1/isaac.pb.h"
#include "referee/base/errors.h"
#include "referee/games/errors.h"
#include "referee/games/given_move.h"
#include "referee/games/isaac/game.h"
#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"
#include "referee/games/isaac/type.h"
#include "referee/games/options.h"
#include "referee/games/repeated.h"
#include "referee/games/wire.h"

namespace referee::games::isaac {
namespace {

namespace pb = ::games::isaac::v1;

pb::Direction DirectionToWire(bool vertical) {
  return vertical ? pb::DIRECTION_VERTICAL : pb::DIRECTION_HORIZONTAL;
}

// Appends the option with the value `values[number - 1]`. Appends nothing for 0, the default.
absl::Status AppendOption(absl::string_view name, int number,
                          absl::Span<const absl::string_view> values, std::vector<Option>* out) {
  if (number == 0) return absl::OkStatus();
  if (number < 0 || static_cast<size_t>(number) > values.size()) {
    return BadValue(name, absl::StrCat(number), absl::StrCat("a number from 0 to ", values.size()));
  }
  out->push_back({std::string(name), std::string(values[static_cast<size_t>(number) - 1])});
  return absl::OkStatus();
}

// Copies the fields that placements and removals share.
template <typename Wire>
absl::Status PlaceFromWire(const Wire& in, absl::string_view kind, Play* play) {
  if (in.cell() >= static_cast<uint32_t>(kCells)) {
    return BadMoveField(absl::StrCat(kind, ".cell"),
                        absl::StrCat(in.cell(), " is not a cell, 0 to ", kCells - 1));
  }
  if (in.direction() != pb::DIRECTION_HORIZONTAL && in.direction() != pb::DIRECTION_VERTICAL) {
    return BadMoveField(
        absl::StrCat(kind, ".direction"),
        absl::StrCat(static_cast<int>(in.direction()), " is not 1 (horizontal) or 2 (vertical)"));
  }
  play->cell = static_cast<int>(in.cell());
  play->vertical = in.direction() == pb::DIRECTION_VERTICAL;
  return absl::OkStatus();
}

absl::StatusOr<Move> PlacementFromWire(const pb::Placement& in) {
  Play play;
  play.kind = Play::Kind::kPlacement;
  if (in.length() < kMinLength || in.length() > kMaxLength) {
    return BadMoveField("placement.length", absl::StrCat(in.length(), " is not a length, ",
                                                         kMinLength, " to ", kMaxLength));
  }
  play.length = static_cast<int>(in.length());
  const absl::Status status = PlaceFromWire(in, "placement", &play);
  if (!status.ok()) return status;
  return EncodeMove(play);
}

absl::StatusOr<Move> RemovalFromWire(const pb::Removal& in) {
  Play play;
  play.kind = Play::Kind::kRemoval;
  const absl::Status status = PlaceFromWire(in, "removal", &play);
  if (!status.ok()) return status;
  if (in.advance() > static_cast<uint32_t>(kMaxAdvance)) {
    return BadMoveField("removal.advance",
                        absl::StrCat(in.advance(), " is not a number from 0 to ", kMaxAdvance));
  }
  play.advance = static_cast<int>(in.advance());
  play.advance_stated = in.has_advance();
  return EncodeMove(play);
}

void PiecesToWire(const Table& table, pb::Position* out) {
  auto* pieces = out->mutable_pieces();
  int count = 0;
  for (int cell = 0; cell < kCells; ++cell) {
    if (table.piece[cell] == 0) continue;
    const Piece piece = table.piece_at(cell);
    pb::Position::Piece* wire = Reused(pieces, count++);
    wire->set_seat(table.anchored(0, cell) ? 0 : 1);
    wire->set_length(static_cast<uint32_t>(piece.length));
    wire->set_direction(DirectionToWire(piece.vertical));
    wire->set_cell(static_cast<uint32_t>(cell));
  }
  Shorten(pieces, count);
}

pb::Phase PhaseToWire(const IsaacState& state) {
  if (state.over()) return pb::PHASE_OVER;
  return state.table().stage == Stage::kPlacement ? pb::PHASE_PLACEMENT : pb::PHASE_SCORING;
}

class WireConversion final : public Wire {
 public:
  void OptionsToWire(const Game& game, ::referee::v1::GameOptions* out) const override {
    const Rules& rules = static_cast<const IsaacGame&>(game).rules();
    pb::Options* options = out->mutable_isaac();
    options->set_counter_advance(rules.exact_advance ? pb::COUNTER_ADVANCE_EXACT
                                                     : pb::COUNTER_ADVANCE_UP_TO);
    // Both enumerations have the same order; 0 on the wire is the default.
    options->set_first_player(
        static_cast<pb::FirstPlayer>(static_cast<int>(rules.first_player) + 1));
    options->set_scoring_starter(
        static_cast<pb::ScoringStarter>(static_cast<int>(rules.scoring_starter) + 1));
    for (const Option& option : game.source()) {
      if (option.name == kPositionOption) options->set_position(option.value);
    }
  }

  absl::StatusOr<std::vector<Option>> OptionsFromWire(
      const ::referee::v1::GameOptions& options) const override {
    const pb::Options& in = options.isaac();
    std::vector<Option> out;
    absl::Status status =
        AppendOption(kCounterAdvanceOption, in.counter_advance(), kCounterAdvances, &out);
    if (status.ok()) {
      status = AppendOption(kFirstPlayerOption, in.first_player(), kFirstPlayers, &out);
    }
    if (status.ok()) {
      status = AppendOption(kScoringStarterOption, in.scoring_starter(), kScoringStarters, &out);
    }
    if (!status.ok()) return status;
    if (!in.position().empty()) out.push_back({std::string(kPositionOption), in.position()});
    return out;
  }

  void PositionToWire(const State& state, ::referee::v1::Position* out) const override {
    const auto& isaac = static_cast<const IsaacState&>(state);
    const Table& table = isaac.table();
    pb::Position* position = out->mutable_isaac();
    PiecesToWire(table, position);
    position->mutable_scores()->Resize(kSeats, 0);
    position->mutable_floors()->Resize(kSeats, 0);
    for (int seat = 0; seat < kSeats; ++seat) {
      auto* counts = Reused(position->mutable_unplayed(), seat)->mutable_counts();
      counts->Resize(kLengths, 0);
      for (int i = 0; i < kLengths; ++i) counts->Set(i, table.unplayed[seat][i]);
      position->set_scores(seat, static_cast<uint32_t>(table.scores[seat]));
      position->set_floors(seat, table.floors[seat]);
    }
    Shorten(position->mutable_unplayed(), kSeats);
    position->clear_out();
    for (int i = 0; i < table.out_count; ++i) position->add_out(table.out[i]);
    position->set_phase(PhaseToWire(isaac));
    position->set_first(static_cast<uint32_t>(table.first));
  }

  void MoveToWire(const Game&, Move move, ::referee::v1::Move* out) const override {
    pb::Move* wire = out->mutable_isaac();
    const Play play = DecodeMove(move);
    switch (play.kind) {
      case Play::Kind::kPass:
        wire->clear_kind();
        return;
      case Play::Kind::kPlacement:
        wire->mutable_placement()->set_length(static_cast<uint32_t>(play.length));
        wire->mutable_placement()->set_direction(DirectionToWire(play.vertical));
        wire->mutable_placement()->set_cell(static_cast<uint32_t>(play.cell));
        return;
      case Play::Kind::kRemoval:
        wire->mutable_removal()->set_cell(static_cast<uint32_t>(play.cell));
        wire->mutable_removal()->set_direction(DirectionToWire(play.vertical));
        wire->mutable_removal()->set_advance(static_cast<uint32_t>(play.advance));
        return;
    }
  }

  absl::StatusOr<Move> MoveFromWire(const Game& game,
                                    const ::referee::v1::Move& move) const override {
    using Kind = ::referee::v1::Move::GameCase;
    if (move.game_case() == Kind::kNotation) return MoveFromNotation(game, move);
    if (move.game_case() != Kind::kIsaac) return NoMoveOf(game, move);
    switch (move.isaac().kind_case()) {
      case pb::Move::kPlacement:
        return PlacementFromWire(move.isaac().placement());
      case pb::Move::kRemoval:
        return RemovalFromWire(move.isaac().removal());
      case pb::Move::KIND_NOT_SET:
        break;
    }
    return Move::Pass();
  }
};

}  // namespace

const Wire& IsaacWire() {
  static const WireConversion* const wire = new WireConversion;
  return *wire;
}

}  // namespace referee::games::isaac
