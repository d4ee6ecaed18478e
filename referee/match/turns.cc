#include "referee/match/turns.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/match/errors.h"

namespace referee::match {

Seat Turns::mover() const {
  const bool plays = parts_.position.started() && !conclusion_.ended() && !withheld_;
  return plays ? parts_.position.state().seat_to_move() : Seat::None();
}

void Turns::Start(std::vector<std::string> nonces,
                  std::vector<absl::optional<dice::NonceHash>> nonce_hashes) {
  const dice::Key key = parts_.setup.dice_source.pinned() ? dice::PinnedKey(parts_.seed)
                                                          : dice::CommittedKey(parts_.seed, nonces);
  parts_.started = Started{parts_.step.reading.wall, std::move(nonces), std::move(nonce_hashes)};
  parts_.step.Write(*parts_.started);
  parts_.position.Start(key);
}

void Turns::GoOn() {
  Position& position = parts_.position;
  while (!withheld_) {
    if (position.over()) return conclusion_.Finish();
    if (const auto roll = position.Withheld()) return Await(*roll);
    if (ForfeitNext()) continue;
    position.FindLegal();
    if (position.legal().size() > 1 || !position.legal().front().is_pass()) return Ask();
    Play(games::Move::Pass(), absl::ZeroDuration(), {}, {});
  }
}

void Turns::Ask() {
  if (parts_.links.awaited()) return;
  const Seat seat = parts_.position.state().seat_to_move();
  parts_.step.effects.emplace_back(AskTurn{seat});
  if (seat == parts_.clocks.asked()) {
    parts_.step.asked = !parts_.clocks.turn().offered();
    return parts_.clocks.turn().SetLimit(parts_.clocks.MoveLimit(seat));
  }
  parts_.step.asked = true;
  parts_.clocks.Ask(seat, parts_.links.lost(seat), parts_.links.entry_gone(seat));
}

void Turns::Offer(const RequestOffered& event) {
  if (!StartsClock(event.seat, event.turn, event.request)) return;
  parts_.clocks.turn().Offer(parts_.step.when);
}

void Turns::Hand(const RequestSent& event) {
  if (!StartsClock(event.seat, event.turn, event.request)) return;
  parts_.clocks.Hand(event.round_trip, event.offered);
}

// --- Moves ---

void Turns::Play(games::Move move, absl::Duration used, const absl::optional<Timing>& timing,
                 absl::optional<Cause> substituted) {
  const games::State& state = parts_.position.state();
  Played played;
  played.number = number_;
  played.seat = state.seat_to_move();
  played.roll = Roll(state.roll());
  played.move = move;
  played.legal_count = static_cast<uint32_t>(parts_.position.legal().size());
  played.used = used;
  played.timing = timing;
  played.substituted = substituted;
  parts_.clocks.Stop();
  if (const auto roll = parts_.position.WithheldAfter(move)) return Withhold(played, *roll);
  Carry(std::move(played));
}

void Turns::Carry(Played played) {
  played.bank_left = Apply(played);
  played.digest = parts_.position.digest();
  last_ = played;
  parts_.step.Write(played);
}

absl::Duration Turns::Apply(const Played& played) {
  last_played_[played.seat.index()] = played.number;
  const absl::Duration bank_left = parts_.clocks.Count(played);
  parts_.faults.Count(played);
  parts_.position.Play(played.move);
  ++number_;
  return bank_left;
}

void Turns::Redo(const Played& played) {
  Apply(played);
  last_ = played;
}

// --- Forfeits ---

bool Turns::ForfeitNext() {
  if (const Seat mover = parts_.forfeits.at_cap(); mover.valid()) {
    const Seat slowest = SlowestSeat(mover);
    Forfeit(
        slowest, Cause::kTimeout,
        absl::StrCat("the match's time of ", absl::FormatDuration(parts_.setup.time_control.match),
                     " is used up, and this seat has used ",
                     Milliseconds(parts_.clocks.used(slowest)), ", the most of those left"));
    return true;
  }
  while (absl::optional<Forfeits::Due> due = parts_.forfeits.TakeNext()) {
    if (parts_.position.state().forfeited(due->seat)) continue;
    if (due->detail.empty()) {
      due->detail = parts_.forfeits.ResignedText(due->seat, absl::StrCat("in turn ", number_));
    }
    Forfeit(due->seat, due->cause, std::move(due->detail));
    return true;
  }
  return false;
}

Seat Turns::SlowestSeat(Seat mover) const {
  const games::State& state = parts_.position.state();
  Seat slowest = state.forfeited(mover) ? Seat::None() : mover;
  for (int i = 0; i < parts_.setup.game->seats(); ++i) {
    if (state.forfeited(Seat(i))) continue;
    const bool slower =
        !slowest.valid() || parts_.clocks.used(Seat(i)) > parts_.clocks.used(slowest);
    if (slower) slowest = Seat(i);
  }
  return slowest;
}

// Another seat that is to move keeps its dice and its clock. Ask sends it a new request, for the
// new position, which replaces the current request.
void Turns::Forfeit(Seat seat, Cause cause, std::string detail) {
  Clocks& clocks = parts_.clocks;
  Forfeited forfeited;
  forfeited.seat = seat;
  forfeited.cause = cause;
  forfeited.number = number_;
  forfeited.detail = std::move(detail);
  forfeited.interrupts_turn = clocks.asked().valid() && seat != clocks.asked();
  if (seat == clocks.asked()) {
    forfeited.used = clocks.Used();
    forfeited.timing = clocks.TimingNow();
    clocks.Stop();
  }
  if (const auto roll = parts_.position.WithheldAfter(seat)) {
    Withhold(std::move(forfeited), *roll);
    return clocks.Stop();
  }
  Carry(std::move(forfeited));
}

void Turns::Carry(Forfeited forfeited) {
  Apply(forfeited);
  forfeited.digest = parts_.position.digest();
  parts_.forfeits.Add(forfeited);
  parts_.step.Write(std::move(forfeited));
}

void Turns::Apply(const Forfeited& forfeited) {
  const Seat mover = parts_.position.state().seat_to_move();
  parts_.faults.Count(forfeited, mover);
  parts_.clocks.Count(forfeited, mover);
  parts_.position.Forfeit(forfeited.seat);
}

void Turns::Redo(const Forfeited& forfeited) {
  Apply(forfeited);
  parts_.forfeits.Add(forfeited);
}

// --- What a block withholds ---

void Turns::Withhold(Decision decision, int64_t roll) {
  withheld_ = std::move(decision);
  parts_.position.ClearLegal();
  Await(roll);
}

void Turns::Await(int64_t roll) {
  if (roll == awaited_) return;  // asked for already
  awaited_ = roll;
  parts_.step.effects.emplace_back(AwaitRoll{roll});
}

void Turns::Release(int64_t roll) {
  if (conclusion_.ended() || roll != awaited_) return;
  awaited_ = kNoRoll;
  parts_.position.Release(roll);
  if (absl::optional<Decision> decision = std::exchange(withheld_, absl::nullopt)) {
    std::visit([this](auto& known) { Carry(std::move(known)); }, *decision);
  }
  GoOn();
}

}  // namespace referee::match
