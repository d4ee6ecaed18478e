#include "referee/match/errors.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"

namespace referee::match {
namespace {

std::string DueTurn(uint32_t due, Seat mover) {
  if (!mover.valid()) return "no move is waited for now";
  return absl::StrCat("due is turn ", due, ", of seat ", std::string(1, mover.letter()));
}

// "208 ms", or "412 us" of less than one.
std::string RoughText(absl::Duration duration) {
  if (duration < absl::Milliseconds(1)) {
    return absl::StrCat(absl::ToInt64Microseconds(duration), " us");
  }
  return absl::StrCat(absl::ToInt64Milliseconds(duration), " ms");
}

}  // namespace

absl::Status UnlimitedTime() {
  return absl::InvalidArgumentError(
      "time control: no limit at all; give a time per move (500ms), a bank (none+60s) or a time "
      "for the whole match (none,match=10m)");
}

absl::Status IncrementWithoutBank(absl::string_view increment) {
  return absl::InvalidArgumentError(
      absl::StrCat("time control, increment: ", Quoted(increment),
                   " has no bank to go to; give a bank (500ms+60s+1s) or no increment"));
}

absl::Status MoveBeforeStart(uint32_t turn) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ": the match has not begun; wait until the bot is asked for a turn"));
}

absl::Status MoveAfterEnd(uint32_t turn) {
  return absl::FailedPreconditionError(
      absl::StrCat("turn ", turn, ": the match is over; no more moves are taken"));
}

absl::Status MoveAfterForfeit(uint32_t turn, uint32_t due, Seat mover) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ": the seat has forfeited and moves no more; ", DueTurn(due, mover)));
}

absl::Status MoveRepeated(uint32_t turn, uint32_t due, Seat mover) {
  return absl::FailedPreconditionError(
      absl::StrCat("turn ", turn, ": the move is a repeated one, the first of this turn has been ",
                   "played; ", DueTurn(due, mover)));
}

absl::Status MoveTooLate(uint32_t turn, uint32_t due, Seat mover) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ": the move is too late, the turn has passed; ", DueTurn(due, mover)));
}

absl::Status MoveLate(uint32_t turn, absl::Duration late, absl::Duration limit,
                      absl::string_view outcome) {
  return absl::FailedPreconditionError(absl::StrCat("turn ", turn, ": the move is late: it came ",
                                                    RoughText(late), " after the limit of ",
                                                    RoughText(limit), "; ", outcome));
}

absl::Status MoveNotAsked(uint32_t turn, uint32_t due, Seat mover) {
  return absl::FailedPreconditionError(
      absl::StrCat("turn ", turn, ": the seat was not asked for this turn; ", DueTurn(due, mover)));
}

absl::Status MoveReplaced(uint32_t turn, uint32_t request, uint32_t due) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ", request ", request, ": another seat's forfeit has changed the position, ",
      "and the move is passed over at no cost; answer request ", due,
      " of the turn, which has its whole time"));
}

absl::Status MoveToNoRequest(uint32_t turn, uint32_t request, uint32_t due) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ", request ", request, ": the seat was not asked by this request; due is ",
      "request ", due, " (a reply repeats the number of its request)"));
}

absl::Status ReadyUnasked() {
  return absl::FailedPreconditionError(
      "the match has not been announced; a bot is ready once, after the start was told");
}

absl::Status ReadyTwice() {
  return absl::FailedPreconditionError(
      "the seat is ready already, and its first answer counts; a bot is ready once, each time that "
      "the start was told");
}

absl::Status ReadyAfterHashes() {
  return absl::FailedPreconditionError(
      "the hashes of the nonces have been told, and no other is taken; a bot is ready before that");
}

absl::Status ReadyAfterStart() {
  return absl::FailedPreconditionError(
      "the match has begun or is over; a bot is ready before the first turn, once");
}

absl::Status ReadyWithoutHash() {
  return absl::InvalidArgumentError(
      "ready.nonce_hash: it is missing, and the dice of this match need it; be ready again, with "
      "the SHA-256 (32 bytes) of a nonce of 0 to 32 bytes, and reveal the nonce when asked");
}

absl::Status NonceBeforeHashes() {
  return absl::FailedPreconditionError(
      "the hashes of all nonces have not been told yet; reveal the nonce when asked, and not "
      "before");
}

absl::Status NonceWithoutHash() {
  return absl::FailedPreconditionError(
      "the seat was not ready in time with the hash of a nonce; its nonce is not taken any more");
}

absl::Status NonceTwice() {
  return absl::FailedPreconditionError("the seat has revealed its nonce; it does so once a match");
}

absl::Status NonceAfterStart() {
  return absl::FailedPreconditionError(
      "the match has begun or is over; a nonce is revealed before the first turn");
}

absl::Status NonceNotAsked() {
  return absl::FailedPreconditionError(
      "the dice of this match take no nonces: they are pinned, or those of rotation 0 of its "
      "block");
}

absl::Status NonceUnlikeHash(absl::string_view hash, absl::string_view told) {
  return absl::InvalidArgumentError(absl::StrCat("nonce: its SHA-256 is ", hash,
                                                 ", but the bot has told ", told,
                                                 "; reveal the nonce that it told the hash of"));
}

absl::Status RecordsDisagree(uint32_t turn, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat("turn ", turn, ": ", problem));
}

}  // namespace referee::match
