#include "referee/games/isaac/state.h"

#include <array>

#include "referee/games/errors.h"
#include "referee/games/isaac/notation.h"

namespace referee::games::isaac {

IsaacState::IsaacState(const Rules& rules) : rules_(rules) {
  if (rules.first_player == FirstPlayer::kSeatA) Begin(0);
  if (rules.first_player == FirstPlayer::kSeatB) Begin(1);
}

void IsaacState::Begin(int seat) {
  table_.first = static_cast<int8_t>(seat);
  table_.mover = table_.first;
}

std::unique_ptr<State> IsaacState::Clone() const {
  auto copy = std::make_unique<IsaacState>(rules_);
  copy->CopyFrom(*this);
  return copy;
}

void IsaacState::CopyFrom(const State& other) {
  const auto& from = static_cast<const IsaacState&>(other);
  table_ = from.table_;
  end_ = from.end_;
}

Phase IsaacState::phase() const {
  if (over()) return Phase::kOver;
  return table_.first < 0 ? Phase::kChance : Phase::kTurn;
}

Chance IsaacState::chance() const {
  Chance chance;
  chance.kind = Chance::Kind::kFirstPlayer;
  chance.sides = kSeats;
  chance.count = 1;
  return chance;
}

void IsaacState::ApplyChance(absl::Span<const int> outcome) { Begin(outcome[0]); }

Seat IsaacState::seat_to_move() const { return over() ? Seat::None() : Seat(table_.mover); }

absl::Status IsaacState::SetRoll(absl::Span<const int>) { return NoDiceToReplace(); }

void IsaacState::LegalMoves(std::vector<Move>* moves) const {
  std::array<uint64_t, kMaxMoves> found;
  const int count = ListMoves(rules_, table_, found.data());
  moves->resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) (*moves)[i] = Move(found[i]);
}

void IsaacState::Apply(Move move) {
  if (move.is_pass()) return Pass();
  const int seat = table_.mover;
  const Play play = DecodeMove(move);
  if (play.kind == Play::Kind::kPlacement) {
    PutPiece(seat, {play.length, play.vertical, play.cell}, &table_);
    --table_.unplayed[seat][play.length - kMinLength];
  } else {
    // A legal removal is not shorter than the floor, so its length is the new floor.
    table_.floors[seat] = static_cast<uint8_t>(table_.piece_at(play.cell).length);
    TakePiece(seat, play.cell, &table_);
    table_.scores[seat] = static_cast<int16_t>(table_.scores[seat] + play.advance);
    if (table_.scores[seat] >= kTarget) {
      end_ = End::kTargetReached;
      return;
    }
  }
  if (!table_.is_out(OtherSeat(seat))) table_.mover = static_cast<int8_t>(OtherSeat(seat));
}

// The mover can do nothing more in this stage.
void IsaacState::Pass() {
  table_.out[table_.out_count++] = static_cast<uint8_t>(table_.mover);
  if (table_.out_count < kSeats) {
    table_.mover = static_cast<int8_t>(OtherSeat(table_.mover));
    return;
  }
  if (table_.stage == Stage::kScoring) {
    end_ = End::kNoMoves;
    return;
  }
  table_.stage = Stage::kScoring;
  table_.mover = rules_.scoring_starter == ScoringStarter::kFirstPlayer
                     ? table_.first
                     : static_cast<int8_t>(table_.out[0]);
  table_.out_count = 0;
}

void IsaacState::Forfeit(Seat seat) {
  table_.forfeited = static_cast<int8_t>(seat.index());
  end_ = End::kLastSeat;
}

Outcome IsaacState::outcome() const {
  Outcome outcome;
  switch (end_) {
    case End::kTargetReached:
      outcome.reason = "TARGET_REACHED";
      break;
    case End::kNoMoves:
      outcome.reason = "NO_MOVES";
      break;
    case End::kLastSeat:
    case End::kNone:
      outcome.reason = "LAST_SEAT";
      break;
  }
  outcome.scores.assign(table_.scores.begin(), table_.scores.end());
  outcome.ranks.assign(kSeats, 2);
  outcome.ranks[static_cast<size_t>(Winner())] = 1;
  return outcome;
}

int IsaacState::Winner() const {
  if (table_.forfeited >= 0) return OtherSeat(table_.forfeited);
  if (table_.scores[0] != table_.scores[1]) return table_.scores[0] > table_.scores[1] ? 0 : 1;
  const int lines[] = {table_.unplayed_line(0), table_.unplayed_line(1)};
  if (lines[0] != lines[1]) return lines[0] > lines[1] ? 0 : 1;
  return table_.first;
}

}  // namespace referee::games::isaac
