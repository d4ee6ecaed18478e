#include "referee/games/wire.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"
#include "referee/games/given_move.h"

namespace referee::games {
namespace {

class GeneralConversion final : public Wire {
 public:
  void OptionsToWire(const Game& game, ::referee::v1::GameOptions* out) const override {
    ::referee::v1::GeneralOptions* const general = out->mutable_general();
    general->set_game(game.name().data(), game.name().size());
    for (const Option& option : game.source()) {
      ::referee::v1::GeneralOption* const written = general->add_options();
      written->set_name(option.name);
      written->set_value(option.value);
    }
  }

  absl::StatusOr<std::vector<Option>> OptionsFromWire(
      const ::referee::v1::GameOptions& options) const override {
    std::vector<Option> out;
    for (const ::referee::v1::GeneralOption& option : options.general().options()) {
      if (out.size() == limits::kMaxOptions) {
        return absl::InvalidArgumentError(
            absl::StrCat("options: there are more than ", limits::kMaxOptions));
      }
      out.push_back({option.name(), option.value()});
    }
    return out;
  }

  void PositionToWire(const State& state, ::referee::v1::Position* out) const override {
    std::string* const text = out->mutable_text();
    text->clear();
    state.AppendPosition(text);
  }

  void MoveToWire(const Game& game, Move move, ::referee::v1::Move* out) const override {
    std::string* const notation = out->mutable_notation();
    notation->clear();
    game.AppendMove(move, notation);
  }

  absl::StatusOr<Move> MoveFromWire(const Game& game,
                                    const ::referee::v1::Move& move) const override {
    if (move.game_case() != ::referee::v1::Move::kNotation) return NoMoveOf(game, move);
    const std::string& notation = move.notation();
    if (notation.size() > limits::kMaxMoveBytes) {
      return BadMove(notation, limits::kMaxMoveBytes,
                     absl::StrCat("a move has at most ", limits::kMaxMoveBytes, " bytes"));
    }
    return MoveFromNotation(game, move);
  }
};

}  // namespace

absl::StatusOr<Move> MoveFromNotation(const Game& game, const ::referee::v1::Move& move) {
  if (!move.notation().empty()) return game.ParseMove(move.notation());
  return BadMoveField("notation",
                      "empty; give the move as 'refctl rules legal' writes it, the pass as '-'");
}

absl::Status NoMoveOf(const Game& game, const ::referee::v1::Move& move) {
  const std::string right = game.wire() == nullptr
                                ? "give its notation"
                                : absl::StrCat("set ", game.name(),
                                               ", or notation; one of TurnRequest.legal_moves can "
                                               "be sent back as it is");
  const auto* const member = move.GetReflection()->GetOneofFieldDescriptor(
      move, move.GetDescriptor()->FindOneofByName("game"));
  if (member == nullptr) {
    return BadMoveField(game.wire() == nullptr ? "notation" : std::string(game.name()),
                        absl::StrCat("not set, nor is another member; ", right));
  }
  return BadMoveField(member->name(), absl::StrCat("a move of another game, as the match is of ",
                                                   game.name(), "; ", right));
}

const Wire& GeneralWire() {
  static const GeneralConversion* const wire = new GeneralConversion;
  return *wire;
}

const Wire& WireOf(const Game& game) { return game.wire() ? *game.wire() : GeneralWire(); }

}  // namespace referee::games
