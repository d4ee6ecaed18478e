#include "referee/ctl/duel/blocks.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_format.h"

namespace referee::ctl {
namespace {

constexpr size_t kMatchesOfPair = 2;

}  // namespace

int HalfPointsOfMatch(const DuelMatch& match) {
  const auto mine = std::find_if(match.seats.begin(), match.seats.end(),
                                 [](const DuelSeat& seat) { return seat.bot == 0; });
  const auto other = std::find_if(match.seats.begin(), match.seats.end(),
                                  [](const DuelSeat& seat) { return seat.bot == 1; });
  return mine->rank < other->rank ? 2 : mine->rank == other->rank ? 1 : 0;
}

absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report) {
  if (plan.bots.size() != kMatchesOfPair) return absl::nullopt;
  DuelBlocks blocks;
  for (size_t i = 0; i + 1 < report.counted; i += kMatchesOfPair) {
    const DuelMatch& first = report.matches[i];
    const DuelMatch& second = report.matches[i + 1];
    if (first.ending == match::Ending::kFinished && second.ending == match::Ending::kFinished) {
      blocks.counts.Add(HalfPointsOfMatch(first) + HalfPointsOfMatch(second));
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
