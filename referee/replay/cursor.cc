#include "referee/replay/cursor.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"

namespace referee::replay {
namespace {

absl::Status AtTurn(uint32_t turn, const absl::Status& problem) {
  return problem.ok() ? problem : At(absl::StrCat("turn ", turn), problem);
}

Cursor::Dice DiceOf(const dice::Key& key) {
  return [key](const games::Chance& chance, absl::Span<int> outcome) {
    key.Uniform(chance.label(), chance.sides, outcome);
    return absl::OkStatus();
  };
}

}  // namespace

Cursor::Cursor(const match::Setup& setup, Dice dice)
    : game_(setup.game),
      dice_(std::move(dice)),
      clocks_(setup.bots.size(), {absl::ZeroDuration(), setup.time_control.bank}) {}

Cursor::Cursor(const match::Setup& setup, const dice::Key& key) : Cursor(setup, DiceOf(key)) {}

absl::Status Cursor::Take(const match::Record& record) {
  moved_ = false;
  draws_.clear();
  return std::visit([this](const auto& known) { return Play(known); }, record);
}

absl::Status Cursor::Play(const match::Started&) {
  if (state_ != nullptr) return BadRecord("the match starts twice");
  state_ = game_->NewState();
  before_ = game_->NewState();
  return Arrive();
}

absl::Status Cursor::Play(const match::Played& played) {
  const uint32_t turn = played.number;
  if (!IsPlaying(played.seat)) return AtTurn(turn, BadRecord("the game was over before it"));
  if (!std::binary_search(legal_.begin(), legal_.end(), played.move)) {
    return AtTurn(turn, BadRecord("the move is illegal"));
  }
  before_->CopyFrom(*state_);
  state_->Apply(played.move);
  ++turns_played_;
  SeatClock& clock = clocks_[static_cast<size_t>(played.seat.index())];
  clock.used += played.used;
  clock.bank = played.bank_left;
  return AtTurn(turn, Arrive());
}

absl::Status Cursor::Play(const match::Forfeited& forfeited) {
  const uint32_t turn = forfeited.number;
  if (!IsPlaying(forfeited.seat) || state_->forfeited(forfeited.seat)) {
    return AtTurn(turn, BadRecord("a forfeit that cannot be"));
  }
  before_->CopyFrom(*state_);
  state_->Forfeit(forfeited.seat);
  clocks_[static_cast<size_t>(forfeited.seat.index())].used += forfeited.used;
  return AtTurn(turn, Arrive());
}

bool Cursor::IsPlaying(Seat seat) const {
  return state_ != nullptr && state_->phase() == games::Phase::kTurn && seat.valid() &&
         static_cast<size_t>(seat.index()) < clocks_.size();
}

absl::Status Cursor::Arrive() {
  while (state_->phase() == games::Phase::kChance) {
    const games::Chance chance = state_->chance();
    int numbers[games::kMaxChanceCount];
    const absl::Span<int> outcome(numbers, static_cast<size_t>(chance.count));
    if (absl::Status drawn = dice_(chance, outcome); !drawn.ok()) return drawn;
    state_->ApplyChance(outcome);
    for (int& number : outcome) ++number;
    draws_.push_back({chance, match::Roll(outcome)});
  }
  legal_.clear();
  if (state_->phase() == games::Phase::kTurn) state_->LegalMoves(&legal_);
  moved_ = true;
  return absl::OkStatus();
}

absl::optional<Cursor> CursorOf(const Replay& replay) {
  const absl::optional<dice::Key> key = MatchKey(replay);
  if (replay.started() == nullptr || !key.has_value()) return absl::nullopt;
  return Cursor(replay.setup, *key);
}

std::string PositionAfter(const match::Record& record, absl::optional<Cursor>* cursor) {
  if (!cursor->has_value()) return "";
  if (!(*cursor)->Take(record).ok()) {
    cursor->reset();
    return "";
  }
  return (*cursor)->moved() ? (*cursor)->state().Position() : "";
}

}  // namespace referee::replay
