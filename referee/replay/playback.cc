#include "referee/replay/playback.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/dice/dice.h"
#include "referee/replay/errors.h"

namespace referee::replay {
namespace {

using games::Phase;

void Draw(const dice::Key& key, games::State* state) {
  games::DrawChance(key, state, [](const games::Chance&, absl::Span<const int>) {});
}

std::string TurnText(uint32_t turn) { return absl::StrCat("turn ", turn); }

}  // namespace

Playback::Playback(const Replay& replay) {
  const absl::optional<dice::Key> key = MatchKey(replay);
  if (replay.started() == nullptr || !key.has_value()) return;
  PlaybackStep start;
  start.state = replay.setup.game->NewState();
  Draw(*key, start.state.get());
  steps_.push_back(std::move(start));
  for (const match::Record& record : replay.records) {
    if (const auto* turn = std::get_if<match::Played>(&record)) {
      problem_ = Play(*turn, *key);
    } else if (const auto* forfeit = std::get_if<match::Forfeited>(&record)) {
      problem_ = Play(*forfeit, *key);
    }
    if (!problem_.ok()) return;
  }
}

size_t Playback::StepOfTurn(uint32_t turn) const {
  const auto after = std::upper_bound(
      steps_.begin(), steps_.end(), turn,
      [](uint32_t wanted, const PlaybackStep& step) { return wanted < step.turns_played; });
  return static_cast<size_t>(after - steps_.begin()) - 1;
}

absl::Status Playback::Play(const match::Played& turn, const dice::Key& key) {
  const PlaybackStep& before = steps_.back();
  if (before.state->phase() != Phase::kTurn) {
    return At(TurnText(turn.number), BadRecord("the game was over before it"));
  }
  before.state->LegalMoves(&legal_);
  if (!std::binary_search(legal_.begin(), legal_.end(), turn.move)) {
    return At(TurnText(turn.number), BadRecord("the move is illegal"));
  }
  PlaybackStep step;
  step.state = before.state->Clone();
  step.state->Apply(turn.move);
  Draw(key, step.state.get());
  step.turn = &turn;
  step.turns_played = before.turns_played + 1;
  steps_.push_back(std::move(step));
  return absl::OkStatus();
}

absl::Status Playback::Play(const match::Forfeited& forfeit, const dice::Key& key) {
  const PlaybackStep& before = steps_.back();
  if (before.state->phase() != Phase::kTurn || before.state->forfeited(forfeit.seat)) {
    return At(TurnText(forfeit.number), BadRecord("a forfeit that cannot be"));
  }
  PlaybackStep step;
  step.state = before.state->Clone();
  step.state->Forfeit(forfeit.seat);
  Draw(key, step.state.get());
  step.forfeit = &forfeit;
  step.turns_played = before.turns_played;
  steps_.push_back(std::move(step));
  return absl::OkStatus();
}

}  // namespace referee::replay
