// The requests that a bot has yet to answer: for each match a Ready, a nonce or a move, with the
// instants from which its time is counted. Pure: the time is passed in. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAY_PENDING_REQUESTS_H_
#define REFEREE_SERVICE_PLAY_PENDING_REQUESTS_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"

namespace referee::service {

class PendingRequests {
 public:
  // Stand for Ready and Nonce among turns.
  static constexpr uint32_t kReady = 0;
  static constexpr uint32_t kNonce = std::numeric_limits<uint32_t>::max();

  struct Answer {
    uint32_t turn = kReady;
    uint32_t request = 0;  // as in match::Match::request
    // When the request was handed to the transport, and when that had taken it; InfiniteFuture
    // until it is known. OnReadDone of the answer may come before OnWriteDone of the request.
    Instant sent = Instant::InfiniteFuture();
    Instant written = Instant::InfiniteFuture();
    // Requests of this turn that were replaced by this one, and may be answered still.
    uint32_t replaced = 0;
    // When the transport was to take the request first, and did not, as the bot did not read.
    Instant offered = Instant::InfiniteFuture();

    // Since when the bot's time counts, seen at `now`, as match::TurnClock has it: from the
    // handover; or, of a bot that did not read for limits::kHandoverLimit, from the offer.
    // InfiniteFuture: it does not count yet.
    Instant CountsFrom(Instant now) const {
      const bool unread = offered + limits::kHandoverLimit < std::min(sent, now);
      return unread ? offered : sent;
    }
  };

  bool empty() const { return answers_.empty(); }
  // Turns that were handed to the transport and are not answered yet.
  size_t turns_sent() const { return turns_sent_; }

  // Adds a request, in place of any earlier one in the match.
  void Add(const MatchId& match, uint32_t turn, uint32_t request,
           Instant sent = Instant::InfiniteFuture()) {
    Answer& answer = answers_[match];
    turns_sent_ -= IsTurnSent(answer) ? 1 : 0;
    answer = {turn, request, sent, Instant::InfiniteFuture(), request};
  }
  // Note when a request was handed to the transport, and when that had taken it, if the request is
  // still unanswered.
  void Sent(const MatchId& match, uint32_t turn, uint32_t request, Instant when) {
    Answer* const answer = Find(match, turn, request);
    if (answer == nullptr) return;
    turns_sent_ += IsTurnSent(*answer) ? 0 : 1;
    answer->sent = when;
  }
  void Written(const MatchId& match, uint32_t turn, uint32_t request, Instant when) {
    if (Answer* answer = Find(match, turn, request)) answer->written = when;
  }
  // Notes that the transport was to take a request, and does not. The first call counts.
  void Offered(const MatchId& match, uint32_t turn, uint32_t request, Instant when) {
    Answer* const answer = Find(match, turn, request);
    if (answer != nullptr) answer->offered = std::min(answer->offered, when);
  }
  // The request that the bot has yet to answer in the match; null: none.
  const Answer* FindOwed(const MatchId& match) const {
    const auto found = answers_.find(match);
    return found == answers_.end() ? nullptr : &found->second;
  }
  // Takes out the request that the bot has answered; returns none if it did not owe that answer.
  absl::optional<Answer> Settle(const MatchId& match, uint32_t turn, uint32_t request) {
    const Answer* answer = Find(match, turn, request);
    if (answer == nullptr) return absl::nullopt;
    const Answer settled = *answer;
    Forget(match);
    return settled;
  }
  // The bot has answered a request that was since replaced. Returns whether that counts as asked
  // for: once for each replaced request.
  bool SettleReplaced(const MatchId& match, uint32_t turn, uint32_t request) {
    const auto found = answers_.find(match);
    if (found == answers_.end()) return false;
    Answer& answer = found->second;
    if (answer.turn != turn || answer.request <= request || answer.replaced == 0) return false;
    --answer.replaced;
    return true;
  }
  // Nothing is owed in the match any more.
  void Forget(const MatchId& match) {
    const auto found = answers_.find(match);
    if (found == answers_.end()) return;
    turns_sent_ -= IsTurnSent(found->second) ? 1 : 0;
    answers_.erase(found);
  }

 private:
  Answer* Find(const MatchId& match, uint32_t turn, uint32_t request) {
    const auto found = answers_.find(match);
    if (found == answers_.end()) return nullptr;
    Answer& answer = found->second;
    return answer.turn == turn && answer.request == request ? &answer : nullptr;
  }

  static bool IsTurnSent(const Answer& answer) {
    return answer.turn != kReady && answer.turn != kNonce &&
           answer.sent != Instant::InfiniteFuture();
  }

  absl::flat_hash_map<MatchId, Answer> answers_;
  size_t turns_sent_ = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_PENDING_REQUESTS_H_
