#include "referee/match/position.h"

#include <algorithm>

namespace referee::match {
namespace {

// Reserved in advance, so that most matches never allocate in a step.
constexpr size_t kUsualMoves = 128;
constexpr size_t kUsualPositionBytes = 256;

// Turn roll 0 follows from the start alone, whatever the bots do.
constexpr int64_t kFirstDecidedRoll = 1;

// The index, in the order of the block, of the turn roll that `state` waits for; none if it waits
// for no turn roll.
absl::optional<int64_t> TurnRollOf(const games::State& state, int seats) {
  if (state.phase() != games::Phase::kChance) return absl::nullopt;
  const games::Chance chance = state.chance();
  if (chance.kind != games::Chance::Kind::kTurnRoll) return absl::nullopt;
  return RollIndex(chance, state.first_seat(), seats);
}

}  // namespace

Position::Position(const Setup& setup, CurrentStep* step)
    : step_(step), seats_(setup.game->seats()), state_(setup.game->NewState()) {
  if (setup.block) ahead_ = setup.game->NewState();
  legal_.reserve(kUsualMoves);
  text_.reserve(kUsualPositionBytes);
}

void Position::Start(const dice::Key& key) {
  key_ = key;
  Draw();
}

void Position::Play(games::Move move) {
  state_->Apply(move);
  Draw();
}

void Position::Forfeit(Seat seat) {
  state_->Forfeit(seat);
  Draw();
}

void Position::Release(int64_t index) {
  released_ = index;
  if (key_ && state_->phase() == games::Phase::kChance) Draw();
}

// Turn rolls are not written here: the record of the turn has them.
void Position::Draw() {
  while (state_->phase() == games::Phase::kChance && !Withheld()) {
    games::DrawOnce(*key_, state_.get(),
                    [this](const games::Chance& chance, absl::Span<const int> outcome) {
                      WriteDraw(chance, outcome);
                    });
  }
  text_.clear();
  if (state_->phase() != games::Phase::kChance) state_->AppendPosition(&text_);
}

void Position::WriteDraw(const games::Chance& chance, absl::Span<const int> outcome) {
  if (chance.kind == games::Chance::Kind::kTurnRoll) {
    shown_ = RollIndex(chance, state_->first_seat(), seats_);
    return;
  }
  Drawn drawn;
  drawn.kind = chance.kind;
  if (chance.kind == games::Chance::Kind::kFirstPlayer) {
    drawn.seat = state_->first_seat();
  } else {
    drawn.round = chance.index;
    drawn.seat = chance.seat;
    int dice[games::kMaxChanceCount];
    for (size_t i = 0; i < outcome.size(); ++i) dice[i] = outcome[i] + 1;
    drawn.roll = Roll(absl::Span<const int>(dice, outcome.size()));
  }
  step_->Write(drawn);
}

const games::State& Position::After(games::Move move) const {
  ahead_->CopyFrom(*state_);
  ahead_->Apply(move);
  return *ahead_;
}

const games::State& Position::After(Seat forfeits) const {
  ahead_->CopyFrom(*state_);
  ahead_->Forfeit(forfeits);
  return *ahead_;
}

absl::optional<int64_t> Position::WithheldIn(const games::State& state) const {
  if (!in_block()) return absl::nullopt;
  const absl::optional<int64_t> roll = TurnRollOf(state, seats_);
  return roll && *roll > released_ ? roll : absl::nullopt;
}

int64_t Position::roll_to_come() const {
  if (over()) return kNeverRolls;
  if (!started()) return kFirstDecidedRoll;
  int64_t first = kNeverRolls;
  const auto look = [&](const games::State& after) {
    // A seat that is asked before it rolls may lead to any roll that was not shown.
    if (after.phase() == games::Phase::kTurn) first = std::min(first, shown_ + 1);
    if (const auto roll = TurnRollOf(after, seats_)) first = std::min(first, *roll);
  };
  std::vector<games::Move> legal;
  state_->LegalMoves(&legal);
  for (const games::Move move : legal) look(After(move));
  look(After(state_->seat_to_move()));
  return first;
}

}  // namespace referee::match
