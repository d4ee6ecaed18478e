#include "tests/simulation/witness.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/replay/verifier.h"

namespace referee::simulation {
void Witness::Fail(const Account& account, absl::string_view problem) {
  chronicle_->Fail(absl::StrCat("match ", account.match, ": ", problem));
}

void Witness::FailTurn(const Account& account, Seat seat, absl::string_view problem) {
  Fail(account,
       absl::StrCat("seat ", seat.index(), " in turn ", account.played + 1, ": ", problem));
}

// --- Matches ---

Account* Witness::OnCreated(const MatchId& id, int match, const std::vector<int>& bots) {
  std::unique_ptr<Account>& account = accounts_[id.text()];
  if (account == nullptr) {
    account = std::make_unique<Account>();
    in_order_.push_back(account.get());
    account->match = match;
    account->bots = bots;
  } else if (account->match != match) {
    Fail(*account, absl::StrCat("its id was given to match ", match, " too"));
  }
  return account.get();
}

Account* Witness::Find(const MatchId& id) {
  const auto it = accounts_.find(id.text());
  return it == accounts_.end() ? nullptr : it->second.get();
}

void Witness::ExpectCompetition(int first_match, std::vector<std::string> bots) {
  next_stranger_ = first_match;
  bot_names_ = std::move(bots);
}

Account* Witness::AccountOf(const match::Setup& setup) {
  if (Account* account = Find(setup.id)) return account;
  std::vector<int> bots;
  for (const std::string& name : setup.bots) {
    const auto bot = std::find(bot_names_.begin(), bot_names_.end(), name);
    bots.push_back(static_cast<int>(bot - bot_names_.begin()));
  }
  return OnCreated(setup.id, next_stranger_++, bots);
}

void Witness::OnFinished(const MatchId& id, const match::Ended& ended) {
  Account* account = Find(id);
  if (account == nullptr) return;  // of a competition, before anything of it was written
  chronicle_->Note("finished", {account->match, static_cast<int>(ended.ending)});
  if (account->finished) Fail(*account, "it was finished twice");
  account->finished = true;
}

// --- The disk ---

void Witness::OnOpened(const match::Setup& setup) {
  Account* account = AccountOf(setup);
  chronicle_->Note("opened", {account->match});
  if (account->opened) Fail(*account, "it was opened twice");
  account->opened = true;
  account->asks_nonces = AsksNonces(setup);
  JoinBlock(account, setup);
  for (Account::SeatAccount& seat : account->seats) {
    seat.bank_left = setup.time_control.bank;
    seat.grace_left = setup.policies.link_grace;
    seat.lag_left = setup.policies.lag.per_match;
    seat.stall_left = setup.time_control.stall_per_match;
  }
}

void Witness::OnFlushed(const match::Setup& setup, const match::Record& record) {
  Account* account = Find(setup.id);
  if (account->ended) Fail(*account, "a record was written after the end");
  ++account->records;
  FollowBlock(account, setup, record, queue_->Now());
  std::visit([&](const auto& one) { On(account, setup, one); }, record);
}

void Witness::OnRecordingFailed(const match::Setup& setup) {
  if (looks_away_) return;
  Account* account = Find(setup.id);
  chronicle_->Note("write failed", {account->match});
  account->recording_failed = true;
}

void Witness::OnSetAside(const match::Setup& setup, absl::string_view why) {
  Account* account = Find(setup.id);
  chronicle_->Note("set aside", {account->match});
  if (!account->recording_failed) Fail(*account, absl::StrCat("it was set aside: ", why));
  account->set_aside = true;
}

// All that was written is there; and perhaps what was being written when the referee died, and was
// told to nobody.
void Witness::OnRecovered(const replay::MatchRead& match) {
  Account* account = AccountOf(match.setup);
  chronicle_->Note("recovered", {account->match, static_cast<int64_t>(match.records.size())});
  // The referee may have died before it could say so.
  if (!account->opened) OnOpened(match.setup);
  account->recovered = true;
  // One that had not begun begins anew; one that had, with its Resumed record.
  ForgetReadiness(account);
  if (account->set_aside || (account->recording_failed && account->finished)) {
    Fail(*account, "it was told as void, and is there again");
  }
  account->failed_before_death = std::exchange(account->recording_failed, false);
  if (match.records.size() < account->records) {
    Fail(*account, absl::StrCat("the log has ", match.records.size(), " records of ",
                                account->records, " that were written"));
  }
  for (; account->records < match.records.size(); ++account->records) {
    const match::Record& record = match.records[account->records];
    // It was written before the referee died, with what its siblings wrote in that moment.
    FollowBlock(account, match.setup, record, died_);
    if (std::holds_alternative<match::Started>(record)) account->started = true;
    if (const auto* played = std::get_if<match::Played>(&record)) {
      Account::SeatAccount& seat = account->seats[played->seat.index()];
      if (played->substituted == match::Cause::kTimeout) ++seat.timeouts;
      if (played->substituted == match::Cause::kIllegal) ++seat.illegal_moves;
      Count(account, *played);
      account->tries = 0;
    }
    if (const auto* faulted = std::get_if<match::Faulted>(&record)) {
      if (faulted->cause == match::Cause::kTimeout) account->used += faulted->used;
      if (faulted->cause == match::Cause::kIllegal) ++account->tries;
    }
    if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
      account->tries = 0;
      ++account->request;
      account->seats[forfeited->seat.index()].forfeited = true;
      account->used += forfeited->used;
    }
    if (const auto* ended = std::get_if<match::Ended>(&record)) account->ended = *ended;
  }
}

void Witness::On(Account* account, const match::Setup& setup, const match::Started& started) {
  chronicle_->Note("started", {account->match});
  if (account->started) Fail(*account, "it was started twice");
  CheckNonces(*account, setup, started);
  account->started = true;
  NextDue(account);
  // The first turn of a block is due once all its matches have started.
  if (account->rolls != nullptr) account->due_known = false;
}

void Witness::On(Account* account, const match::Setup&, const match::Drawn&) {
  if (!account->started) Fail(*account, "a draw was written before the start");
}

void Witness::On(Account* account, const match::Setup& setup, const match::Played& played) {
  chronicle_->Note("played", {account->match, played.number, played.seat.index(),
                              absl::ToInt64Nanoseconds(played.used)});
  Account::SeatAccount& seat = account->seats[played.seat.index()];
  if (!account->started) Fail(*account, "a turn was written before the start");
  if (seat.forfeited) Fail(*account, "a seat that had forfeited played");
  if (played.number != account->played + 1) {
    Fail(*account,
         absl::StrCat("turn ", played.number, " was written after turn ", account->played));
  }
  if (!played.timing) {
    if (!played.move.is_pass() || played.used != absl::ZeroDuration()) {
      Fail(*account, absl::StrCat("turn ", played.number, " says nothing of its time"));
    }
  } else if (played.substituted) {
    CheckSubstitute(account, setup, played);
  } else {
    CheckReply(*account, setup, played);
  }
  if (played.timing) CheckTiming(*account, setup, played.seat, *played.timing);
  Count(account, played);
  account->frozen = false;
  ++turns_;
  NextDue(account);
}

void Witness::Count(Account* account, const match::Played& played) {
  Account::SeatAccount& seat = account->seats[played.seat.index()];
  seat.bank_left = played.bank_left;
  account->used += played.used;
  account->played = played.number;
  account->request = 0;
  account->lengthened = false;
  if (!played.timing) return;
  seat.moved = true;
  seat.grace_left -= played.timing->paused;
  seat.lag_left -= played.timing->credit;
  seat.stall_left -= played.timing->stalled;
}

void Witness::On(Account* account, const match::Setup& setup, const match::Faulted& faulted) {
  chronicle_->Note("faulted",
                   {account->match, faulted.seat.index(), static_cast<int>(faulted.cause)});
  if (faulted.cause == match::Cause::kTimeout) {
    account->used += faulted.used;
    account->match_time_up = true;
    if (account->used < setup.time_control.match) {
      Fail(*account, "the match's time was up with time left");
    }
    return;
  }
  if (!HandlesReplyOf(*account, faulted.seat) || !handled_.wild) {
    Fail(*account, absl::StrCat("a legal move was judged illegal: ", faulted.detail));
  }
  const match::FaultPolicy& policy = setup.policies.on_illegal;
  if (policy.action == match::FaultPolicy::Action::kRetry) {
    if (++account->tries >= policy.max_tries) Fail(*account, "a seat may try too often");
    account->judging += queue_->Now() - handled_.read;
    // It was judged, and the turn is due still: time may run out on the next try.
    std::vector<ReplyRead>& replies = account->replies;
    const auto judged =
        std::find_if(replies.begin(), replies.end(), [this](const ReplyRead& reply) {
          return reply.seat == handled_.seat && reply.read == handled_.read;
        });
    if (judged != replies.end()) replies.erase(judged);
  } else {
    account->illegal_forgiven = true;
  }
}

void Witness::On(Account* account, const match::Setup& setup, const match::Forfeited& forfeited) {
  chronicle_->Note("forfeited",
                   {account->match, forfeited.seat.index(), static_cast<int>(forfeited.cause),
                    absl::ToInt64Nanoseconds(forfeited.used)});
  Account::SeatAccount& seat = account->seats[forfeited.seat.index()];
  if (!account->started) Fail(*account, "a forfeit was written before the start");
  if (seat.forfeited) Fail(*account, "a seat forfeited twice");
  switch (forfeited.cause) {
    case match::Cause::kTimeout:
    case match::Cause::kDisconnected:
      CheckTimeout(*account, setup, forfeited);
      break;
    case match::Cause::kIllegal:
      CheckIllegal(*account, setup, forfeited);
      break;
    case match::Cause::kResigned:
      if (!seat.resigned) Fail(*account, "a seat resigned that did not say so");
      break;
  }
  if (forfeited.timing) CheckTiming(*account, setup, forfeited.seat, *forfeited.timing);
  seat.forfeited = true;
  account->used += forfeited.used;
  ++account->request;
  if (forfeited.timing) account->lengthened = false;
  if (forfeited.timing || account->rolled) {
    NextDue(account);
  } else if (forfeited.interrupts_turn) {
    Interrupt(account, forfeited);
  } else {
    DueLater(account);
  }
}

void Witness::CheckTimeout(const Account& account, const match::Setup& setup,
                           const match::Forfeited& forfeited) {
  const Account::SeatAccount& seat = account.seats[forfeited.seat.index()];
  if (account.match_time_up) return;
  if (forfeited.timing) {
    const match::FaultPolicy& policy = setup.policies.on_timeout;
    if (policy.action == match::FaultPolicy::Action::kSubstitute &&
        seat.timeouts < policy.max_strikes) {
      Fail(account, "a seat lost on time that was to be forgiven");
    }
    if (forfeited.used <= MoveLimit(account, setup, forfeited.seat)) {
      Fail(account, absl::StrCat("a seat lost on time with time left: ", forfeited.detail));
    }
    return CheckTimeLoss(account, setup, forfeited.seat, *forfeited.timing);
  }
  if (account.played > 0 || forfeited.used > absl::ZeroDuration()) {
    Fail(account, "a seat lost on time that was not to move");
  }
  // In a block it may be ready after its time, and before this is written.
  if (seat.ready && account.rolls == nullptr) {
    Fail(account, "a seat that was ready in time lost because it was not");
  }
}

void Witness::CheckIllegal(const Account& account, const match::Setup& setup,
                           const match::Forfeited& forfeited) {
  const ReplyRead* const reply =
      forfeited.timing ? ReplyBefore(account, forfeited.seat, *forfeited.timing) : nullptr;
  if (reply == nullptr || !reply->wild) {
    Fail(account, absl::StrCat("a legal move was judged illegal: ", forfeited.detail));
  }
  const Account::SeatAccount& seat = account.seats[forfeited.seat.index()];
  const match::FaultPolicy& policy = setup.policies.on_illegal;
  const bool retry = policy.action == match::FaultPolicy::Action::kRetry;
  const bool substitute = policy.action == match::FaultPolicy::Action::kSubstitute;
  if ((retry && account.tries + 1 < policy.max_tries) ||
      (substitute && seat.illegal_moves < policy.max_strikes)) {
    Fail(account, "a seat lost by an illegal move that was to be forgiven");
  }
}

void Witness::On(Account* account, const match::Setup& setup, const match::NoContest& no_contest) {
  chronicle_->Note("no contest", {account->match, no_contest.seat.index()});
  account->no_contest = true;
  CheckTiming(*account, setup, no_contest.seat, no_contest.timing);
  CheckNoContest(*account, setup, no_contest);
}

void Witness::On(Account* account, const match::Setup&, const match::Resumed&) {
  chronicle_->Note("resumed", {account->match});
  account->frozen = true;
  account->lengthened = false;
  ForgetReadiness(account);
  DueAnew(account);
}

void Witness::On(Account* account, const match::Setup&, const match::Ended& ended) {
  chronicle_->Note("ended", {account->match, static_cast<int>(ended.ending)});
  if (ended.ending == match::Ending::kFinished && !account->started) {
    Fail(*account, "it has a result and was never started");
  }
  if (account->no_contest && ended.ending != match::Ending::kVoid) {
    Fail(*account, "what was no contest has another end than void");
  }
  CheckRanks(*account, ended);
  account->ended = ended;
}

void Witness::OnArchived(const replay::Replay& replay, absl::string_view file) {
  Account* account = Find(replay.setup.id);
  chronicle_->Note("archived", {account->match, static_cast<int64_t>(DigestOf(file))});
  if (account->archived) Fail(*account, "it was archived twice");
  if (!account->ended) Fail(*account, "it was archived before its end was written");
  account->archived = true;
  // The first of a run is verified as anybody would do it.
  const replay::Verification found =
      ++archived_ == 1 ? replay::Verify(file, replay::KeyRing(signatures_.public_key()))
                       : replay::VerifyMatch(replay);
  if (!found.ok) Fail(*account, absl::StrCat("its replay does not verify: ", found.problem));
  const replay::Parts parts = *replay::Split(file);
  if (parts.public_key != signatures_.public_key() ||
      !signatures_.IsSigned(parts.signed_bytes, parts.signature)) {
    Fail(*account, "its replay is not signed by the referee");
  }
}

// --- Links ---

void Witness::OnLinked(int bot) {
  if (linked_[bot]) return;
  linked_[bot] = true;
  linked_at_[bot] = queue_->Now();
  ForEachSeatOf(bot, [this](Account* account, Account::SeatAccount* seat) {
    seat->away += queue_->Now() - std::max(seat->unlinked_at, account->due_since);
  });
}

void Witness::OnUnlinked(int bot) {
  if (!linked_[bot]) return;
  linked_[bot] = false;
  ForEachSeatOf(bot, [this](Account* account, Account::SeatAccount* seat) {
    seat->unlinked_at = queue_->Now();
    if (seat->handed_over < Instant::InfiniteFuture()) return;
    seat->unlinked = true;
    // A request that the referee held back is due when the link is lost.
    if (std::exchange(seat->held_in_vain, false)) account->due_since = queue_->Now();
  });
}

template <typename Look>
void Witness::ForEachSeatOf(int bot, Look look) {
  for (Account* account : in_order_) {
    for (size_t i = 0; i < account->bots.size(); ++i) {
      if (account->bots[i] == bot) look(account, &account->seats[i]);
    }
  }
}

void Witness::OnHandedOver(Account* account, Seat seat, uint32_t turn, uint32_t request,
                           absl::Duration round_trip) {
  chronicle_->Note("request", {account->match, seat.index(), turn, request});
  if (turn != account->played + 1 || request > account->request) return;
  Account::SeatAccount& of_seat = account->seats[seat.index()];
  of_seat.round_trip = std::max(of_seat.round_trip, round_trip);
  if (of_seat.forfeited || of_seat.handed_over < Instant::InfiniteFuture()) return;
  if (of_seat.held_in_vain) account->due_since = queue_->Now();
  of_seat.handed_over = queue_->Now();
}

void Witness::OnOffered(Account* account, Seat seat, uint32_t turn, uint32_t request) {
  if (turn != account->played + 1 || request > account->request) return;
  account->seats[seat.index()].offered = true;
}

void Witness::OnHeld(Account* account, Seat seat, uint32_t turn, uint32_t request,
                     absl::Duration most) {
  if (turn != account->played + 1 || request > account->request) return;
  const Account::SeatAccount& of_seat = account->seats[seat.index()];
  // The clock may run already, if the request replaces another.
  if (of_seat.forfeited || of_seat.handed_over < queue_->Now()) return;
  account->due_since = std::max(account->due_since, queue_->Now() + -most);
}

void Witness::OnHeldInVain(Account* account, Seat seat, uint32_t turn, uint32_t request) {
  if (turn != account->played + 1 || request > account->request) return;
  Account::SeatAccount& of_seat = account->seats[seat.index()];
  of_seat.held_in_vain = of_seat.handed_over == Instant::InfiniteFuture();
}

void Witness::OnReplyRead(Account* account, const ReplyRead& reply) {
  chronicle_->Note("reply", {account->match, reply.seat.index(), reply.turn, reply.request});
  if (IsToDue(*account, reply) &&
      account->seats[reply.seat.index()].handed_over < Instant::InfiniteFuture()) {
    account->replies.push_back(reply);
  }
}

void Witness::OnUnheard(int bot, Instant read) {
  for (Account* account : in_order_) {
    std::vector<ReplyRead>& replies = account->replies;
    replies.erase(std::remove_if(replies.begin(), replies.end(),
                                 [&](const ReplyRead& reply) {
                                   return reply.read == read &&
                                          account->bots[reply.seat.index()] == bot;
                                 }),
                  replies.end());
  }
}

void Witness::OnHandling(Account* account, const ReplyRead& reply) {
  handling_ = account;
  handled_ = reply;
  Account::SeatAccount& seat = account->seats[reply.seat.index()];
  if (!IsToDue(*account, reply)) return;
  if (seat.held_in_vain && seat.handed_over == Instant::InfiniteFuture()) {
    account->due_since = queue_->Now();
  }
  seat.answered = std::min(seat.answered, reply.read);
  account->taken.push_back(reply);
}

}  // namespace referee::simulation
