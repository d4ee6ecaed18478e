// The part of Host that resumes matches an earlier process left, and remembers those it ended.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/host/host.h"

namespace referee::host {
namespace {

constexpr char kNotWhole[] =
    "the referee was stopped, and not all matches of the block were found again";
constexpr char kKnowsTooMuch[] =
    "the referee was stopped just when a roll had been shown in one match of the block, but not in "
    "all";

bool IsGameOver(const match::Match& match) { return match.state().phase() == games::Phase::kOver; }

}  // namespace

// Whether it is a match alone, or all of a block.
bool Host::IsWhole(absl::Span<const Left> together) {
  const match::Setup& setup = together.front().match->setup();
  if (!setup.block) return true;
  if (together.size() != setup.bots.size()) return false;
  for (size_t i = 0; i < together.size(); ++i) {
    if (together[i].rotation() != static_cast<int>(i)) return false;
  }
  return true;
}

bool Host::MayGoOn(absl::Span<const Left> block) {
  std::vector<match::Standing> standings;
  for (const Left& left : block) {
    const match::Match& match = *left.match;
    standings.push_back({match.nonces() != nullptr, match.roll_shown(), match.roll_to_come()});
  }
  return match::MayGoOn(standings, !block.front().match->setup().dice_source.pinned());
}

absl::Status Host::Resume(replay::Unfinished unfinished, absl::Duration limit) {
  Left left;
  left.match = std::make_unique<match::Match>(unfinished.setup, unfinished.secret);
  left.limit = limit;
  if (absl::Status rebuilt = left.match->Rebuild(unfinished.records); !rebuilt.ok()) {
    const absl::Status aside = unfinished.recording->SetAside(rebuilt.message());
    return aside.ok() ? rebuilt : aside;
  }
  const absl::optional<match::BlockPlace> place = unfinished.setup.block;
  const size_t n = place ? unfinished.setup.bots.size() : 1;
  left.unfinished = std::move(unfinished);
  std::vector<Left> together;
  if (place) {
    MutexLock lock(&mutex_);
    std::vector<Left>& block = left_blocks_[place->block];
    block.push_back(std::move(left));
    if (block.size() < n) return absl::OkStatus();
    together = std::move(block);
    left_blocks_.erase(place->block);
  } else {
    together.push_back(std::move(left));
  }
  GoOn(std::move(together));
  return absl::OkStatus();
}

void Host::EndResuming() {
  std::map<BlockId, std::vector<Left>> blocks;
  {
    MutexLock lock(&mutex_);
    blocks.swap(left_blocks_);
  }
  for (auto& [id, together] : blocks) GoOn(std::move(together));
}

// A match alone, or what was found of a block.
void Host::GoOn(std::vector<Left> together) {
  std::sort(together.begin(), together.end(),
            [](const Left& a, const Left& b) { return a.rotation() < b.rotation(); });
  {
    MutexLock lock(&mutex_);
    open_ += static_cast<int>(together.size());
  }
  const bool begun = std::any_of(together.begin(), together.end(),
                                 [](const Left& left) { return !left.unfinished.records.empty(); });
  if (begun || !IsWhole(together)) return GoOnRunning(std::move(together));
  std::vector<replay::Unfinished> recorded;
  for (Left& left : together) recorded.push_back(std::move(left.unfinished));
  Wait(std::move(recorded));
}

// If some of a block began, all did: they are seated together.
void Host::GoOnRunning(std::vector<Left> together) {
  const bool whole = IsWhole(together);
  const match::Setup& setup = together.front().match->setup();
  std::shared_ptr<Block> block;
  if (setup.block) {
    block = std::make_shared<Block>(static_cast<int>(setup.bots.size()), options_.clock);
  }
  const bool may_go_on = whole && (block == nullptr || MayGoOn(together));
  std::vector<std::shared_ptr<MatchRunner>> runners;
  for (Left& left : together) {
    runners.push_back(
        std::make_shared<MatchRunner>(std::move(left.unfinished), environment_, block));
    if (block == nullptr) continue;
    block->Add(runners.back());
    block->Restore(runners.back()->block_place()->rotation, *left.match);
  }
  // All have their slots before any goes on: one that ends without a result stops the others.
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
  // Those whose games are over go first: then whatever ends early among the others leaves them
  // their results.
  std::vector<size_t> order;
  for (const bool game_over : {true, false}) {
    for (size_t i = 0; i < runners.size(); ++i) {
      if (IsGameOver(*together[i].match) == game_over) order.push_back(i);
    }
  }
  for (const size_t i : order) {
    runners[i]->Resume(std::move(together[i].match), together[i].limit, std::move(bots[i]));
  }
  if (may_go_on) return;
  block->Stop(whole ? kKnowsTooMuch : kNotWhole);
}

void Host::Remember(const match::Setup& setup, const match::Ended& ended, uint32_t turns) {
  const auto runner = std::make_shared<MatchRunner>(setup, ended, turns, environment_);
  MutexLock lock(&mutex_);
  if (known_.Find(setup.id) != nullptr) return;
  known_.Add(runner, setup.request_id);
  known_.Remember(setup.id);
}

}  // namespace referee::host
