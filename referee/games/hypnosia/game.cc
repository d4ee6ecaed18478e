#include "referee/games/hypnosia/game.h"

#include <algorithm>
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

HypnosiaGame::HypnosiaGame(std::shared_ptr<const Rules> rules, std::unique_ptr<const State> start,
                           std::vector<Option> options, std::vector<Option> source,
                           const Wire* wire)
    : Game(rules->seats(), std::move(options), std::move(source), wire),
      rules_(std::move(rules)),
      start_(std::move(start)) {}

std::unique_ptr<State> HypnosiaGame::NewState() const {
  if (start_ != nullptr) return start_->Clone();
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

absl::string_view HypnosiaGame::Legend() const {
  return "a b ...     a pawn of seat a, b, ...\n"
         "A B ...     a stack of seat a, b, ...: two pawns on a space\n"
         ".           an empty space; A0, B6, C12: an empty space by its name\n"
         "( )         a bridge, from one ring to the next\n"
         "X           the centre\n"
         ">           who is to move, and what it has rolled\n"
         "score       captures less losses, and what the pawns in the centre are worth\n"
         "lane        where the seat's lane opens onto ring A; letters: pawns still in it\n"
         "rings       where its pawns are; *: a stack\n"
         "centre      what each of its pawns there is worth\n"
         "highlighted the spaces of the move that led here\n";
}

bool HypnosiaGame::Captures(Move move) const {
  const Steps steps = DecodeMove(move);
  return std::any_of(steps.step.begin(), steps.step.begin() + steps.count,
                     [](const Step& step) { return step.captured > 0; });
}

}  // namespace referee::games::hypnosia
