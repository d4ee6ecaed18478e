// The part of Host that resumes matches an earlier process left, and remembers those it ended.
#include <utility>

#include "referee/host/host.h"

namespace referee::host {

absl::Status Host::Resume(replay::Unfinished unfinished, absl::Duration limit) {
  absl::StatusOr<LeftMatch> left = RebuildLeft(std::move(unfinished), limit);
  if (!left.ok()) return left.status();
  std::vector<LeftMatch> together;
  {
    MutexLock lock(&mutex_);
    together = left_.Add(*std::move(left));
  }
  if (!together.empty()) GoOn(std::move(together));
  return absl::OkStatus();
}

void Host::EndResuming() {
  std::vector<std::vector<LeftMatch>> rest;
  {
    MutexLock lock(&mutex_);
    rest = left_.TakeRest();
  }
  for (std::vector<LeftMatch>& together : rest) GoOn(std::move(together));
}

// If some of a block began, all did: they are seated together.
void Host::GoOn(std::vector<LeftMatch> together) {
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
  // Those whose games are over go first: then what ends early among the others leaves them their
  // results.
  std::vector<bool> over;
  for (const LeftMatch& left : together) over.push_back(left.game_over());
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
