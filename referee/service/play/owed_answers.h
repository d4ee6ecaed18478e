// The answers that a bot owes the referee, to requests and pings, and its observed speed.
//
// It also remembers turns lost on time, to explain replies that come after the match. Pure: the
// time is passed in. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_
#define REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/match/match.h"
#include "referee/service/play/pending_requests.h"
#include "referee/service/play/round_trip.h"

namespace referee::service {

class OwedAnswers {
 public:
  // The outcome of an answer.
  struct Settled {
    bool asked = false;  // the bot owed it, or its request was replaced
    // When the transport had taken the request; InfiniteFuture if unknown.
    Instant written = Instant::InfiniteFuture();
    // From when the bot's time counts (PendingRequests::Answer); InfiniteFuture if unknown or if no
    // request was handed over.
    Instant counts_from = Instant::InfiniteFuture();
  };

  // Whether the bot owes no answer to a request. Pings do not count.
  bool empty() const { return pending_.empty(); }
  // Whether to delay `asks` requests for turns: the bot answers at once, and owes more than `asks`
  // answers.
  bool HoldsBack(size_t asks) const;

  // Adds a request and replaces an earlier one of the match; arguments as in PendingRequests::Add.
  void Add(const MatchId& match, uint32_t turn, uint32_t request,
           Instant sent = Instant::InfiniteFuture()) {
    pending_.Add(match, turn, request, sent);
  }
  // Adds the last answered request of a relayed match again, for another try. Its clock continues.
  void AddAgain(const MatchId& match, uint32_t turn, uint32_t request, Instant now);
  // Ends a match. `lost` is the turn that the bot lost on time, if any.
  void EndMatch(const MatchId& match, const absl::optional<match::LostTurn>& lost);
  // Ends a relayed match, in which the bot lost `lost_turn` on time, with the time limit `limit`.
  // 0: it lost none.
  void EndRelayed(const MatchId& match, uint32_t lost_turn, absl::Duration limit, Instant now);
  // Note that the request was handed to the transport, and that the transport has taken it.
  void NoteSent(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Sent(match, turn, request, now);
  }
  void NoteWritten(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Written(match, turn, request, now);
  }
  // Notes that the request has to wait for the bot to read.
  void NoteOffered(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Offered(match, turn, request, now);
  }
  // From when the bot's time counts for its request in the match, seen at `now`. InfiniteFuture: it
  // does not count yet. Nullopt: the bot owes no answer.
  absl::optional<Instant> CountsFrom(const MatchId& match, Instant now) const;
  // Settles an answer.
  Settled Settle(const MatchId& match, uint32_t turn, uint32_t request, Instant now);
  // Settles an answer in a relayed match. Also measures a repeated answer to the last request.
  Settled SettleRelayed(const MatchId& match, uint32_t turn, uint32_t request, Instant now);

  // As RoundTrip::Ping, Pong and estimate.
  uint64_t Ping(Instant now) { return round_trip_.Ping(now); }
  bool Pong(uint64_t number, Instant now) { return round_trip_.Pong(number, now); }
  absl::Duration round_trip() const { return round_trip_.estimate(); }

  // The error for an answer in `turn` of a match that the bot does not play.
  absl::Status WhyNotInMatch(const std::string& match, uint32_t turn, Instant now) const;

 private:
  PendingRequests pending_;
  // The request answered last, by relayed match.
  absl::flat_hash_map<MatchId, PendingRequests::Answer> answered_;
  RoundTrip round_trip_;
  bool answers_at_once_ = false;  // from the latest answer
  // The latest turns lost on time in matches that have ended.
  std::deque<std::pair<MatchId, match::LostTurn>> lost_turns_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_
