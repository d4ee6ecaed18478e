// What a bot owes the referee: answers to requests and to pings, with what its past answers say of
// its speed. It also remembers turns lost on time, to explain replies that come after the match.
//
// Pure: the time is passed in. Thread-compatible.
#ifndef REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_
#define REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

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
  // What became of an answer.
  struct Settled {
    bool asked = false;  // the bot owed it, or its request was replaced
    // When the transport had taken the request; InfiniteFuture if that is not known.
    Instant written = Instant::InfiniteFuture();
  };

  // Whether the bot owes no answer to a request. Pings do not count.
  bool empty() const { return pending_.empty(); }
  // Whether `asks` requests for turns are better sent later: the bot answers at once, and owes more
  // answers than that.
  bool HoldsBack(size_t asks) const;

  // Adds a request, in place of any earlier one in the match; arguments as in PendingRequests::Add.
  void Add(const MatchId& match, uint32_t turn, uint32_t request,
           Instant sent = Instant::InfiniteFuture()) {
    pending_.Add(match, turn, request, sent);
  }
  // Drops what is owed in a match that has ended, where the bot perhaps lost a turn on time.
  void EndMatch(const MatchId& match, const absl::optional<match::LostTurn>& lost);
  // Note that the request was handed to the transport, and that the transport has taken it.
  void NoteSent(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Sent(match, turn, request, now);
  }
  void NoteWritten(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Written(match, turn, request, now);
  }
  // The bot has answered.
  Settled Settle(const MatchId& match, uint32_t turn, uint32_t request, Instant now);

  // As RoundTrip::Ping, Pong and estimate.
  uint64_t Ping(Instant now) { return round_trip_.Ping(now); }
  bool Pong(uint64_t number, Instant now) { return round_trip_.Pong(number, now); }
  absl::Duration round_trip() const { return round_trip_.estimate(); }

  // Why an answer in `turn` of a match that the bot does not play is refused.
  absl::Status WhyNotInMatch(const std::string& match, uint32_t turn, Instant now) const;

 private:
  PendingRequests pending_;
  RoundTrip round_trip_;
  bool answers_at_once_ = false;  // the latest answer came soon
  // The latest of matches that have ended.
  std::deque<std::pair<MatchId, match::LostTurn>> lost_turns_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_
