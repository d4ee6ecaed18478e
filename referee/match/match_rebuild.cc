// Rebuilds a match from its records in the log.
#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/match/match.h"

namespace referee::match {
namespace {

absl::Status RecordsDisagree(uint32_t turn, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat("turn ", turn, ": ", problem));
}

absl::string_view EndingOfNoContest() {
  return "the referee itself had stood still in a turn that ran out of time, and was then stopped";
}

}  // namespace

absl::Status Match::Rebuild(absl::Span<const Record> records) {
  stage_ = Stage::kReadying;
  for (const Record& record : records) {
    const absl::Status redone =
        std::visit([this](const auto& known) { return Redo(known); }, record);
    if (!redone.ok()) return redone;
    CountTime(record, &times_);
  }
  effects_.clear();
  legal_.clear();      // nobody is asked yet
  released_ = shown_;  // and no roll is shown that is not in the log
  return absl::OkStatus();
}

// The start's draws are made anew; Redo(Drawn) strikes off those that the log has.
absl::Status Match::Redo(const Started& started) {
  if (stage_ != Stage::kReadying) return RecordsDisagree(turn_, "the match starts twice");
  for (SeatState& seat : seats_) {
    seat.said_ready = true;
    seat.revealed = true;
  }
  effects_.clear();
  Start(started.nonces, started.nonce_hashes);
  for (const Effect& effect : effects_) {
    const Record& record = std::get<Record>(effect);
    if (std::holds_alternative<Drawn>(record)) missing_.push_back(record);
  }
  effects_.clear();
  return absl::OkStatus();
}

absl::Status Match::Redo(const Drawn& drawn) {
  if (missing_.empty()) return RecordsDisagree(turn_, "there is a draw too many");
  const Drawn& due = std::get<Drawn>(missing_.front());
  if (due.kind != drawn.kind || due.round != drawn.round || due.seat != drawn.seat ||
      !(due.roll == drawn.roll)) {
    return RecordsDisagree(turn_, "a draw is not that of the seed");
  }
  missing_.erase(missing_.begin());
  return absl::OkStatus();
}

// Whatever follows the start in the log followed on the first roll, and is there with the roll
// that it led to.
void Match::RedoFirstRoll() {
  released_ = kNeverRolls;
  if (stage_ != Stage::kStarting) return;
  DrawChance();
  effects_.clear();
  stage_ = Stage::kPlaying;
}

absl::Status Match::Redo(const Played& played) {
  RedoFirstRoll();
  if (stage_ != Stage::kPlaying || state_->phase() != games::Phase::kTurn ||
      played.number != turn_ || played.seat != state_->seat_to_move()) {
    return RecordsDisagree(played.number, "it was not due");
  }
  state_->LegalMoves(&legal_);
  if (!std::binary_search(legal_.begin(), legal_.end(), played.move)) {
    return RecordsDisagree(played.number, "its move is illegal");
  }
  Count(played);
  state_->Apply(played.move);
  effects_.clear();
  DrawChance();
  ++turn_;
  last_turn_ = played;
  return CheckDigest(played.digest);
}

absl::Status Match::Redo(const Faulted& faulted) {
  RedoFirstRoll();
  SeatState& seat = seats_[faulted.seat.index()];
  if (faulted.cause == Cause::kTimeout) {
    seat.used += faulted.used;
    used_ += faulted.used;
  } else {
    ++tries_;
  }
  return absl::OkStatus();
}

absl::Status Match::Redo(const Forfeited& forfeited) {
  RedoFirstRoll();
  if (stage_ != Stage::kPlaying || state_->phase() == games::Phase::kOver ||
      state_->forfeited(forfeited.seat)) {
    return RecordsDisagree(forfeited.number, "the seat cannot forfeit");
  }
  const Seat mover = state_->seat_to_move();
  if (forfeited.seat == mover) tries_ = 0;
  lengthened_ = LengthensTurn(forfeited, mover);
  used_ += forfeited.used;
  state_->Forfeit(forfeited.seat);
  effects_.clear();
  DrawChance();
  forfeits_.push_back(forfeited);
  return CheckDigest(forfeited.digest);
}

absl::Status Match::Redo(const NoContest&) {
  contested_ = true;
  return absl::OkStatus();
}

absl::Status Match::Redo(const Resumed&) {
  lengthened_ = false;
  return absl::OkStatus();
}

absl::Status Match::Redo(const Ended&) {
  return RecordsDisagree(turn_, "the match is over and cannot go on");
}

absl::Status Match::CheckDigest(uint64_t digest) {
  if (dice::Digest(position_) == digest) return absl::OkStatus();
  return RecordsDisagree(turn_, "the position before it is not that of its record");
}

// --- Going on ---

void Match::On(const Resume& event) {
  if (stage_ == Stage::kNew || stage_ == Stage::kOver) return;
  for (Record& record : missing_) effects_.emplace_back(std::move(record));
  missing_.clear();
  Write(Resumed{reading_.wall});
  lengthened_ = false;
  for (SeatState& seat : seats_) seat.link_lost = when_;
  if (contested_) return EndWithout(Ending::kVoid, std::string(EndingOfNoContest()));
  if (stage_ == Stage::kReadying) {
    ready_deadline_ = TellingFrom() + (event.limit + setup_.time_control.ready);
  } else if (state_->phase() == games::Phase::kOver) {
    Finish();
  } else {
    resume_deadline_ = TellingFrom() + event.limit;
    resume_limit_ = event.limit;
  }
}

bool Match::EveryPlayerLinked() const {
  for (int i = 0; i < seats(); ++i) {
    if (!seats_[i].linked() && !state_->forfeited(Seat(i))) return false;
  }
  return true;
}

bool Match::NobodyLinked() const {
  return std::none_of(seats_.begin(), seats_.end(), [](const SeatState& s) { return s.linked(); });
}

void Match::Thaw() {
  resume_deadline_ = Instant::InfiniteFuture();
  if (NobodyLinked()) {
    return EndWithout(Ending::kVoid,
                      absl::StrCat("no bot came back within ", absl::FormatDuration(resume_limit_),
                                   " after the referee was started again"));
  }
  GoOn();
}

}  // namespace referee::match
