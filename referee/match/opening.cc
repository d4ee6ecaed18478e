#include "referee/match/opening.h"

#include <cassert>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee::match {

Stage Opening::stage() const {
  if (conclusion_.ended()) return Stage::kOver;
  if (!parts_.position.key()) return stage_;
  return parts_.position.started() ? Stage::kPlaying : Stage::kStarting;
}

bool Opening::Waits() const { return stage() == Stage::kReadying || stage() == Stage::kRevealing; }

bool Opening::WaitsForEntry() const {
  for (size_t i = 0; i < seats_.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    if (parts_.links.waits_for_entry(seat) && !parts_.forfeits.resigned(seat)) return true;
  }
  return false;
}

bool Opening::WaitsFor(Seat seat) const {
  return Waits() && !parts_.forfeits.resigned(seat) && Owes(seats_[seat.index()]);
}

bool Opening::AsksNonces() const {
  const Setup& setup = parts_.setup;
  return !setup.dice_source.pinned() && (!setup.block || setup.block->rotation == 0);
}

bool Opening::ready(Seat seat) const {
  const SeatState& state = seats_[seat.index()];
  return !parts_.forfeits.resigned(seat) && state.said_ready && (state.revealed || !AsksNonces());
}

// --- Events ---

void Opening::Begin() {
  if (stage() != Stage::kNew) return;
  stage_ = Stage::kReadying;
  SetDeadline(absl::ZeroDuration());
  for (int i = 0; i < parts_.setup.game->seats(); ++i) TellStartTo(Seat(i));
  GoOn();
}

// A bot may replace its hash after another MatchStart: its process may have restarted and lost the
// nonce. That is safe, since no nonce is revealed yet.
void Opening::TakeReady(const ReadyReceived& event) {
  SeatState& seat = seats_[event.seat.index()];
  absl::string_view unexpected;
  if (stage() == Stage::kNew) {
    unexpected = "the match has not been announced; a bot is ready once, after MatchStart";
  } else if (seat.said_ready && !seat.asked_ready) {
    unexpected =
        "the seat is ready already, and its first answer counts; a bot is ready once "
        "after each MatchStart";
  } else if (stage() == Stage::kRevealing) {
    unexpected =
        "the bots have the hashes of the nonces, and no other is taken; a bot is ready before "
        "that";
  } else if (stage() != Stage::kReadying) {
    unexpected = "the match has begun or is over; a bot is ready before the first turn, once";
  }
  if (!unexpected.empty()) {
    return TellFaultTo(event.seat, TellFault::Kind::kUnexpectedReady, unexpected);
  }
  if (AsksNonces() && !event.nonce_hash) {
    return TellFaultTo(event.seat, TellFault::Kind::kWrongNonce,
                       "ready.nonce_hash: it is missing, and the dice of this match need it; be "
                       "ready again, with the SHA-256 (32 bytes) of a nonce of 0 to 32 bytes, and "
                       "reveal the nonce when asked");
  }
  seat.asked_ready = false;
  seat.said_ready = true;
  if (AsksNonces()) seat.nonce_hash = event.nonce_hash;
  GoOn();
}

void Opening::TakeNonce(const NonceReceived& event) {
  assert(event.nonce.size() <= limits::kMaxNonceBytes);
  SeatState& seat = seats_[event.seat.index()];
  absl::string_view unexpected;
  if (!AsksNonces()) {
    unexpected =
        "the dice of this match take no nonces: they are pinned, or those of rotation 0 of its "
        "block";
  } else if (stage() == Stage::kNew || stage() == Stage::kReadying) {
    unexpected =
        "the bots do not have all hashes of nonces yet; reveal the nonce when asked, and not "
        "before";
  } else if (seat.revealed) {
    unexpected = "the seat has revealed its nonce; it does so once a match";
  } else if (stage() != Stage::kRevealing) {
    unexpected = "the match has begun or is over; a nonce is revealed before the first turn";
  } else if (!seat.nonce_hash) {
    unexpected =
        "the seat was not ready in time with the hash of a nonce; its nonce is not taken any more";
  }
  if (!unexpected.empty()) {
    return TellFaultTo(event.seat, TellFault::Kind::kUnexpectedNonce, unexpected);
  }
  const dice::NonceHash hash = dice::HashNonce(event.nonce);
  if (hash != *seat.nonce_hash) {
    return TellFaultTo(
        event.seat, TellFault::Kind::kWrongNonce,
        absl::StrCat("nonce: its SHA-256 is ", dice::Hex(hash), ", but the bot sent ",
                     dice::Hex(*seat.nonce_hash), "; reveal the nonce of that hash"));
  }
  seat.revealed = true;
  seat.nonce = event.nonce;
  GoOn();
}

void Opening::TellFaultTo(Seat seat, TellFault::Kind kind, absl::string_view problem) {
  parts_.step.effects.emplace_back(TellFault{seat, kind, 0, std::string(problem)});
}

void Opening::TellStartTo(Seat seat) {
  seats_[seat.index()].asked_ready = stage() == Stage::kReadying;
  parts_.step.effects.emplace_back(TellStart{seat});
  if (stage() == Stage::kRevealing) AskNonceOf(seat);
}

void Opening::AskNonceOf(Seat seat) {
  if (parts_.forfeits.resigned(seat) || !Owes(seats_[seat.index()])) return;
  parts_.step.effects.emplace_back(AskNonce{seat});
}

// --- From readiness to the key ---

bool Opening::Owes(const SeatState& seat) const {
  return stage() == Stage::kRevealing ? seat.nonce_hash && !seat.revealed : !seat.said_ready;
}

template <typename Is>
int Opening::CountStaying(Is is) const {
  int count = 0;
  for (int i = 0; i < parts_.setup.game->seats(); ++i) {
    if (!parts_.forfeits.resigned(Seat(i)) && is(seats_[i])) ++count;
  }
  return count;
}

bool Opening::CheckTime() {
  if (parts_.step.when < deadline()) return false;
  stage() == Stage::kReadying ? EndReadying() : EndRevealing();
  return true;
}

void Opening::GoOn() {
  if (stage_ == Stage::kNew || parts_.position.key()) return;
  if (!decided_ && CountStaying([](const SeatState&) { return true; }) <= 1) {
    decided_ = true;
    SettleDecided();
  }
  const auto owes = [this](const SeatState& seat) { return Owes(seat); };
  if (parts_.position.key() || CountStaying(owes) > 0) return;
  if (stage() == Stage::kReadying) {
    EndReadying();
  } else if (stage() == Stage::kRevealing) {
    EndRevealing();
  }
}

void Opening::GoOnAfterEntry() {
  if (Waits() && !WaitsForEntry()) SetDeadline(absl::ZeroDuration());
}

// The dice do not matter for this match any more. Other matches of the block may still need them,
// so rotation 0 goes on collecting nonces until all matches are decided.
void Opening::SettleDecided() {
  if (parts_.setup.dice_source.pinned() || !parts_.setup.block) return Start();
  if (!AsksNonces()) stage_ = Stage::kStarting;
  AwaitNoncesOfBlock();
}

void Opening::EndReadying() {
  const bool any = CountStaying([](const SeatState& seat) { return seat.said_ready; }) > 0;
  if (!any && !decided_) {
    return conclusion_.EndWithout(
        Ending::kCancelled, absl::StrCat("no bot was ready within ",
                                         absl::FormatDuration(parts_.setup.time_control.ready)));
  }
  if (AsksNonces()) return any ? AskNonces() : Start();
  QueueAbsentSeats();
  if (parts_.setup.dice_source.pinned()) return Start();
  stage_ = Stage::kStarting;
  AwaitNoncesOfBlock();
}

void Opening::AwaitNoncesOfBlock() {
  awaits_nonces_ = true;
  parts_.step.effects.emplace_back(AwaitNonces{decided_});
}

// From here on no hash can change, and only now may any bot see a nonce.
void Opening::AskNonces() {
  stage_ = Stage::kRevealing;
  SetDeadline(absl::ZeroDuration());
  for (const SeatState& seat : seats_) told_hashes_.push_back(seat.nonce_hash);
  for (int i = 0; i < parts_.setup.game->seats(); ++i) AskNonceOf(Seat(i));
}

void Opening::EndRevealing() {
  const auto revealed = [](const SeatState& seat) { return seat.revealed; };
  if (!decided_ && CountStaying(revealed) == 0) {
    return conclusion_.EndWithout(
        Ending::kCancelled, absl::StrCat("no bot revealed its nonce within ",
                                         absl::FormatDuration(parts_.setup.time_control.ready)));
  }
  if (!decided_) QueueAbsentSeats();
  Start();
}

void Opening::Settle(const NoncesSettled& event) {
  if (conclusion_.ended() || !awaits_nonces_) return;
  // Rotation 0 gets this event only when no match of the block needs its dice any more.
  if (AsksNonces()) return Start();
  StartWith(event.nonces, event.nonce_hashes);
}

// Starts with the nonces of this match's own bots, or with pinned dice.
void Opening::Start() {
  if (parts_.setup.dice_source.pinned()) return StartWith({}, {});
  std::vector<std::string> nonces;
  for (const SeatState& seat : seats_) nonces.push_back(seat.nonce);
  told_hashes_.resize(seats_.size());
  StartWith(std::move(nonces), told_hashes_);
}

void Opening::StartWith(std::vector<std::string> nonces,
                        std::vector<absl::optional<dice::NonceHash>> nonce_hashes) {
  awaits_nonces_ = false;
  turns_.Start(std::move(nonces), std::move(nonce_hashes));
  turns_.GoOn();
}

// Seats that were not ready in time forfeit before seats that resigned, and so rank below them.
void Opening::QueueAbsentSeats() {
  for (int i = static_cast<int>(seats_.size()) - 1; i >= 0; --i) {
    const Seat seat(i);
    if (ready(seat) || parts_.forfeits.resigned(seat)) continue;
    const bool linked = parts_.links.linked(seat);
    parts_.forfeits.QueueFirst(
        {seat, linked ? Cause::kTimeout : Cause::kDisconnected,
         absl::StrCat(
             seats_[i].said_ready ? "did not reveal its nonce within " : "was not ready within ",
             absl::FormatDuration(parts_.setup.time_control.ready),
             linked ? "" : ", its link being lost")});
  }
}

// --- After a restart ---

void Opening::Restore(bool started) {
  stage_ = Stage::kReadying;
  for (SeatState& seat : seats_) seat.said_ready = seat.revealed = started;
}

void Opening::SetDeadline(absl::Duration more) {
  deadline_ = parts_.step.told_at() + (more + parts_.setup.time_control.ready);
}

}  // namespace referee::match
