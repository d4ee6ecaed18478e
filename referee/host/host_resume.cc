// The part of Host that resumes and remembers matches of an earlier process.
#include <algorithm>
#include <utility>

#include "referee/host/host.h"
#include "referee/match/block.h"

namespace referee::host {
namespace {

constexpr char kNotWhole[] =
    "the referee was stopped, and not all matches of the block were found again";
constexpr char kKnowsTooMuch[] =
    "the referee was stopped just when a roll had been shown in one match of the block, but not in "
    "all";

// Whether these are a single match, or all matches of a block.
bool IsWhole(absl::Span<const LeftMatch> together) {
  const match::Setup& setup = together.front().match->setup();
  if (!setup.block) return true;
  if (together.size() != setup.bots.size()) return false;
  for (size_t i = 0; i < together.size(); ++i) {
    if (together[i].rotation() != static_cast<int>(i)) return false;
  }
  return true;
}

// Why the matches may not go on; null if they may. Null for a single match.
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

// Whether these are a single match or all matches of a block, and none has begun.
bool IsUnbegun(absl::Span<const LeftMatch> together) {
  return IsWhole(together) &&
         std::all_of(together.begin(), together.end(),
                     [](const LeftMatch& left) { return left.unfinished.records.empty(); });
}

}  // namespace

absl::Status Host::Resume(replay::Unfinished unfinished, absl::Duration limit) {
  auto match = std::make_unique<match::Match>(unfinished.setup, unfinished.secret);
  if (absl::Status rebuilt = match->Rebuild(unfinished.records); !rebuilt.ok()) {
    const absl::Status aside = unfinished.recording->SetAside(rebuilt.message());
    return aside.ok() ? rebuilt : aside;
  }
  const match::Setup& setup = match->setup();
  const size_t all = setup.block ? setup.bots.size() : 1;
  const BlockId id = setup.block ? setup.block->block : BlockId();
  std::vector<LeftMatch> together;
  {
    MutexLock lock(&mutex_);
    std::vector<LeftMatch>& block = left_[id];
    block.push_back({std::move(unfinished), std::move(match), limit});
    if (block.size() < all) return absl::OkStatus();
    together = std::move(block);
    left_.erase(id);
  }
  GoOn(std::move(together));
  return absl::OkStatus();
}

void Host::EndResuming() {
  std::map<BlockId, std::vector<LeftMatch>> rest;
  {
    MutexLock lock(&mutex_);
    rest.swap(left_);
  }
  for (auto& [id, together] : rest) GoOn(std::move(together));
}

// If one match of a block has begun, all have: they are seated together.
void Host::GoOn(std::vector<LeftMatch> together) {
  std::sort(together.begin(), together.end(),
            [](const LeftMatch& a, const LeftMatch& b) { return a.rotation() < b.rotation(); });
  {
    MutexLock lock(&mutex_);
    open_ += static_cast<int>(together.size());
  }
  if (IsUnbegun(together)) {
    std::vector<replay::Unfinished> recorded;
    for (LeftMatch& left : together) recorded.push_back(std::move(left.unfinished));
    return Wait(std::move(recorded));
  }
  const char* const why_not = WhyNotResumed(together);
  const match::Setup& setup = together.front().match->setup();
  std::shared_ptr<Block> block;
  if (setup.block) {
    block = std::make_shared<Block>(static_cast<int>(setup.bots.size()), options_.clock);
  }
  std::vector<std::shared_ptr<MatchRunner>> runners;
  for (LeftMatch& left : together) {
    runners.push_back(
        std::make_shared<MatchRunner>(std::move(left.unfinished), environment_, block));
    if (block == nullptr) continue;
    block->Add(runners.back());
    block->Restore(runners.back()->block_place()->rotation, *left.match);
  }
  // Take all slots before any match goes on: one that ends without a result stops the others.
  std::vector<std::vector<std::shared_ptr<Bot>>> bots;
  {
    MutexLock lock(&mutex_);
    for (size_t i = 0; i < runners.size(); ++i) {
      known_.Add(runners[i], together[i].match->setup().request_id);
      seating_.Began();
      bots_.TakeSlots(runners[i]);
      bots.push_back(bots_.BotsOf(*runners[i]));
    }
  }
  // Resume matches whose games are over first: they keep their results if another match ends early.
  std::vector<bool> over;
  for (const LeftMatch& left : together)
    over.push_back(left.match->state().phase() == games::Phase::kOver);
  for (const bool game_over : {true, false}) {
    for (size_t i = 0; i < runners.size(); ++i) {
      if (over[i] != game_over) continue;
      runners[i]->Resume(std::move(together[i].match), together[i].limit, std::move(bots[i]));
    }
  }
  if (why_not != nullptr) block->Stop(why_not);
}

void Host::Remember(const match::Setup& setup, const match::Ended& ended, uint32_t turns) {
  const auto runner = std::make_shared<MatchRunner>(setup, ended, turns, environment_);
  MutexLock lock(&mutex_);
  if (known_.Find(setup.id) != nullptr) return;
  known_.Add(runner, setup.request_id);
  known_.Remember(setup.id);
}

void Host::SealLater(const MatchId& id, std::unique_ptr<replay::Recording> recording) {
  unsealed_->Add(id, std::move(recording));
}

}  // namespace referee::host
