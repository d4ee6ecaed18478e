#include "referee/host/left_matches.h"

#include <algorithm>
#include <utility>

#include "referee/match/block.h"

namespace referee::host {
namespace {

constexpr char kNotWhole[] =
    "the referee was stopped, and not all matches of the block were found again";
constexpr char kKnowsTooMuch[] =
    "the referee was stopped just when a roll had been shown in one match of the block, but not in "
    "all";

void SortByRotation(std::vector<LeftMatch>* together) {
  std::sort(together->begin(), together->end(),
            [](const LeftMatch& a, const LeftMatch& b) { return a.rotation() < b.rotation(); });
}

// Whether it is a match alone, or all of a block.
bool IsWhole(absl::Span<const LeftMatch> together) {
  const match::Setup& setup = together.front().match->setup();
  if (!setup.block) return true;
  if (together.size() != setup.bots.size()) return false;
  for (size_t i = 0; i < together.size(); ++i) {
    if (together[i].rotation() != static_cast<int>(i)) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<LeftMatch> RebuildLeft(replay::Unfinished unfinished, absl::Duration limit) {
  auto match = std::make_unique<match::Match>(unfinished.setup, unfinished.secret);
  if (absl::Status rebuilt = match->Rebuild(unfinished.records); !rebuilt.ok()) {
    const absl::Status aside = unfinished.recording->SetAside(rebuilt.message());
    return aside.ok() ? rebuilt : aside;
  }
  return LeftMatch{std::move(unfinished), std::move(match), limit};
}

const char* WhyNotResumed(absl::Span<const LeftMatch> together) {
  if (!IsWhole(together)) return kNotWhole;
  const match::Setup& setup = together.front().match->setup();
  if (!setup.block) return nullptr;
  std::vector<match::Standing> standings;
  for (const LeftMatch& left : together) {
    const match::Match& match = *left.match;
    standings.push_back({match.nonces() != nullptr, match.roll_shown(), match.roll_to_come()});
  }
  return match::MayGoOn(standings, !setup.dice_source.pinned()) ? nullptr : kKnowsTooMuch;
}

bool IsUnbegun(absl::Span<const LeftMatch> together) {
  return IsWhole(together) &&
         std::all_of(together.begin(), together.end(),
                     [](const LeftMatch& left) { return left.unfinished.records.empty(); });
}

std::vector<LeftMatch> LeftMatches::Add(LeftMatch left) {
  const match::Setup& setup = left.match->setup();
  const size_t n = setup.block ? setup.bots.size() : 1;
  const BlockId id = setup.block ? setup.block->block : BlockId();
  std::vector<LeftMatch>& block = blocks_[id];
  block.push_back(std::move(left));
  if (block.size() < n) return {};
  std::vector<LeftMatch> together = std::move(block);
  blocks_.erase(id);
  SortByRotation(&together);
  return together;
}

std::vector<std::vector<LeftMatch>> LeftMatches::TakeRest() {
  std::vector<std::vector<LeftMatch>> rest;
  for (auto& [id, together] : blocks_) {
    SortByRotation(&together);
    rest.push_back(std::move(together));
  }
  blocks_.clear();
  return rest;
}

}  // namespace referee::host
