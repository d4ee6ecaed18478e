#include "referee/host/block.h"

#include <string>
#include <utility>
#include <variant>

#include "referee/host/match_runner.h"

namespace referee::host {
namespace {

void StopAll(const std::vector<std::shared_ptr<MatchRunner>>& runners, absl::string_view reason) {
  for (const auto& runner : runners) runner->Stop(match::Ending::kVoid, std::string(reason));
}

// For matches that end with their results, and so need no reason.
constexpr absl::string_view kNoReason;

}  // namespace

Block::Block(int matches, const Clock* clock)
    : clock_(clock),
      gate_(matches),
      runners_(static_cast<size_t>(matches)),
      ended_(static_cast<size_t>(matches)) {}

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

std::vector<std::shared_ptr<MatchRunner>> Block::TogetherWith(
    const std::shared_ptr<MatchRunner>& runner) {
  if (runner->block() == nullptr) return {runner};
  return runner->block()->runners();
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
  Runners decided;
  {
    MutexLock lock(&mutex_);
    for (const match::Effect& effect : effects) OnEffect(rotation, effect);
    while (const auto release = gate_.Next()) {
      posts.emplace_back(runners_[static_cast<size_t>(release->rotation)].lock(),
                         EventFor(*release));
    }
    decided = TakeDecided();
  }
  const Instant now = clock_->Now();
  for (auto& [runner, event] : posts) {
    if (runner != nullptr) runner->Post(std::move(event), now);
  }
  StopAll(decided, kNoReason);
}

void Block::OnEffect(int rotation, const match::Effect& effect) {
  if (const auto* nonces = std::get_if<match::AwaitNonces>(&effect)) {
    gate_.AwaitNonces(rotation, nonces->decided);
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

void Block::OnEnded(int rotation) {
  Runners decided;
  {
    MutexLock lock(&mutex_);
    ended_[static_cast<size_t>(rotation)] = true;
    decided = TakeDecided();
  }
  StopAll(decided, kNoReason);
}

bool Block::Stop(absl::string_view reason) {
  Runners stopped;
  bool may_end = false;
  {
    MutexLock lock(&mutex_);
    if (gate_.over()) return true;
    if (!gate_.broken()) {
      gate_.Break();
      stopped = Unended(/*game_over=*/false);
    }
    may_end = Unended(/*game_over=*/false).empty();
    if (stopped.empty()) stopped = TakeDecided();
  }
  StopAll(stopped, reason);
  return may_end;
}

Block::Runners Block::Unended(bool game_over) const {
  Runners all;
  for (size_t i = 0; i < runners_.size(); ++i) {
    if (ended_[i] || gate_.game_over(static_cast<int>(i)) != game_over) continue;
    if (std::shared_ptr<MatchRunner> runner = runners_[i].lock()) all.push_back(std::move(runner));
  }
  return all;
}

Block::Runners Block::TakeDecided() {
  if (!gate_.broken() || decided_stopped_ || !Unended(/*game_over=*/false).empty()) return {};
  decided_stopped_ = true;
  return Unended(/*game_over=*/true);
}

}  // namespace referee::host
