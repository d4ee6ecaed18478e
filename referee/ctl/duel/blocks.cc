#include "referee/ctl/duel/blocks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/games/options.h"
#include "referee/schedule/positions.h"

namespace referee::ctl {
namespace {

constexpr int kMatchesOfPair = 2;

}  // namespace

match::DiceSource DiceOfMatch(const DuelPlan& plan, int index) {
  const int64_t block = BlockOfMatch(plan, index);
  match::DiceSource dice;
  if (plan.dice.pinned_number) {
    dice.pinned_number = *plan.dice.pinned_number + static_cast<uint64_t>(block);
  } else {
    dice.pinned_seed = dice::DerivedSeed(*plan.dice.pinned_seed, absl::StrCat("duel/", block));
  }
  return dice;
}

absl::StatusOr<std::shared_ptr<const games::Game>> GameOfMatch(const DuelPlan& plan, int index) {
  if (plan.positions.empty()) return plan.game;
  const absl::StatusOr<games::Entry> entry = games::Find(plan.game->name());
  if (!entry.ok()) return entry.status();
  const int number =
      schedule::PositionOf(BlockOfMatch(plan, index), static_cast<int>(plan.positions.size()));
  return games::GameAt(*entry->type, *plan.game, plan.positions[static_cast<size_t>(number)]);
}

int HalfPointsOfMatch(const DuelMatch& match) {
  const auto mine = std::find_if(match.seats.begin(), match.seats.end(),
                                 [](const DuelSeat& seat) { return seat.bot == 0; });
  const auto other = std::find_if(match.seats.begin(), match.seats.end(),
                                  [](const DuelSeat& seat) { return seat.bot == 1; });
  return mine->rank < other->rank ? 2 : mine->rank == other->rank ? 1 : 0;
}

absl::optional<int> HalfPointsOfBlock(const DuelMatch& first, const DuelMatch& second) {
  if (first.ending != match::Ending::kFinished || second.ending != match::Ending::kFinished) {
    return absl::nullopt;
  }
  return HalfPointsOfMatch(first) + HalfPointsOfMatch(second);
}

int ComparableMatches(const DuelPlan& plan, const DuelReport& report) {
  int missing = 0;
  for (const DuelMatch& match : report.matches) {
    if (match.index != missing) break;
    ++missing;
  }
  return missing >= plan.matches ? missing : missing - missing % static_cast<int>(plan.bots.size());
}

absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report) {
  if (plan.bots.size() != kMatchesOfPair) return absl::nullopt;
  const int comparable = ComparableMatches(plan, report);
  DuelBlocks blocks;
  blocks.half_played = comparable % kMatchesOfPair;
  blocks.left_out = static_cast<int>(report.matches.size()) - comparable;
  for (int i = 0; i + 1 < comparable; i += kMatchesOfPair) {
    const absl::optional<int> half_points = HalfPointsOfBlock(
        report.matches[static_cast<size_t>(i)], report.matches[static_cast<size_t>(i) + 1]);
    if (half_points) {
      blocks.counts.Add(*half_points);
    } else {
      ++blocks.without_result;
    }
  }
  return blocks;
}

std::string RatioText(const rating::Sprt& sprt) {
  return absl::StrFormat("LLR %.2f (%.2f to %.2f)", sprt.log_likelihood_ratio(),
                         sprt.terms().lower_bound(), sprt.terms().upper_bound());
}

}  // namespace referee::ctl
