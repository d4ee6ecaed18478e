#include "referee/ctl/rules/perft.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace referee::ctl {
namespace {

using games::Chance;
using games::Move;
using games::Phase;
using games::State;

// A position after some turns, and the number of ways to reach it. Equal positions are expanded
// once.
struct Node {
  std::unique_ptr<State> state;
  uint64_t ways = 0;
};

// The dice of each turn.
class Rolls {
 public:
  Rolls(const State& start, absl::Span<const std::vector<int>> given)
      : rolls_(given.begin(), given.end()) {
    if (rolls_.empty() && start.phase() == Phase::kTurn && !start.roll().empty()) {
      rolls_.emplace_back(start.roll().begin(), start.roll().end());
    }
  }
  bool empty() const { return rolls_.empty(); }
  // The dice of turn `n`, from 0. REQUIRES: !empty().
  const std::vector<int>& OfTurn(size_t n) const { return rolls_[std::min(n, rolls_.size() - 1)]; }

 private:
  std::vector<std::vector<int>> rolls_;
};

// Whether each of `rolls` is possible in `start`.
absl::Status Check(const State& start, absl::Span<const std::vector<int>> rolls) {
  const std::unique_ptr<State> state = start.Clone();
  for (const std::vector<int>& roll : rolls) {
    const absl::Status status = state->SetRoll(roll);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// If the state waits for dice, applies those of turn `n`.
void RollIn(const Rolls& rolls, size_t n, State* state) {
  if (state->phase() != Phase::kChance) return;
  std::vector<int> outcome = rolls.OfTurn(n);
  for (int& die : outcome) --die;
  state->ApplyChance(outcome);
}

// The nodes one turn after `nodes`, which are `n` turns after the start.
absl::StatusOr<std::vector<Node>> PlayOneTurn(const std::vector<Node>& nodes, const Rolls& rolls,
                                              size_t n) {
  std::vector<Node> next;
  absl::flat_hash_map<std::string, size_t> known;  // position to index in `next`
  std::vector<Move> legal;
  std::string position;
  std::unique_ptr<State> scratch;
  uint64_t sum = 0;
  for (const Node& node : nodes) {
    if (node.state->phase() == Phase::kOver) continue;
    node.state->LegalMoves(&legal);
    for (const Move move : legal) {
      if (node.ways > std::numeric_limits<uint64_t>::max() - sum) {
        return absl::OutOfRangeError(
            absl::StrCat("--depth: by turn ", static_cast<int>(n) + 1,
                         " there are more than 2^64 sequences; count fewer turns"));
      }
      sum += node.ways;
      if (scratch == nullptr) scratch = node.state->Clone();
      scratch->CopyFrom(*node.state);
      scratch->Apply(move);
      RollIn(rolls, n + 1, scratch.get());
      position.clear();
      scratch->AppendPosition(&position);
      // All positions have the same dice here, so they need not be part of the key.
      const auto [at, is_new] = known.try_emplace(position, next.size());
      if (is_new) next.push_back(Node{std::move(scratch), 0});
      next[at->second].ways += node.ways;
    }
  }
  return next;
}

}  // namespace

absl::StatusOr<PerftCounts> Perft(const State& start, int depth,
                                  absl::Span<const std::vector<int>> given) {
  std::vector<Node> nodes(1);
  nodes[0] = Node{start.Clone(), 1};
  if (start.phase() == Phase::kOver) return PerftCounts();
  const absl::Status status = Check(start, given);
  if (!status.ok()) return status;
  const Rolls rolls(start, given);
  if (!rolls.empty()) {
    const absl::Status set = nodes[0].state->SetRoll(rolls.OfTurn(0));
    if (!set.ok()) return set;
  }
  for (int n = 0; n < depth; ++n) {
    absl::StatusOr<std::vector<Node>> next = PlayOneTurn(nodes, rolls, static_cast<size_t>(n));
    if (!next.ok()) return next.status();
    nodes = *std::move(next);
  }
  PerftCounts counts;
  counts.distinct = nodes.size();
  for (const Node& node : nodes) counts.legal += node.ways;
  return counts;
}

}  // namespace referee::ctl
