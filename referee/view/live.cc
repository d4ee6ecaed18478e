#include "referee/view/live.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/errors.h"
#include "referee/dice/dice.h"

namespace referee::view {
namespace {

using games::Phase;

constexpr int kMaxDraws = 100;  // before the first turn

absl::Duration DurationOf(const google::protobuf::Duration& wire) {
  return absl::Seconds(wire.seconds()) + absl::Nanoseconds(wire.nanos());
}

match::Cause CauseOf(v1::ForfeitCause cause) {
  switch (cause) {
    case v1::FORFEIT_CAUSE_ILLEGAL:
      return match::Cause::kIllegal;
    case v1::FORFEIT_CAUSE_DISCONNECTED:
      return match::Cause::kDisconnected;
    case v1::FORFEIT_CAUSE_RESIGNED:
      return match::Cause::kResigned;
    default:
      return match::Cause::kTimeout;
  }
}

match::Setup SetupOf(std::shared_ptr<const games::Game> game, const v1::Snapshot& snapshot) {
  match::Setup setup;
  setup.game = std::move(game);
  for (const std::string& bot : snapshot.match().bots()) setup.bots.push_back(bot);
  return setup;
}

match::Played PlayedOf(const v1::TurnPlayed& turn, games::Move move) {
  match::Played played;
  played.number = turn.turn();
  played.seat = Seat(static_cast<int>(turn.seat()));
  const std::vector<int> dice(turn.dice().begin(), turn.dice().end());
  played.roll = match::Roll(dice);
  played.move = move;
  played.legal_count = turn.legal_count();
  played.used = DurationOf(turn.time_used());
  played.bank_left = turn.has_bank_left() ? DurationOf(turn.bank_left()) : absl::InfiniteDuration();
  if (turn.substituted() != v1::FORFEIT_CAUSE_UNSPECIFIED) {
    played.substituted = CauseOf(turn.substituted());
  }
  return played;
}

// Whether `dice` can be what the state waits for.
bool CanBeDrawn(const games::State& state, absl::Span<const int> dice) {
  const games::Chance chance = state.chance();
  return dice.size() == static_cast<size_t>(chance.count) &&
         std::all_of(dice.begin(), dice.end(),
                     [&chance](int die) { return die >= 1 && die <= chance.sides; });
}

std::vector<int> AnyDraw(const games::State& state) {
  return std::vector<int>(static_cast<size_t>(state.chance().count), 1);
}

void Draw(absl::Span<const int> dice, games::State* state) {
  std::vector<int> outcome(dice.begin(), dice.end());
  for (int& number : outcome) --number;
  state->ApplyChance(outcome);
}

absl::Status NotInThisMatch(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      what, ": the match cannot have come to this; is the referee of another version?"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<LiveMatch>> LiveMatch::Begin(std::shared_ptr<const games::Game> game,
                                                            const v1::Snapshot& snapshot) {
  if (game->seats() != snapshot.match().bots_size()) return NotInThisMatch("bots");
  auto match = absl::WrapUnique(new LiveMatch(game, snapshot));
  if (snapshot.position_text().empty()) return match;
  absl::StatusOr<std::unique_ptr<games::State>> state =
      game->ParsePosition(snapshot.position_text());
  if (!state.ok()) return At("position_text", state.status());
  match->state_ = *std::move(state);
  std::vector<absl::Duration> banks;
  for (const auto& bank : snapshot.bank_left()) banks.push_back(DurationOf(bank));
  match->start_ =
      LiveStep{match->state_->Clone(), games::Move::Pass(),
               match->frames_.StartAfter(snapshot.match().turns_played(), banks, *match->state_)};
  return match;
}

LiveMatch::LiveMatch(std::shared_ptr<const games::Game> game, const v1::Snapshot& snapshot)
    : setup_(SetupOf(std::move(game), snapshot)), frames_(setup_) {}

absl::StatusOr<std::vector<LiveStep>> LiveMatch::Take(const v1::TurnPlayed& turn) {
  if (!refused_.ok()) return refused_;
  std::vector<LiveStep> steps;
  absl::Status settled = Settle(turn, &steps);
  if (!settled.ok()) return Refuse(std::move(settled));
  const absl::StatusOr<games::Move> move = MoveOf(turn);
  if (!move.ok()) return Refuse(move.status());
  const std::unique_ptr<games::State> before = state_->Clone();
  state_->Apply(*move);
  const bool found = state_->phase() != Phase::kChance || DrawUntil(turn.digest(), state_.get());
  if (!found) Draw(AnyDraw(*state_), state_.get());
  LiveStep step{state_->Clone(), *move, frames_.Turn(PlayedOf(turn, *move), *before, *state_)};
  if (state_->phase() == Phase::kOver) step.frame.add_events(v1::FRAME_EVENT_END);
  if (!found) {
    // A match may be over for what no position says, such as the number of its turns.
    step.frame.clear_next_seat();
    step.frame.clear_next_dice();
    step.frame.clear_position();
    (void)Refuse(NotInThisMatch("digest"));
  }
  steps.push_back(std::move(step));
  return steps;
}

absl::StatusOr<std::vector<LiveStep>> LiveMatch::Take(const v1::SeatForfeited& wire) {
  if (!refused_.ok()) return refused_;
  const Seat seat(static_cast<int>(std::min<uint32_t>(wire.seat(), 127)));
  if (seat.index() >= setup_.game->seats()) return Refuse(NotInThisMatch("seat"));
  if (state_ == nullptr) return std::vector<LiveStep>();  // it was not ready: there is no position
  // What was rolled since the forfeit before is not known, and is gone by now.
  if (state_->phase() == Phase::kChance) Draw(AnyDraw(*state_), state_.get());
  if (state_->phase() != Phase::kTurn || state_->forfeited(seat)) {
    return Refuse(NotInThisMatch("seat"));
  }
  state_->Forfeit(seat);
  match::Forfeited forfeit;
  forfeit.seat = seat;
  forfeit.cause = CauseOf(wire.cause());
  forfeit.number = wire.turn();
  forfeit.detail = wire.detail();
  forfeits_.push_back(std::move(forfeit));
  std::vector<LiveStep> steps;
  if (state_->phase() != Phase::kChance) TellForfeits(&steps);
  return steps;
}

absl::Status LiveMatch::Refuse(absl::Status why) {
  refused_ = std::move(why);
  return refused_;
}

// Brings the state to where the turn was played.
absl::Status LiveMatch::Settle(const v1::TurnPlayed& turn, std::vector<LiveStep>* steps) {
  if (state_ == nullptr) {
    if (turn.turn() != 1 || !StartBefore(turn)) return NotInThisMatch("turn");
    steps->push_back({state_->Clone(), games::Move::Pass(), frames_.Start(*state_)});
  }
  if (state_->phase() == Phase::kChance) {
    const std::vector<int> dice(turn.dice().begin(), turn.dice().end());
    if (!CanBeDrawn(*state_, dice)) return NotInThisMatch("dice");
    Draw(dice, state_.get());
    TellForfeits(steps);
  }
  if (state_->phase() != Phase::kTurn) return NotInThisMatch("turn");
  if (static_cast<uint32_t>(state_->seat_to_move().index()) != turn.seat()) {
    return NotInThisMatch("seat");
  }
  if (turn.dice_size() > games::kMaxChanceCount) return NotInThisMatch("dice");
  return absl::OkStatus();
}

absl::StatusOr<games::Move> LiveMatch::MoveOf(const v1::TurnPlayed& turn) const {
  const absl::StatusOr<games::Move> claimed = setup_.game->ParseMove(turn.notation());
  if (!claimed.ok()) return At("notation", claimed.status());
  std::vector<games::Move> legal;
  state_->LegalMoves(&legal);
  const absl::StatusOr<games::Move> move = state_->Resolve(*claimed, legal);
  if (!move.ok()) return At("notation", move.status());
  return *move;
}

// Makes the draw after which the position has the digest; false if there is none.
bool LiveMatch::DrawUntil(uint64_t digest, games::State* state) const {
  const games::Chance chance = state->chance();
  int count = 1;
  for (int i = 0; i < chance.count; ++i) count *= chance.sides;
  const std::unique_ptr<games::State> tried = state->Clone();
  for (int number = 0; number < count; ++number) {
    int outcome[games::kMaxChanceCount];
    for (int i = 0, rest = number; i < chance.count; ++i, rest /= chance.sides) {
      outcome[i] = rest % chance.sides;
    }
    tried->CopyFrom(*state);
    tried->ApplyChance(absl::MakeSpan(outcome, static_cast<size_t>(chance.count)));
    if (tried->phase() == Phase::kChance || dice::Digest(tried->Position()) != digest) continue;
    state->CopyFrom(*tried);
    return true;
  }
  return false;
}

// Makes draws after which the first turn is due; false if there are none to be found. Who begins
// has rolled best, whatever it was, and the position does not tell by how much.
bool LiveMatch::StartBefore(const v1::TurnPlayed& turn) {
  const std::vector<int> dice(turn.dice().begin(), turn.dice().end());
  for (const bool highest : {true, false}) {
    state_ = setup_.game->NewState();
    for (int draws = 0; state_->phase() == Phase::kChance && draws < kMaxDraws; ++draws) {
      const games::Chance chance = state_->chance();
      const auto seat = static_cast<uint32_t>(std::max(0, chance.seat.index()));
      const bool high = (seat == turn.seat()) == highest;
      std::vector<int> drawn(static_cast<size_t>(chance.count), high ? chance.sides : 1);
      if (chance.kind == games::Chance::Kind::kFirstPlayer)
        drawn[0] = static_cast<int>(turn.seat()) + 1;
      if (chance.kind == games::Chance::Kind::kTurnRoll) drawn = dice;
      if (!CanBeDrawn(*state_, drawn)) break;
      Draw(drawn, state_.get());
    }
    const bool due = state_->phase() == Phase::kTurn &&
                     static_cast<uint32_t>(state_->seat_to_move().index()) == turn.seat() &&
                     state_->roll() == absl::MakeConstSpan(dice);
    if (due) return true;
  }
  return false;
}

void LiveMatch::TellForfeits(std::vector<LiveStep>* steps) {
  for (const match::Forfeited& forfeit : forfeits_) {
    steps->push_back({state_->Clone(), games::Move::Pass(), frames_.Forfeit(forfeit, *state_)});
  }
  forfeits_.clear();
  if (state_->phase() == Phase::kOver) steps->back().frame.add_events(v1::FRAME_EVENT_END);
}

}  // namespace referee::view
