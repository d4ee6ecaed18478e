// Checks the bot's answers to turn requests.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/conformance/check.h"

namespace referee::conformance {
namespace {

// Requests `kTurns` moves in one game.
Finding PlaysLegalMovesOf(Visit& visit, const games::GameType& type, BotStream* stream) {
  constexpr int kTurns = 1000;
  const std::vector<AskedTurn> turns = SampleTurns(type, kTurns);
  const SystemClock clock;
  AskTerms terms = TermsFor(visit);
  terms.at_once = std::min(visit.bot->parallel_turns(), 64);
  if (!visit.thorough) terms.until = clock.Now() + absl::Milliseconds(1500);
  terms.on_answer = [&visit](int64_t answered) { visit.show(answered, kTurns); };
  const std::vector<TurnAnswer> answers = AskTurns(turns, terms, stream);
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].move.ok()) continue;
    const AskedTurn& turn = turns[i];
    std::vector<std::string> options;
    for (const games::Option& option : turn.game->options()) {
      options.push_back(absl::StrCat(option.name, "=", option.value));
    }
    return Fail(absl::StrCat(type.name(), ", ", turn.game->seats(), " seats, ",
                             absl::StrJoin(options, " "), ": at ", Quoted(turn.state->Position()),
                             ": ", answers[i].move.status().message()),
                absl::StrCat("a legal move: 'refctl rules legal --game ", type.name(),
                             " --position ...' lists them"));
  }
  const auto late = std::count_if(answers.begin(), answers.end(), [](const TurnAnswer& answer) {
    return answer.after > absl::Milliseconds(500);
  });
  const std::string seen = absl::StrCat(answers.size(), " of ", type.name());
  if (late == 0) return Pass(seen);
  return Note(absl::StrCat(seen, ", ", late, " later than their limit of 500ms"),
              absl::StrCat("with ", terms.at_once,
                           " turns to think about at once, as it says, it has to be quicker, or "
                           "to say fewer (hello.parallel_turns): on the clock it would lose"));
}

Finding PlaysLegalMoves(Visit& visit, BotStream* stream) {
  Finding all = Pass("");
  for (const games::GameType* type : visit.games) {
    Finding one = PlaysLegalMovesOf(visit, *type, stream);
    if (one.kind == Finding::Kind::kFail) return one;
    all.seen += (all.seen.empty() ? "" : ", ") + one.seen;
    if (one.kind == Finding::Kind::kPass) continue;
    all.kind = one.kind;
    all.remedy = one.remedy;
  }
  return all;
}

Finding GoesOn(Visit& visit, BotStream* stream) {
  constexpr char kRight[] =
      "a MatchStart with `resumed` is answered by nothing; the TurnRequest that follows by a move, "
      "also by a process that is new to the match, and also if the same turn is asked again";
  const AskedTurn turn = SampleTurn(*visit.games.front());
  const service::MoveList lists = service::MoveListOf(visit.bot->hello());
  for (const char* const time : {"", " again, after a lost link"}) {
    stream->Say({ResumedItem(turn), TurnItem(turn, lists)});
    bool said_ready = false;
    const auto reply = HearThe(stream, turn.limit + kAtOnce, [&](const v1::BotItem& item) {
      said_ready |= item.has_ready() && item.ready().match_id() == turn.match_id;
      return item.has_move() && item.move().match_id() == turn.match_id;
    });
    if (said_ready) return Fail("it said Ready for a match under way", kRight);
    if (!reply) return NotHeard(visit, *stream, absl::StrCat("answer the turn", time), kRight);
    const absl::StatusOr<games::Move> move = ReadReply(turn, reply->item.move());
    if (!move.ok()) return Fail(absl::StrCat(move.status().message(), time), kRight);
    const auto next = visit.bot->Reconnect(absl::UnavailableError("refctl doctor: come back"));
    if (!next.ok()) return NoBot(next.status());
    stream = *next;
  }
  return Pass("and answered the same turn twice");
}

Finding AnswersPings(Visit& visit, BotStream* stream) {
  constexpr char kRight[] =
      "a ping comes after a turn request, in its message, and is answered first, at once, by a "
      "Pong of its number in a message of its own: what a bot thinks is none of the network's time";
  constexpr int kTries = 3;
  int after_move = 0;
  absl::Duration soonest = absl::InfiniteDuration();
  for (uint64_t number = 1; number <= kTries; ++number) {
    const AskedTurn turn = SampleTurn(*visit.games.front());
    v1::RefereeItem ping;
    ping.mutable_ping()->set_number(number);
    const SystemClock clock;
    const Instant asked = clock.Now();
    stream->Say({ResumedItem(turn), TurnItem(turn, service::MoveListOf(visit.bot->hello())), ping});
    absl::optional<Heard> pong;
    absl::optional<Heard> move;
    HearThe(stream, turn.limit + kAtOnce, [&](const v1::BotItem& item) {
      if (item.has_pong() && !pong) {
        pong = Heard{item, clock.Now()};
        after_move += move.has_value() ? 1 : 0;
      }
      if (item.has_move()) move = Heard{item, clock.Now()};
      return pong.has_value() && move.has_value();
    });
    stream->Say({CancelledItem(turn.match_id)});
    if (!pong) return NotHeard(visit, *stream, "answer a ping", kRight);
    if (pong->item.pong().number() != number) {
      return Fail(
          absl::StrCat("it answered ping ", number, " with number ", pong->item.pong().number()),
          kRight);
    }
    if (!move) return NotHeard(visit, *stream, "answer the turn that came with a ping", kRight);
    soonest = std::min(soonest, pong->at - asked);
  }
  if (after_move == kTries) return Fail("it answers pings after its move", kRight);
  if (soonest > absl::Seconds(1)) {
    return Fail(absl::StrCat("its quickest pong took ", Millis(soonest)), kRight);
  }
  return Pass(absl::StrCat("after ", Millis(soonest)));
}

Finding TriesAgain(Visit& visit, BotStream* stream) {
  constexpr char kRight[] =
      "a Fault of kind ILLEGAL_MOVE means that the match allows another try: the bot answers the "
      "same turn again";
  AskedTurn turn = SampleTurn(*visit.games.front());
  turn.policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  stream->Say({ResumedItem(turn), TurnItem(turn, service::MoveListOf(visit.bot->hello()))});
  if (!HearReply(stream, turn, kAtOnce)) {
    return NotHeard(visit, *stream, "answer the turn", kRight);
  }
  v1::RefereeItem fault;
  fault.mutable_fault()->set_match_id(turn.match_id);
  fault.mutable_fault()->set_turn(turn.turn);
  fault.mutable_fault()->set_kind(v1::FAULT_KIND_ILLEGAL_MOVE);
  fault.mutable_fault()->set_message("refctl doctor takes this legal move for an illegal one");
  stream->Say({fault});
  const absl::optional<Heard> again = HearThe(stream, kAtOnce, [&turn](const v1::BotItem& item) {
    return (item.has_move() && item.move().match_id() == turn.match_id) ||
           (item.has_resign() && item.resign().match_id() == turn.match_id);
  });
  stream->Say({CancelledItem(turn.match_id)});
  if (!again) return NotHeard(visit, *stream, "answer the turn again", kRight);
  if (again->item.has_resign()) return Note("it resigned the match", kRight);
  const absl::StatusOr<games::Move> move = ReadReply(turn, again->item.move());
  if (!move.ok()) return Fail(absl::StrCat("its second try: ", move.status().message()), kRight);
  return Pass("it answered again");
}

Finding HeedsForfeits(Visit& visit, BotStream* stream) {
  constexpr int kSeats = 3;
  constexpr char kRight[] =
      "a TurnRequest with the same turn and the next `request` takes the place of the one before: "
      "the answer that counts names it, and fits its position";
  const auto type =
      std::find_if(visit.games.begin(), visit.games.end(),
                   [](const games::GameType* game) { return game->max_seats() >= kSeats; });
  if (type == visit.games.end()) return Skipped("it plays no game of more than two seats");
  const service::MoveList lists = service::MoveListOf(visit.bot->hello());
  AskedTurn turn = SampleTurn(**type, kSeats);
  stream->Say({ResumedItem(turn), TurnItem(turn, lists)});
  const Seat other((turn.seat().index() + 1) % kSeats);
  turn.state->Forfeit(other);
  turn.request = 1;
  v1::RefereeItem forfeited;
  v1::SeatForfeited* const said = forfeited.mutable_seat_forfeited();
  said->set_match_id(turn.match_id);
  said->set_seat(static_cast<uint32_t>(other.index()));
  said->set_turn(turn.turn);
  said->set_cause(v1::FORFEIT_CAUSE_RESIGNED);
  said->set_detail("refctl doctor has it resign");
  stream->Say({forfeited, TurnItem(turn, lists)});
  // The bot may have answered the first request too: waits for the second one.
  const auto reply = HearThe(stream, 2 * turn.limit + kAtOnce, [&turn](const v1::BotItem& item) {
    return item.has_move() && item.move().match_id() == turn.match_id &&
           item.move().request() == turn.request;
  });
  stream->Say({CancelledItem(turn.match_id)});
  if (!reply) {
    return NotHeard(visit, *stream, "answer the request that took the place of another", kRight);
  }
  const absl::StatusOr<games::Move> move = ReadReply(turn, reply->item.move());
  if (!move.ok()) return Fail(move.status().message(), kRight);
  return Pass("it answered the last request");
}

Finding MindsItsBank(Visit& visit, BotStream* stream) {
  constexpr int kTries = 3;
  constexpr absl::Duration kLeft = absl::Milliseconds(400);
  absl::Duration quickest = absl::InfiniteDuration();
  for (int i = 0; i < kTries; ++i) {
    AskedTurn turn = SampleTurn(*visit.games.front());
    turn.time_control.per_move = absl::InfiniteDuration();
    turn.time_control.bank = absl::Seconds(60);
    turn.limit = turn.bank_left = kLeft;
    const TurnAnswer answer = AskTurn(visit, turn, stream);
    if (!answer.move.ok()) {
      return Fail(answer.move.status().message(),
                  "a legal move within `limit`, which is what is left of the bank");
    }
    quickest = std::min(quickest, answer.after);
    if (quickest <= kLeft) return Pass(absl::StrCat("after ", Millis(quickest), " of 400 ms"));
  }
  return Fail(absl::StrCat("it took ", Millis(quickest), " at best, with 400 ms left in its bank"),
              "it moves within `limit`, counted from when the request came, whatever the time "
              "control says of the match");
}

constexpr Check kTurnChecks[] = {
    {"moves", "a bot plays legal moves: every game, number of seats, seat, and option",
     PlaysLegalMoves},
    {"resumed", "a bot goes on from a snapshot alone, and answers a turn that is asked again",
     GoesOn},
    {"pong", "a ping is answered before the bot thinks", AnswersPings},
    {"retry", "after a Fault ILLEGAL_MOVE a bot answers the same turn again", TriesAgain},
    {"forfeits", "when a forfeit changes the position, only the last request counts",
     HeedsForfeits},
    {"bank", "a bot moves within `limit`", MindsItsBank},
};

}  // namespace

absl::Span<const Check> TurnChecks() { return kTurnChecks; }

}  // namespace referee::conformance
