#include "referee/service/play/owed_answers.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/match/errors.h"

namespace referee::service {
namespace {

// A bot that answers faster gains from several requests in one message. A slower one would only
// wait.
constexpr absl::Duration kAtOnce = absl::Milliseconds(2);
// With so few turns, sent and waiting, holding back does not pay.
constexpr size_t kFewTurns = 4;
// Few are kept: late replies to ended matches come soon or never.
constexpr size_t kLostTurns = 64;

}  // namespace

bool OwedAnswers::HoldsBack(size_t asks) const {
  const size_t sent = pending_.turns_sent();
  return answers_at_once_ && asks < sent && sent + asks > kFewTurns;
}

void OwedAnswers::EndMatch(const MatchId& match, const absl::optional<match::LostTurn>& lost) {
  pending_.Forget(match);
  if (lost) lost_turns_.emplace_back(match, *lost);
  if (lost_turns_.size() > kLostTurns) lost_turns_.pop_front();
}

void OwedAnswers::EndRelayed(const MatchId& match, uint32_t lost_turn, absl::Duration limit,
                             Instant now) {
  const PendingRequests::Answer* request = pending_.FindOwed(match);
  const auto answered = answered_.find(match);
  if (request == nullptr && answered != answered_.end()) request = &answered->second;
  absl::optional<match::LostTurn> lost;
  if (lost_turn != 0) {
    const bool known = request != nullptr && request->turn == lost_turn;
    const Instant from = known ? request->CountsFrom(now) : Instant::InfiniteFuture();
    lost = match::LostTurn{lost_turn, std::min(from + limit, now), limit};
  }
  EndMatch(match, lost);
  answered_.erase(match);
}

OwedAnswers::Settled OwedAnswers::Settle(const MatchId& match, uint32_t turn, uint32_t request,
                                         Instant now) {
  const absl::optional<PendingRequests::Answer> owed = pending_.Settle(match, turn, request);
  if (!owed) return {pending_.SettleReplaced(match, turn, request)};
  if (owed->sent < Instant::InfiniteFuture()) {
    round_trip_.Replied(now - owed->sent);
    answers_at_once_ = now - owed->sent < kAtOnce;
  }
  return {true, owed->written, owed->CountsFrom(now)};
}

OwedAnswers::Settled OwedAnswers::SettleRelayed(const MatchId& match, uint32_t turn,
                                                uint32_t request, Instant now) {
  const PendingRequests::Answer* const owed = pending_.FindOwed(match);
  if (owed != nullptr && owed->turn == turn && owed->request == request) {
    answered_.insert_or_assign(match, *owed);
  }
  Settled settled = Settle(match, turn, request, now);
  const auto answered = answered_.find(match);
  if (settled.asked || answered == answered_.end()) return settled;
  const PendingRequests::Answer& last = answered->second;
  if (last.turn != turn || last.request != request) return settled;
  return {false, last.written, last.CountsFrom(now)};
}

void OwedAnswers::AddAgain(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
  const auto answered = answered_.find(match);
  const bool known = answered != answered_.end() && answered->second.turn == turn &&
                     answered->second.request == request;
  if (!known) return pending_.Add(match, turn, request, now);
  const PendingRequests::Answer& last = answered->second;
  pending_.Add(match, turn, request);
  pending_.Sent(match, turn, request, last.sent);
  pending_.Written(match, turn, request, last.written);
  pending_.Offered(match, turn, request, last.offered);
}

absl::optional<Instant> OwedAnswers::CountsFrom(const MatchId& match, Instant now) const {
  const PendingRequests::Answer* const owed = pending_.FindOwed(match);
  return owed == nullptr ? absl::nullopt : absl::make_optional(owed->CountsFrom(now));
}

absl::Status OwedAnswers::WhyNotInMatch(const std::string& match, uint32_t turn,
                                        Instant now) const {
  for (const auto& [id, lost] : lost_turns_) {
    if (id.text() != match || lost.turn != turn) continue;
    return match::MoveLate(turn, now - lost.deadline, lost.limit, "the match is over");
  }
  if (match.empty()) {
    return absl::NotFoundError(
        "match_id: '' is empty; name the match as MatchStart.match.match_id did; a field whose "
        "name is misspelt comes empty, too");
  }
  return absl::NotFoundError(
      absl::StrCat("match ", Quoted(match),
                   ": the bot does not play it: it never did, or the match is over, as for a move "
                   "that comes too late"));
}

}  // namespace referee::service
