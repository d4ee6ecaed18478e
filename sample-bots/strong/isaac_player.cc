#include "sample-bots/strong/isaac_player.h"

#include <algorithm>

#include "referee/games/isaac/game.h"
#include "sample-bots/greedy/isaac_bot.h"

namespace strong {
namespace {

using isaac::IsaacState;
using referee::games::Move;
using referee::games::Phase;
using referee::games::State;

constexpr size_t kPlacements = 16;  // that get playouts
constexpr size_t kRemovals = 24;    // that get a search; advances of one piece count separately
constexpr double kWin = 1000;       // a win outweighs any number of points
constexpr double kInfinity = 1e9;

// The value of a finished match to `seat`: the win, plus its lead in points.
double Margin(const IsaacState& over, int seat) {
  const referee::games::Outcome outcome = over.outcome();
  const auto own = static_cast<size_t>(seat);
  const int lead = outcome.scores[own] - outcome.scores[1 - own];
  return lead + (outcome.ranks[own] == 1 ? kWin : -kWin);
}

}  // namespace

IsaacPlayer::IsaacPlayer(const referee::games::Game& game)
    : rules_(static_cast<const isaac::IsaacGame&>(game).rules()) {}

IsaacState* IsaacPlayer::Scratch(int depth) {
  while (scratch_.size() <= static_cast<size_t>(depth)) {
    scratch_.push_back(std::make_unique<IsaacState>(rules_));
  }
  return scratch_[static_cast<size_t>(depth)].get();
}

Move IsaacPlayer::Choose(const State& state, Luck luck, Budget* budget) {
  const auto& now = static_cast<const IsaacState&>(state);
  return now.table().stage == isaac::Stage::kPlacement ? ChoosePlacement(now, luck, budget)
                                                       : ChooseRemoval(now, budget);
}

Move IsaacPlayer::ChoosePlacement(const IsaacState& state, Luck luck, Budget* budget) {
  const int seat = state.seat_to_move().index();
  IsaacState* const after = Scratch(0);
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  std::vector<Candidate> candidates;
  for (const Move move : legal) {
    after->CopyFrom(state);
    after->Apply(move);
    candidates.push_back({move, greedy::PlacementWorth(after->table(), seat)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
  if (candidates.size() > kPlacements) candidates.resize(kPlacements);
  const size_t best =
      BestByPlayouts(candidates.size(), luck, budget, [&](size_t candidate, Luck playout_luck) {
        after->CopyFrom(state);
        after->Apply(candidates[candidate].move);
        PlayOut(playout_luck, after);
        const double lead = after->table().scores[seat] - after->table().scores[1 - seat];
        return (after->outcome().ranks[static_cast<size_t>(seat)] == 1 ? 0.5 : 0) +
               0.25 * (1 + std::max(-1.0, std::min(1.0, lead / 60)));
      });
  return candidates[best].move;
}

Move IsaacPlayer::ChooseRemoval(const IsaacState& state, Budget* budget) {
  std::vector<Move> legal;
  state.LegalMoves(&legal);
  std::vector<Candidate> candidates;
  for (const Move move : legal) candidates.push_back({move});
  out_of_time_ = false;
  Move best = candidates[0].move;
  // No match has more moves.
  for (int depth = 0; depth <= 2 * isaac::kPiecesPerSeat; ++depth) {
    seen_all_ = true;
    if (!LookAhead(state, depth, &candidates, budget)) break;
    best = candidates[0].move;
    if (candidates.size() > kRemovals) candidates.resize(kRemovals);
    if (candidates.size() == 1 || seen_all_) break;
  }
  return best;
}

bool IsaacPlayer::LookAhead(const IsaacState& state, int depth, std::vector<Candidate>* candidates,
                            Budget* budget) {
  const int seat = state.seat_to_move().index();
  IsaacState* const after = Scratch(depth + 1);
  double best = -kInfinity;
  for (Candidate& candidate : *candidates) {
    after->CopyFrom(state);
    after->Apply(candidate.move);
    const bool same = after->phase() == Phase::kOver || after->seat_to_move().index() == seat;
    // At depth 0 all values are needed for sorting, later only the best one.
    const double low = depth == 0 ? -kInfinity : best;
    candidate.value = after->phase() == Phase::kOver ? Margin(*after, seat)
                      : same                         ? Search(*after, depth, low, kInfinity, budget)
                             : -Search(*after, depth, -kInfinity, -low, budget);
    if (out_of_time_) return false;
    best = std::max(best, candidate.value);
  }
  std::stable_sort(candidates->begin(), candidates->end(),
                   [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
  return true;
}

double IsaacPlayer::Search(const IsaacState& state, int depth, double low, double high,
                           Budget* budget) {
  const int seat = state.seat_to_move().index();
  IsaacState* const after = Scratch(depth);
  budget->Step();
  out_of_time_ = out_of_time_ || budget->used() >= 1;
  if (depth == 0) {
    seen_all_ = false;
    after->CopyFrom(state);
    PlayOut(Luck(0), after);
    return Margin(*after, seat);
  }
  const Removals removals = RateRemovals(state.table());
  double best = -kInfinity;
  for (int i = 0; i < std::max(1, removals.count) && best < high && !out_of_time_; ++i) {
    after->CopyFrom(state);
    after->Apply(removals.count == 0 ? Move::Pass() : removals.at[i].ToMove(rules_, state.table()));
    const double from = std::max(low, best);
    double value;
    if (after->phase() == Phase::kOver) {
      value = Margin(*after, seat);
    } else if (after->seat_to_move().index() == seat) {
      value = Search(*after, depth - 1, from, high, budget);
    } else {
      value = -Search(*after, depth - 1, -high, -from, budget);
    }
    best = std::max(best, value);
  }
  return best;
}

}  // namespace strong
