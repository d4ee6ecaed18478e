// How a match starts: the bots are made ready, and the key of the dice is settled.
#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/limits.h"
#include "referee/match/match.h"

namespace referee::match {

bool Match::AsksNonces() const {
  return !setup_.dice_source.pinned() && (!in_block() || setup_.block->rotation == 0);
}

bool Match::ready(Seat seat) const {
  const SeatState& state = seats_[seat.index()];
  return !state.resigned && state.said_ready && (state.revealed || !AsksNonces());
}

// --- Events ---

void Match::On(const Begin&) {
  if (stage_ != Stage::kNew) return;
  stage_ = Stage::kReadying;
  ready_deadline_ = TellingFrom() + setup_.time_control.ready;
  for (int i = 0; i < seats(); ++i) TellStartTo(Seat(i));
  GoOnStarting();
}

// A hash may be replaced after another MatchStart: its bot may have lost the nonce with its
// process, and nobody has revealed anything yet.
void Match::On(const ReadyReceived& event) {
  const auto unexpected = [&](absl::string_view why) {
    TellStartFault(event.seat, TellFault::Kind::kUnexpectedReady,
                   absl::FailedPreconditionError(why));
  };
  if (stage_ == Stage::kNew) {
    return unexpected("the match has not been announced; a bot is ready once, after MatchStart");
  }
  SeatState& seat = seats_[event.seat.index()];
  if (seat.said_ready && !seat.asked_ready) {
    return unexpected(
        "the seat is ready already, and its first answer counts; a bot is ready once "
        "after each MatchStart");
  }
  if (stage_ == Stage::kRevealing) {
    return unexpected(
        "the bots have the hashes of the nonces, and no other is taken; a bot is ready before "
        "that");
  }
  if (stage_ != Stage::kReadying) {
    return unexpected("the match has begun or is over; a bot is ready before the first turn, once");
  }
  if (AsksNonces() && !event.nonce_hash) {
    return TellStartFault(
        event.seat, TellFault::Kind::kWrongNonce,
        absl::InvalidArgumentError("ready.nonce_hash: it is missing, and the dice of this match "
                                   "need it; be ready again, with the SHA-256 (32 bytes) of a "
                                   "nonce of 0 to 32 bytes, and reveal the nonce when asked"));
  }
  seat.asked_ready = false;
  seat.said_ready = true;
  if (AsksNonces()) seat.nonce_hash = event.nonce_hash;
  GoOnStarting();
}

void Match::On(const NonceReceived& event) {
  assert(event.nonce.size() <= limits::kMaxNonceBytes);
  const auto unexpected = [&](absl::string_view why) {
    TellStartFault(event.seat, TellFault::Kind::kUnexpectedNonce,
                   absl::FailedPreconditionError(why));
  };
  if (!AsksNonces()) {
    return unexpected(
        "the dice of this match take no nonces: they are pinned, or those of rotation 0 of its "
        "block");
  }
  if (stage_ == Stage::kNew || stage_ == Stage::kReadying) {
    return unexpected(
        "the bots do not have all hashes of nonces yet; reveal the nonce when asked, and not "
        "before");
  }
  SeatState& seat = seats_[event.seat.index()];
  if (seat.revealed) {
    return unexpected("the seat has revealed its nonce; it does so once a match");
  }
  if (stage_ != Stage::kRevealing) {
    return unexpected("the match has begun or is over; a nonce is revealed before the first turn");
  }
  if (!seat.nonce_hash) {
    return unexpected(
        "the seat was not ready in time with the hash of a nonce; its nonce is not taken any more");
  }
  const dice::NonceHash hash = dice::HashNonce(event.nonce);
  if (hash != *seat.nonce_hash) {
    return TellStartFault(event.seat, TellFault::Kind::kWrongNonce,
                          absl::InvalidArgumentError(absl::StrCat(
                              "nonce: its SHA-256 is ", dice::Hex(hash), ", but the bot sent ",
                              dice::Hex(*seat.nonce_hash), "; reveal the nonce of that hash")));
  }
  seat.revealed = true;
  seat.nonce = event.nonce;
  GoOnStarting();
}

void Match::TellStartTo(Seat seat) {
  SeatState& state = seats_[seat.index()];
  state.asked_ready = stage_ == Stage::kReadying;
  effects_.emplace_back(TellStart{seat});
  if (stage_ == Stage::kRevealing && IsAwaited(state)) effects_.emplace_back(AskNonce{seat});
}

void Match::TellStartFault(Seat seat, TellFault::Kind kind, const absl::Status& problem) {
  effects_.emplace_back(TellFault{seat, kind, 0, std::string(problem.message())});
}

// --- From readiness to the key ---

bool Match::IsAwaited(const SeatState& seat) const {
  if (seat.resigned) return false;
  return stage_ == Stage::kRevealing ? seat.nonce_hash && !seat.revealed : !seat.said_ready;
}

// A resignation counts at once, and is carried out as soon as there is a position.
void Match::ResignAtStart(Seat seat) {
  due_forfeits_.insert(due_forfeits_.begin(),
                       {seat, Cause::kResigned, ResignedText(seat, "before the first turn")});
  GoOnStarting();
}

std::string Match::ResignedText(Seat seat, absl::string_view when) const {
  const std::string& why = seats_[seat.index()].resigned_why;
  return absl::StrCat("resigned ", when, why.empty() ? "" : ": ", why);
}

void Match::GoOnStarting() {
  if (stage_ == Stage::kNew || key_) return;
  const auto stays = [](const SeatState& seat) { return !seat.resigned; };
  if (!decided_ && std::count_if(seats_.begin(), seats_.end(), stays) <= 1) {
    decided_ = true;
    SettleDecided();
  }
  const auto awaited = [this](const SeatState& seat) { return IsAwaited(seat); };
  if (key_ || std::any_of(seats_.begin(), seats_.end(), awaited)) return;
  if (stage_ == Stage::kReadying) {
    EndReadying();
  } else if (stage_ == Stage::kRevealing) {
    EndRevealing();
  }
}

// In this match the dice decide nothing any more. In a block they do in those that are not decided,
// so rotation 0 goes on collecting nonces until all are.
void Match::SettleDecided() {
  if (setup_.dice_source.pinned()) return StartAndGoOn({}, {});
  if (!in_block()) return StartAndGoOn(OwnNonces(), ToldHashes());
  if (!AsksNonces()) stage_ = Stage::kStarting;
  AwaitNoncesOfBlock();
}

void Match::EndReadying() {
  const auto stays_ready = [](const SeatState& s) { return s.said_ready && !s.resigned; };
  const bool any = std::any_of(seats_.begin(), seats_.end(), stays_ready);
  if (!any && !decided_) {
    return EndWithout(
        Ending::kCancelled,
        absl::StrCat("no bot was ready within ", absl::FormatDuration(setup_.time_control.ready)));
  }
  if (AsksNonces()) return any ? AskNonces() : StartAndGoOn(OwnNonces(), ToldHashes());
  QueueAbsentSeats();
  if (setup_.dice_source.pinned()) return StartAndGoOn({}, {});
  stage_ = Stage::kStarting;
  AwaitNoncesOfBlock();
}

void Match::AwaitNoncesOfBlock() {
  awaits_nonces_ = true;
  effects_.emplace_back(AwaitNonces{decided_});
}

// From here on no hash can be chosen any more, and only now may a nonce be seen by anyone.
void Match::AskNonces() {
  stage_ = Stage::kRevealing;
  ready_deadline_ = TellingFrom() + setup_.time_control.ready;
  for (const SeatState& seat : seats_) nonce_hashes_.push_back(seat.nonce_hash);
  for (int i = 0; i < seats(); ++i) {
    if (IsAwaited(seats_[i])) effects_.emplace_back(AskNonce{Seat(i)});
  }
}

void Match::EndRevealing() {
  const auto stays_ready = [](const SeatState& s) { return s.revealed && !s.resigned; };
  if (!decided_ && std::none_of(seats_.begin(), seats_.end(), stays_ready)) {
    return EndWithout(Ending::kCancelled,
                      absl::StrCat("no bot revealed its nonce within ",
                                   absl::FormatDuration(setup_.time_control.ready)));
  }
  if (!decided_) QueueAbsentSeats();
  StartAndGoOn(OwnNonces(), ToldHashes());
}

std::vector<std::string> Match::OwnNonces() const {
  std::vector<std::string> nonces;
  for (const SeatState& seat : seats_) nonces.push_back(seat.nonce);
  return nonces;
}

std::vector<absl::optional<dice::NonceHash>> Match::ToldHashes() const {
  if (!nonce_hashes_.empty()) return nonce_hashes_;
  return std::vector<absl::optional<dice::NonceHash>>(seats_.size());
}

void Match::StartAndGoOn(std::vector<std::string> nonces,
                         std::vector<absl::optional<dice::NonceHash>> nonce_hashes) {
  awaits_nonces_ = false;
  Start(std::move(nonces), std::move(nonce_hashes));
  GoOn();
}

void Match::Start(std::vector<std::string> nonces,
                  std::vector<absl::optional<dice::NonceHash>> nonce_hashes) {
  key_ = setup_.dice_source.pinned() ? dice::PinnedKey(seed_) : dice::CommittedKey(seed_, nonces);
  nonces_ = nonces;
  nonce_hashes_ = nonce_hashes;
  Write(Started{reading_.wall, std::move(nonces), std::move(nonce_hashes)});
  DrawChance();
  stage_ = state_->phase() == games::Phase::kChance ? Stage::kStarting : Stage::kPlaying;
}

// --- Who was not ready ---

// Those who never came go before those who came and resigned, and so rank below them.
void Match::QueueAbsentSeats() {
  for (int i = seats() - 1; i >= 0; --i) {
    const SeatState& seat = seats_[i];
    if (ready(Seat(i)) || seat.resigned) continue;
    const Cause cause = seat.linked() ? Cause::kTimeout : Cause::kDisconnected;
    due_forfeits_.push_back({Seat(i), cause, WhyAbsent(seat)});
  }
}

std::string Match::WhyAbsent(const SeatState& seat) const {
  return absl::StrCat(
      seat.said_ready ? "did not reveal its nonce within " : "was not ready within ",
      absl::FormatDuration(setup_.time_control.ready),
      seat.linked() ? "" : ", its link being lost");
}

}  // namespace referee::match
