// Errors of matches and of the host that runs them. See errors.h.

#include "referee/base/errors.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace referee {
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

namespace {

std::string DueTurn(uint32_t due, Seat mover) {
  if (!mover.valid()) return "no move is waited for now";
  return absl::StrCat("due is turn ", due, ", of seat ", std::string(1, mover.letter()));
}

}  // namespace

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

absl::Status MoveNotAsked(uint32_t turn, uint32_t due, Seat mover) {
  return absl::FailedPreconditionError(
      absl::StrCat("turn ", turn, ": the seat was not asked for this turn; ", DueTurn(due, mover)));
}

absl::Status MoveReplaced(uint32_t turn, uint32_t request, uint32_t due) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ", request ", request, ": another seat's forfeit has changed the position, ",
      "and the move is passed over at no cost; answer request ", due,
      " of the turn, which has its ", "whole time"));
}

absl::Status MoveToNoRequest(uint32_t turn, uint32_t request, uint32_t due) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ", request ", request, ": the seat was not asked by this ",
      "request; due is request ", due, " (a reply repeats the number of its request)"));
}

absl::Status ReadyUnasked() {
  return absl::FailedPreconditionError(
      "the match has not been announced; a bot is ready once, after the start was told");
}

absl::Status ReadyTwice() {
  return absl::FailedPreconditionError(
      "the seat is ready already, and its first nonce counts; a bot is ready once a match");
}

absl::Status ReadyAfterStart() {
  return absl::FailedPreconditionError(
      "the match has begun or is over; a bot is ready before the first turn, once");
}

absl::Status JournalDisagrees(uint32_t turn, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat("turn ", turn, ": ", problem));
}

absl::Status WrongNumberOfBots(size_t given, int seats) {
  return absl::InvalidArgumentError(
      absl::StrCat("bots: ", given, " given; the match has ", seats, " seats, one bot each"));
}

absl::Status BotTwiceInMatch(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("bots: ", Quoted(name),
                   " stands there twice; a bot has one seat in a match (give a second copy a name "
                   "and token of its own)"));
}

absl::Status BotTakesTooFewMatches(absl::string_view name, int takes, int needed) {
  return absl::FailedPreconditionError(absl::StrCat(
      "bot ", Quoted(name), " takes ", takes, takes == 1 ? " match" : " matches",
      " at once; the block has ", needed,
      ", which are played side by side (let it connect with max_matches of ", needed, " or more)"));
}

absl::Status UnknownBot(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat(
      "bot ", Quoted(name), ": the referee knows no bot of this name; 'refctl bot add' makes one"));
}

absl::Status UnknownMatch(absl::string_view match_id) {
  return absl::NotFoundError(absl::StrCat(
      "match ", Quoted(match_id),
      ": neither open nor among those that ended lately; its replay may be in the archive"));
}

absl::Status MatchIsOver(absl::string_view match_id) {
  return absl::FailedPreconditionError(absl::StrCat("match ", Quoted(match_id), " is over"));
}

absl::Status RequestIdReused(absl::string_view request_id) {
  return absl::AlreadyExistsError(
      absl::StrCat("request_id ", Quoted(request_id),
                   ": used before for a match with other content; take a new one"));
}

absl::Status TooManyOpenMatches(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " matches are open, the most that are; try again when some are over"));
}

absl::Status RefereeStopping() {
  return absl::UnavailableError("the referee is stopping; try again when it has started again");
}

absl::Status LinkTakenOver(absl::string_view name) {
  return absl::AbortedError(absl::StrCat("another stream of bot ", Quoted(name),
                                         " has taken over; give each program a token of its own"));
}

absl::Status BotConnected(absl::string_view name) {
  return absl::AlreadyExistsError(
      absl::StrCat("bot ", Quoted(name),
                   " has a stream, which goes on as this one's hello asks; try again when it has "
                   "ended, or without keeps_existing to take over"));
}

}  // namespace referee
