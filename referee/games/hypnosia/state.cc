#include "referee/games/hypnosia/state.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/notation.h"
#include "referee/games/hypnosia/steps.h"

namespace referee::games::hypnosia {
namespace {

// The first bit of `mask` at or after `from`; kMaxSeats if there is none.
int NextSeatIn(uint8_t mask, int from) {
  while (from < kMaxSeats && (mask >> from & 1) == 0) ++from;
  return from;
}

// The index, in order of arrival, of a seat's first pawn in the centre; after all others if it has
// none there.
int FirstArrival(const Table& table, int seat) {
  const auto end = table.centre.begin() + table.centre_count;
  return static_cast<int>(std::find(table.centre.begin(), end, seat) - table.centre.begin());
}

}  // namespace

HypnosiaState::HypnosiaState(std::shared_ptr<const Rules> rules)
    : rules_(std::move(rules)), table_(StartTable(*rules_)) {
  setup_.rolling = static_cast<uint8_t>((1 << rules_->seats()) - 1);
}

HypnosiaState::HypnosiaState(const HypnosiaState& other)
    : State(other),
      rules_(other.rules_),
      phase_(other.phase_),
      end_(other.end_),
      setup_(other.setup_) {
  CopyTable(*rules_, other.table_, &table_);
}

std::unique_ptr<State> HypnosiaState::Clone() const {
  return std::unique_ptr<State>(new HypnosiaState(*this));
}

void HypnosiaState::CopyFrom(const State& other) {
  const auto& from = static_cast<const HypnosiaState&>(other);
  if (&from == this) return;
  phase_ = from.phase_;
  end_ = from.end_;
  setup_ = from.setup_;
  CopyTable(*rules_, from.table_, &table_);
}

Chance HypnosiaState::chance() const {
  Chance chance;
  chance.sides = kDieSides;
  chance.count = kDice;
  if (table_.mover < 0) {
    chance.kind = Chance::Kind::kSetupRoll;
    chance.index = setup_.round;
    chance.seat = Seat(setup_.seat);
    return chance;
  }
  chance.kind = Chance::Kind::kTurnRoll;
  chance.index = static_cast<int>(table_.rolls[table_.mover]);
  chance.seat = Seat(table_.mover);
  return chance;
}

void HypnosiaState::ApplyChance(absl::Span<const int> outcome) {
  if (table_.mover < 0) return ApplySetupRoll(outcome[0] + outcome[1]);
  table_.dice = {1 + outcome[0], 1 + outcome[1]};
  ++table_.rolls[table_.mover];
  phase_ = Phase::kTurn;
}

void HypnosiaState::ApplySetupRoll(int sum) {
  setup_.sums[setup_.seat] = sum;
  setup_.seat = NextSeatIn(setup_.rolling, setup_.seat + 1);
  if (setup_.seat < kMaxSeats) return;

  int highest = -1;
  uint8_t tied = 0;
  for (int seat = 0; seat < rules_->seats(); ++seat) {
    if ((setup_.rolling >> seat & 1) == 0 || setup_.sums[seat] < highest) continue;
    if (setup_.sums[seat] > highest) tied = 0;
    highest = setup_.sums[seat];
    tied = static_cast<uint8_t>(tied | 1 << seat);
  }
  const int winner = NextSeatIn(tied, 0);
  if ((tied & (tied - 1)) == 0) {
    table_.first = static_cast<int8_t>(winner);
    return AwaitRoll(winner);
  }
  setup_.rolling = tied;
  setup_.seat = winner;
  ++setup_.round;
}

void HypnosiaState::AwaitRoll(int seat) {
  table_.mover = static_cast<int8_t>(seat);
  phase_ = Phase::kChance;
}

absl::Status HypnosiaState::SetRoll(absl::Span<const int> dice) {
  if (phase_ != Phase::kTurn) return NoDiceToReplace();
  const bool rollable = dice.size() == kDice && std::all_of(dice.begin(), dice.end(), [](int die) {
                          return die >= 1 && die <= kDieSides;
                        });
  if (!rollable) return BadValue("dice", absl::StrJoin(dice, " "), "two dice, 1 to 6 each");
  table_.dice = {dice[0], dice[1]};
  return absl::OkStatus();
}

void HypnosiaState::LegalMoves(std::vector<Move>* moves) const {
  std::array<uint64_t, kMaxMoves> found;
  const int count = ListMoves(*rules_, table_, table_.mover, table_.dice, found.data());
  moves->resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) (*moves)[i] = Move(found[i]);
}

void HypnosiaState::Apply(Move move) {
  const uint32_t first = FirstStepCode(move);
  const uint32_t second = SecondStepCode(move);
  if (first != 0) PlayStep(*rules_, table_.mover, first, &table_);
  if (second != 0) PlayStep(*rules_, table_.mover, second, &table_);
  ++table_.turns;
  End end = EndOnTable();
  if (end == End::kNone && table_.turns >= rules_->turn_limit()) end = End::kTurnLimit;
  FinishOrPass(end);
}

void HypnosiaState::Forfeit(Seat seat) {
  RemovePieces(seat.index(), &table_);
  table_.forfeits[table_.forfeit_count++] = static_cast<uint8_t>(seat.index());
  const End end = EndOnTable();
  // If another seat is to move, its turn and its dice stay.
  if (end == End::kNone && seat.index() != table_.mover) return;
  FinishOrPass(end);
}

HypnosiaState::End HypnosiaState::EndOnTable() const {
  if (table_.forfeit_count == rules_->seats() - 1) return End::kLastSeat;
  if (table_.centre_count == rules_->board().centre_places()) return End::kCentreFull;
  if (table_.outside == 0) return End::kNoPawns;
  return End::kNone;
}

// Ends the game, or gives the turn to the next seat that has a pawn to move.
void HypnosiaState::FinishOrPass(End end) {
  end_ = end;
  if (end != End::kNone) {
    table_.mover = -1;
    phase_ = Phase::kOver;
    return;
  }
  int next = table_.mover;
  do {
    next = next + 1 == rules_->seats() ? 0 : next + 1;
  } while (table_.pieces[next].none());  // a seat that has forfeited has none either
  AwaitRoll(next);
}

Outcome HypnosiaState::outcome() const {
  Outcome outcome;
  switch (end_) {
    case End::kLastSeat:
      outcome.reason = "LAST_SEAT";
      break;
    case End::kCentreFull:
      outcome.reason = "CENTRE_FULL";
      break;
    case End::kNoPawns:
      outcome.reason = "NO_PAWNS";
      break;
    case End::kTurnLimit:
    case End::kNone:
      outcome.reason = "TURN_LIMIT";
      break;
  }
  for (int seat = 0; seat < rules_->seats(); ++seat) {
    outcome.scores.push_back(ScoreOf(*rules_, table_, seat));
  }
  outcome.ranks = Ranks(outcome.scores);
  return outcome;
}

std::vector<int> HypnosiaState::Ranks(const std::vector<int>& scores) const {
  const int seats = rules_->seats();
  std::vector<int> ranks(seats, 1);
  const auto better = [&](int a, int b) {
    if (scores[a] != scores[b]) return scores[a] > scores[b];
    return FirstArrival(table_, a) < FirstArrival(table_, b);
  };
  for (int seat = 0; seat < seats; ++seat) {
    for (int other = 0; other < seats; ++other) {
      if (!HasForfeited(table_, other) && better(other, seat)) ++ranks[seat];
    }
  }
  // The first seat to forfeit is last.
  for (int i = 0; i < table_.forfeit_count; ++i) ranks[table_.forfeits[i]] = seats - i;
  return ranks;
}

}  // namespace referee::games::hypnosia
