#include "referee/ctl/duel/blocks.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_format.h"

namespace referee::ctl {
namespace {

constexpr int kMatchesOfPair = 2;

// Of the first bot.
int HalfPoints(const DuelMatch& match) {
  const auto mine = std::find_if(match.seats.begin(), match.seats.end(),
                                 [](const DuelSeat& seat) { return seat.bot == 0; });
  const auto other = std::find_if(match.seats.begin(), match.seats.end(),
                                  [](const DuelSeat& seat) { return seat.bot == 1; });
  return mine->rank < other->rank ? 2 : mine->rank == other->rank ? 1 : 0;
}

}  // namespace

absl::optional<int> HalfPointsOfBlock(const DuelMatch& first, const DuelMatch& second) {
  if (first.ending != match::Ending::kFinished || second.ending != match::Ending::kFinished) {
    return absl::nullopt;
  }
  return HalfPoints(first) + HalfPoints(second);
}

absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report) {
  if (plan.bots.size() != kMatchesOfPair) return absl::nullopt;
  std::map<int, std::vector<const DuelMatch*>> by_block;
  for (const DuelMatch& match : report.matches) {
    by_block[match.index / kMatchesOfPair].push_back(&match);
  }
  DuelBlocks blocks;
  for (const auto& [number, matches] : by_block) {
    if (matches.size() < kMatchesOfPair) {
      ++blocks.half_played;
      continue;
    }
    const absl::optional<int> half_points = HalfPointsOfBlock(*matches[0], *matches[1]);
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
