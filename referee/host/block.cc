#include "referee/host/block.h"

#include <utility>
#include <variant>

#include "referee/host/match_runner.h"

namespace referee::host {

Block::Block(int matches, const Clock* clock)
    : clock_(clock), gate_(matches), runners_(static_cast<size_t>(matches)) {}

void Block::Add(const std::shared_ptr<MatchRunner>& runner) {
  MutexLock lock(&mutex_);
  runners_[static_cast<size_t>(runner->block_place()->rotation)] = runner;
}

std::vector<std::shared_ptr<MatchRunner>> Block::runners() const {
  std::vector<std::shared_ptr<MatchRunner>> all;
  MutexLock lock(&mutex_);
  for (const std::weak_ptr<MatchRunner>& weak : runners_) {
    if (std::shared_ptr<MatchRunner> runner = weak.lock()) all.push_back(std::move(runner));
  }
  return all;
}

void Block::Restore(int rotation, const match::Match& match) {
  MutexLock lock(&mutex_);
  gate_.Restore(rotation, match.roll_shown());
  if (rotation != 0 || !match.nonces()) return;
  nonces_ = {*match.nonces(), match.nonce_hashes()};
  gate_.SettleNonces();
}

void Block::OnEffects(int rotation, absl::Span<const match::Effect> effects) {
  std::vector<std::pair<std::shared_ptr<MatchRunner>, match::Event>> posts;
  {
    MutexLock lock(&mutex_);
    for (const match::Effect& effect : effects) OnEffect(rotation, effect);
    while (const auto release = gate_.Next()) {
      posts.emplace_back(runners_[static_cast<size_t>(release->rotation)].lock(),
                         EventFor(*release));
    }
  }
  const Instant now = clock_->Now();
  for (auto& [runner, event] : posts) {
    if (runner != nullptr) runner->Post(std::move(event), now);
  }
}

void Block::OnEffect(int rotation, const match::Effect& effect) {
  if (std::holds_alternative<match::AwaitNonces>(effect)) {
    gate_.AwaitNonces(rotation);
  } else if (const auto* roll = std::get_if<match::AwaitRoll>(&effect)) {
    gate_.AwaitRoll(rotation, roll->index);
  } else if (std::holds_alternative<match::AwaitBlock>(effect)) {
    gate_.AwaitEnd(rotation);
  } else if (const auto* record = std::get_if<match::Record>(&effect)) {
    const auto* started = std::get_if<match::Started>(record);
    if (started == nullptr || rotation != 0) return;
    nonces_ = {started->nonces, started->nonce_hashes};
    gate_.SettleNonces();
  }
}

match::Event Block::EventFor(const match::BlockGate::Release& release) const {
  switch (release.kind) {
    case match::BlockGate::Release::Kind::kNonces:
      return nonces_;
    case match::BlockGate::Release::Kind::kRoll:
      return match::RollReleased{release.roll};
    case match::BlockGate::Release::Kind::kEnd:
      break;
  }
  return match::BlockOver();
}

// A match that ends with its result reveals the seed: by then those that it could decide are
// stopped.
void Block::Stop(absl::string_view reason) {
  std::vector<std::shared_ptr<MatchRunner>> undecided;
  std::vector<std::shared_ptr<MatchRunner>> decided;
  {
    MutexLock lock(&mutex_);
    if (gate_.broken() || gate_.over()) return;
    gate_.Break();
    for (size_t i = 0; i < runners_.size(); ++i) {
      std::shared_ptr<MatchRunner> runner = runners_[i].lock();
      if (runner == nullptr) continue;
      (gate_.game_over(static_cast<int>(i)) ? decided : undecided).push_back(std::move(runner));
    }
  }
  for (const auto& runner : undecided) runner->Stop(match::Ending::kVoid, std::string(reason));
  for (const auto& runner : decided) runner->Stop(match::Ending::kVoid, std::string(reason));
}

}  // namespace referee::host
