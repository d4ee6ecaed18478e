#include "referee/games/hypnosia/game.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/notation.h"
#include "referee/games/hypnosia/state.h"

namespace referee::games::hypnosia {
namespace {

absl::Status CheckOnBoard(const Board& board, Place place, absl::string_view move, int step) {
  if (board.space(place) != kNowhere) return absl::OkStatus();
  std::string name;
  AppendPlace(place, &name);
  return IllegalMove(move, absl::StrCat("step ", step, ": the board has no space ", name));
}

}  // namespace

HypnosiaGame::HypnosiaGame(std::shared_ptr<const Rules> rules, std::vector<Option> options,
                           std::vector<Option> source, const Wire* wire)
    : Game(rules->seats(), std::move(options), std::move(source), wire), rules_(std::move(rules)) {}

std::unique_ptr<State> HypnosiaGame::NewState() const {
  return std::make_unique<HypnosiaState>(rules_);
}

absl::StatusOr<std::unique_ptr<State>> HypnosiaGame::ParsePosition(absl::string_view text) const {
  return HypnosiaState::Parse(rules_, text);
}

void HypnosiaGame::AppendMove(Move move, std::string* out) const { AppendMoveText(move, out); }

absl::StatusOr<Move> HypnosiaGame::ParseMove(absl::string_view text) const {
  const absl::StatusOr<Move> move = ParseMoveText(text);
  if (!move.ok()) return move;
  const Steps steps = DecodeMove(*move);
  for (int i = 0; i < steps.count; ++i) {
    for (const Place place : {steps.step[i].from, steps.step[i].to}) {
      const absl::Status status = CheckOnBoard(rules_->board(), place, text, i + 1);
      if (!status.ok()) return status;
    }
  }
  return move;
}

}  // namespace referee::games::hypnosia
