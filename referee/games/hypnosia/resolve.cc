// HypnosiaState::Resolve: finds the legal move that a claim means, or the rule that it breaks.
#include <algorithm>
#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/notation.h"
#include "referee/games/hypnosia/state.h"
#include "referee/games/hypnosia/steps.h"

namespace referee::games::hypnosia {
namespace {

std::string Text(Place place) {
  std::string text;
  AppendPlace(place, &text);
  return text;
}

bool Means(const Steps& claim, const Steps& legal) {
  if (claim.count != legal.count) return false;
  for (int i = 0; i < claim.count; ++i) {
    const Step& c = claim.step[i];
    const Step& l = legal.step[i];
    if (c.die != l.die || c.from != l.from || c.stack != l.stack) return false;
    if (c.to.stated() && c.to != l.to) return false;
    if (claim.captures_stated && c.captured != l.captured) return false;
  }
  return true;
}

// The reason why a rule forbids a step; none if no rule does.
using Objection = absl::optional<std::string>;

// Plays a claim step by step until a rule forbids a step.
class Judge {
 public:
  Judge(const Rules& rules, const Table& table)
      : rules_(rules),
        board_(rules.board()),
        view_(rules, table, table.mover),
        dice_(table.dice),
        left_(table.dice) {}

  // REQUIRES: `claim` has steps, and matches no legal move.
  std::string WhyIllegal(const Steps& claim, absl::Span<const Move> legal) {
    for (int i = 0; i < claim.count; ++i) {
      if (view_.over()) return absl::StrCat("the game has ended with step ", i);
      const Objection objection = PlayStep(claim.step[i], claim.captures_stated);
      if (objection.has_value()) return absl::StrCat("step ", i + 1, ": ", *objection);
    }
    if (!legal.empty() && claim.count < kDice && DecodeMove(legal.back()).count == kDice) {
      return "both dice must be played where both can be";
    }
    return "it is not among the legal moves";
  }

 private:
  static constexpr int kPlayed = 0;

  Objection PlayStep(const Step& step, bool captures_stated) {
    Objection objection = TakeDie(step.die);
    if (!objection.has_value()) objection = CheckStart(step);
    if (objection.has_value()) return objection;

    const Space from = board_.space(step.from);
    const auto [walked, crossed] = Ends(from, step.die);
    Space to = board_.space(step.to);
    if (!step.to.stated()) {
      // Without a stated end, the step is a walk, unless only the crossing is possible.
      to = walked;
      if (crossed != kNowhere && CheckEnd(step, walked).has_value()) to = crossed;
    } else if (to != walked && (to != crossed || crossed == kNowhere)) {
      return WrongEnd(step, walked, crossed);
    }
    objection = CheckEnd(step, to);
    if (objection.has_value()) return objection;

    const int captured = to == kCentre ? 0 : Landing(view_.seat, step.stack, view_.cell(to));
    if (captures_stated && captured != step.captured) {
      return absl::StrCat("captures ", captured, ", not ", step.captured, " (write one x a pawn)");
    }
    view_ = After(view_, FoundStep{0, from, to, step.stack});
    return absl::nullopt;
  }

  Objection TakeDie(int die) {
    int* const left = std::find(left_.begin(), left_.end(), die);
    if (left != left_.end()) {
      *left = kPlayed;
      return absl::nullopt;
    }
    const std::string rolled = absl::StrCat(" (rolled: ", dice_[0], " and ", dice_[1], ")");
    if (std::find(dice_.begin(), dice_.end(), die) == dice_.end()) {
      return absl::StrCat("no die shows ", die, rolled);
    }
    return absl::StrCat("the die ", die, " has been played already", rolled);
  }

  // Checks that a unit can move from `step.from`, and that the die moves it.
  Objection CheckStart(const Step& step) const {
    const std::string place = Text(step.from);
    if (step.from.is_centre()) return "a pawn in the centre does not move";
    if (step.from.is_lane()) {
      const int k = step.from.index();
      if ((view_.pieces.lane >> (k - 1) & 1) == 0) return absl::StrCat("no own pawn on ", place);
      if (step.stack) return "there are no stacks in a lane";
      if (step.die < k) {
        return absl::StrCat("a pawn leaves ", place, " with a die of at least ", k);
      }
      return absl::nullopt;
    }
    const Space from = board_.space(step.from);
    const Cell cell = from == kNowhere ? kEmpty : view_.cell(from);
    if (cell == kEmpty || OwnerOf(cell) != view_.seat) {
      return absl::StrCat("no own pawn on ", place);
    }
    if (step.stack && !IsStack(cell)) {
      return absl::StrCat("a single pawn stands on ", place, ", no stack");
    }
    return absl::nullopt;
  }

  struct StepEnds {
    Space walked;
    Space crossed;
  };
  StepEnds Ends(Space from, int die) const {
    if (from >= kFirstLaneSpace) {
      return {rules_.out_of_lane(view_.seat, from - kFirstLaneSpace + 1, die), kNowhere};
    }
    return {board_.walk(from, die), board_.cross(from, die)};
  }

  Objection WrongEnd(const Step& step, Space walked, Space crossed) const {
    const Space from = board_.space(step.from);
    const bool on_bridge = from < kCentre && board_.is_bridge(from);
    if (step.to.is_centre() && on_bridge && board_.cross(from, 1) == kCentre) {
      return "the centre is entered with a 1 only";
    }
    if (step.to.is_lane()) return "a pawn does not move within or into a lane";
    if (step.from.is_ring() && step.to != Place() && !on_bridge &&
        (step.to.is_centre() || step.to.ring() != step.from.ring())) {
      return absl::StrCat(Text(step.from), " is not a bridge space");
    }
    std::string ends = Text(board_.place(walked));
    if (crossed != kNowhere) absl::StrAppend(&ends, " or ", Text(board_.place(crossed)));
    return absl::StrCat("a ", step.die, " leads from ", Text(step.from), " to ", ends, ", not to ",
                        Text(step.to));
  }

  // Checks that the unit may end its step on `to`.
  Objection CheckEnd(const Step& step, Space to) const {
    const Space from = board_.space(step.from);
    const bool crosses = from < kCentre && to == board_.cross(from, step.die);
    if (crosses && step.stack && !rules_.stack_bridges()) {
      return "a stack may not cross a bridge in this match (stack_bridges=false)";
    }
    if (to == kCentre) return absl::nullopt;
    const Cell cell = view_.cell(to);
    if (Landing(view_.seat, step.stack, cell) >= 0) return absl::nullopt;
    const std::string place = Text(board_.place(to));
    if (cell == StackOf(view_.seat)) {
      return absl::StrCat("an own stack stands on ", place, ", and two pawns are the most");
    }
    if (cell == SingleOf(view_.seat)) {
      return absl::StrCat("a stack may not land on the own pawn on ", place);
    }
    return absl::StrCat("a single pawn may not land on the stack on ", place);
  }

  const Rules& rules_;
  const Board& board_;
  View view_;
  const std::array<int, kDice> dice_;
  std::array<int, kDice> left_;
};

}  // namespace

absl::StatusOr<Move> HypnosiaState::Resolve(Move claimed, absl::Span<const Move> legal) const {
  if (std::binary_search(legal.begin(), legal.end(), claimed)) return claimed;
  const Steps claim = DecodeMove(claimed);
  const auto refuse = [claimed](absl::string_view why) {
    std::string text;
    AppendMoveText(claimed, &text);
    return IllegalMove(text, why);
  };
  if (claim.count == 0) return refuse("a pass is for a seat that can play no die");
  if (legal.size() == 1 && legal[0].is_pass()) {
    return refuse("no die can be played: the turn is a pass");
  }
  // `legal` is sorted by notation, so moves that begin with the same die and unit are adjacent.
  const auto before = [](Move a, Move b) {
    return FirstStepCode(a) >> kFromShift < FirstStepCode(b) >> kFromShift;
  };
  const auto [first, last] = std::equal_range(legal.begin(), legal.end(), claimed, before);
  absl::optional<Move> meant;
  for (const Move move : absl::MakeConstSpan(first, last)) {
    if (!Means(claim, DecodeMove(move))) continue;
    if (meant.has_value()) {
      return refuse("a step may walk on or cross a bridge: say where each step ends");
    }
    meant = move;
  }
  if (meant.has_value()) return *meant;
  return refuse(Judge(*rules_, table_).WhyIllegal(claim, legal));
}

}  // namespace referee::games::hypnosia
