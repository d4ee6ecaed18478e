// The requests that a bot has not answered yet, and from when its time counts for each.
//
// Each match has at most one: for a Ready, a nonce or a move. Pure: the time is passed in.
// Thread-compatible.
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
  // Stand for Ready and Nonce in place of a turn number.
  static constexpr uint32_t kReady = 0;
  static constexpr uint32_t kNonce = std::numeric_limits<uint32_t>::max();

  struct Answer {
    uint32_t turn = kReady;
    uint32_t request = 0;  // as in match::Match::request
    // When the request was handed to the transport, and when the transport had taken it.
    // InfiniteFuture: not known yet. OnReadDone of the answer may precede OnWriteDone of the
    // request.
    Instant sent = Instant::InfiniteFuture();
    Instant written = Instant::InfiniteFuture();
    // The number of replaced requests of this turn that may still be answered.
    uint32_t replaced = 0;
    // When the request first had to wait because the bot did not read.
    Instant offered = Instant::InfiniteFuture();

    // From when the bot's time counts, seen at `now`, as in match::TurnClock: from the handover, or
    // from the offer if the bot did not read for limits::kHandoverLimit. InfiniteFuture: not yet.
    Instant CountsFrom(Instant now) const {
      const bool unread = offered + limits::kHandoverLimit < std::min(sent, now);
      return unread ? offered : sent;
    }
  };

  bool empty() const { return answers_.empty(); }
  // The number of turns that were handed to the transport and are not answered.
  size_t turns_sent() const { return turns_sent_; }

  // Adds a request and replaces an earlier one of the match.
  void Add(const MatchId& match, uint32_t turn, uint32_t request,
           Instant sent = Instant::InfiniteFuture()) {
    Answer& answer = answers_[match];
    turns_sent_ -= IsTurnSent(answer) ? 1 : 0;
    answer = {turn, request, sent, Instant::InfiniteFuture(), request};
  }
  // Note when a request was handed to the transport, and when the transport had taken it. Ignored
  // if the request is not pending.
  void Sent(const MatchId& match, uint32_t turn, uint32_t request, Instant when) {
    Answer* const answer = Find(match, turn, request);
    if (answer == nullptr) return;
    turns_sent_ += IsTurnSent(*answer) ? 0 : 1;
    answer->sent = when;
  }
  void Written(const MatchId& match, uint32_t turn, uint32_t request, Instant when) {
    if (Answer* answer = Find(match, turn, request)) answer->written = when;
  }
  // Notes that a request has to wait for the bot to read. The first call counts.
  void Offered(const MatchId& match, uint32_t turn, uint32_t request, Instant when) {
    Answer* const answer = Find(match, turn, request);
    if (answer != nullptr) answer->offered = std::min(answer->offered, when);
  }
  // The unanswered request of the match, or null.
  const Answer* FindOwed(const MatchId& match) const {
    const auto found = answers_.find(match);
    return found == answers_.end() ? nullptr : &found->second;
  }
  // Removes and returns the request that the bot has answered; nullopt if that answer was not owed.
  absl::optional<Answer> Settle(const MatchId& match, uint32_t turn, uint32_t request) {
    const Answer* answer = Find(match, turn, request);
    if (answer == nullptr) return absl::nullopt;
    const Answer settled = *answer;
    Forget(match);
    return settled;
  }
  // Settles an answer to a request that was replaced. Returns whether it counts as asked for: once
  // for each replaced request.
  bool SettleReplaced(const MatchId& match, uint32_t turn, uint32_t request) {
    const auto found = answers_.find(match);
    if (found == answers_.end()) return false;
    Answer& answer = found->second;
    if (answer.turn != turn || answer.request <= request || answer.replaced == 0) return false;
    --answer.replaced;
    return true;
  }
  // Drops the request of the match.
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
