// The witness's checks of the messages that bots get.
#include "absl/strings/str_cat.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {

void Witness::OnToldStart(const Account& account, const match::Match& match, View* view) {
  chronicle_->Note("told start", {account.match, match.turn()});
  if (view->ended) Fail(account, "its start was told after its end");
  if (!account.opened) Fail(account, "its start was told before it was opened in the log");
  if (match.stage() == match::Match::Stage::kPlaying && !account.started) {
    Fail(account, "it was told as going on before its start was written");
  }
  if (match.turn() > account.played + 1) Fail(account, "a turn was told before it was written");
  view->started = true;
  view->played = match.turn() - 1;
}

void Witness::OnToldAsk(Account* asked, Seat seat, uint32_t turn, uint32_t request,
                        const View& view) {
  const Account& account = *asked;
  chronicle_->Note("told ask", {account.match, turn, request});
  if (!view.started) Fail(account, "a turn was asked on a stream that does not know the match");
  if (view.ended) Fail(account, absl::StrCat("turn ", turn, " was asked after the end"));
  if (account.ended) Fail(account, absl::StrCat("turn ", turn, " was asked after the verdict"));
  if (!account.started || turn != account.played + 1) {
    Fail(account, absl::StrCat("turn ", turn, " was asked and turn ", account.played,
                               " is the last that was written"));
  }
  if (request != account.request) {
    Fail(account, absl::StrCat("turn ", turn, " was asked by request ", request, ", and ",
                               account.request, " forfeits have changed its position"));
  }
  // What was taken up before it was asked, or asked anew, was refused.
  const auto of_seat = [seat](const ReplyRead& reply) { return reply.seat == seat; };
  asked->taken.erase(std::remove_if(asked->taken.begin(), asked->taken.end(), of_seat),
                     asked->taken.end());
  const bool first_of_block = account.rolls != nullptr && !std::exchange(asked->asked, true);
  const bool anew = std::exchange(asked->frozen, false) || first_of_block;
  // A seat that has come this very moment may have been due before.
  if (anew && linked_at_[account.bots[seat.index()]] < queue_->Now()) DueAnew(asked);
  asked->asked_seat = seat;
  // Due when the last Ready was read, or when the last sibling had started.
  if (first_of_block && account.due_since < queue_->Now()) asked->due_known = false;
}

void Witness::OnToldPlayed(const Account& account, const match::Played& played, View* view) {
  chronicle_->Note("told played", {account.match, played.number});
  if (!view->started) Fail(account, "a turn was told on a stream that does not know the match");
  if (view->ended) Fail(account, "a turn was told after the end");
  if (played.number > account.played) Fail(account, "a turn was told before it was written");
  if (played.number <= view->played) Fail(account, "a turn was told twice");
  view->played = played.number;
}

void Witness::OnToldForfeited(const Account& account, const match::Forfeited& forfeited,
                              const View& view) {
  chronicle_->Note("told forfeited", {account.match, forfeited.seat.index()});
  if (!view.started) Fail(account, "a forfeit was told on a stream that does not know the match");
  if (view.ended) Fail(account, "a forfeit was told after the end");
  if (!account.seats[forfeited.seat.index()].forfeited) {
    Fail(account, "a forfeit was told before it was written");
  }
}

void Witness::OnToldFault(const Account& account, const match::TellFault& fault) {
  using Kind = match::TellFault::Kind;
  chronicle_->Note("told fault", {account.match, fault.seat.index(), static_cast<int>(fault.kind)});
  const bool handled = handling_ == &account && handled_.seat == fault.seat;
  if (fault.kind == Kind::kReplacedRequest && !(handled && IsToReplaced(account, handled_))) {
    Fail(account, "a bot was told of a request that was replaced, and had not answered such a one");
  }
  if (fault.kind == Kind::kIllegalMove && !(handled && IsToDue(account, handled_))) {
    Fail(account, "a bot was told of an illegal move, and had not answered what is due");
  }
}

void Witness::OnToldEnded(const Account& account, const host::MatchRunner& runner, View* view) {
  const match::Ended& told = *runner.ended();
  chronicle_->Note("told ended", {account.match, static_cast<int>(told.ending)});
  if (view->ended) Fail(account, "its end was told twice");
  view->ended = true;
  if (account.recording_failed || !account.opened) {
    if (told.ending == match::Ending::kFinished) {
      Fail(account, "a result was told that could not be written");
    }
    return;
  }
  if (!account.ended) return Fail(account, "its end was told before it was written");
  if (told.ending != account.ended->ending || told.ranks != account.ended->ranks ||
      told.scores != account.ended->scores) {
    Fail(account, "another result was told than was written");
  }
}

}  // namespace referee::simulation
