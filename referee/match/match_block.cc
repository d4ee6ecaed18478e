// What a match of a block withholds until the other matches have come as far.
#include <algorithm>
#include <utility>

#include "referee/match/block.h"
#include "referee/match/match.h"

namespace referee::match {
namespace {

// The first roll of turns follows on the start, whatever the bots do.
constexpr int64_t kFirstDecidedRoll = 1;

}  // namespace

void Match::On(const NoncesSettled& event) {
  if (stage_ == Stage::kOver || !awaits_nonces_) return;
  // No match of the block needs its dice any more.
  if (AsksNonces()) return StartAndGoOn(OwnNonces(), ToldHashes());
  StartAndGoOn(event.nonces, event.nonce_hashes);
}

void Match::On(const RollReleased& event) {
  if (stage_ == Stage::kOver || event.index != awaited_) return;
  awaited_ = kNoRoll;
  released_ = event.index;
  if (stage_ == Stage::kStarting) {
    DrawChance();
    stage_ = Stage::kPlaying;
  } else {
    std::variant<Played, Forfeited> decided = std::move(*withheld_);
    withheld_.reset();
    std::visit([this](auto& known) { Carry(std::move(known)); }, decided);
  }
  GoOn();
}

void Match::On(const BlockOver&) {
  if (stage_ == Stage::kOver || !awaits_end_) return;
  awaits_end_ = false;
  EndWithResult();
}

bool Match::IsWithheld(const games::State& state) const {
  if (!in_block()) return false;
  const games::Chance chance = state.chance();
  return chance.kind == games::Chance::Kind::kTurnRoll &&
         RollIndex(chance, state.first_seat(), seats()) > released_;
}

void Match::LookAhead(const Played& played) const {
  ahead_->CopyFrom(*state_);
  ahead_->Apply(played.move);
}

void Match::LookAhead(const Forfeited& forfeited) const {
  ahead_->CopyFrom(*state_);
  ahead_->Forfeit(forfeited.seat);
}

template <typename Decided>
bool Match::Withhold(const Decided& decided) {
  LookAhead(decided);
  if (ahead_->phase() != games::Phase::kChance || !IsWithheld(*ahead_)) return false;
  withheld_ = decided;
  legal_.clear();
  Await(ahead_->chance(), ahead_->first_seat());
  return true;
}
template bool Match::Withhold(const Played&);
template bool Match::Withhold(const Forfeited&);

void Match::Await(const games::Chance& roll, Seat first) {
  const int64_t index = RollIndex(roll, first, seats());
  if (index == awaited_) return;  // asked for already
  awaited_ = index;
  effects_.emplace_back(AwaitRoll{index});
}

int64_t Match::roll_to_come() const {
  if (stage_ == Stage::kOver || state_->phase() == games::Phase::kOver) return kNeverRolls;
  if (stage_ != Stage::kPlaying) return kFirstDecidedRoll;
  int64_t first = kNeverRolls;
  const auto look = [&](const auto& decided) {
    LookAhead(decided);
    // A seat that is asked before it rolls may come to any roll that was not shown.
    if (ahead_->phase() == games::Phase::kTurn) first = std::min(first, shown_ + 1);
    if (ahead_->phase() != games::Phase::kChance) return;
    const games::Chance chance = ahead_->chance();
    if (chance.kind != games::Chance::Kind::kTurnRoll) return;
    first = std::min(first, RollIndex(chance, ahead_->first_seat(), seats()));
  };
  std::vector<games::Move> legal;
  state_->LegalMoves(&legal);
  for (const games::Move move : legal) {
    Played played;
    played.move = move;
    look(played);
  }
  Forfeited forfeited;
  forfeited.seat = state_->seat_to_move();
  look(forfeited);
  return first;
}

}  // namespace referee::match
