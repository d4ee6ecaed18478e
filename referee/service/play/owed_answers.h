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
  // What became of an answer.
  struct Settled {
    bool asked = false;  // the bot owed it, or its request was replaced
    // When the transport had taken the request; InfiniteFuture if that is not known.
    Instant written = Instant::InfiniteFuture();
    // Since when the bot's time for it counts (PendingRequests::Answer); InfiniteFuture: it is not
    // known, or none was handed over.
    Instant counts_from = Instant::InfiniteFuture();
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
  // Adds the request that the bot has answered last in a match of another referee, which gives it
  // another try: its time counts on.
  void AddAgain(const MatchId& match, uint32_t turn, uint32_t request, Instant now);
  // Drops what is owed in a match that has ended, where the bot perhaps lost a turn on time.
  void EndMatch(const MatchId& match, const absl::optional<match::LostTurn>& lost);
  // The same in a match of another referee, where the bot has lost `lost_turn` on time, of which
  // the limit was `limit`; 0: it has lost none.
  void EndRelayed(const MatchId& match, uint32_t lost_turn, absl::Duration limit, Instant now);
  // Note that the request was handed to the transport, and that the transport has taken it.
  void NoteSent(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Sent(match, turn, request, now);
  }
  void NoteWritten(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Written(match, turn, request, now);
  }
  // Notes that the transport was to take the request, and does not.
  void NoteOffered(const MatchId& match, uint32_t turn, uint32_t request, Instant now) {
    pending_.Offered(match, turn, request, now);
  }
  // Since when the bot's time counts for what it owes in the match, seen at `now`; InfiniteFuture:
  // it does not count yet. None: it owes nothing.
  absl::optional<Instant> CountsFrom(const MatchId& match, Instant now) const;
  // The bot has answered.
  Settled Settle(const MatchId& match, uint32_t turn, uint32_t request, Instant now);
  // The same in a match of another referee. Measures also what answers the last request once more.
  Settled SettleRelayed(const MatchId& match, uint32_t turn, uint32_t request, Instant now);

  // As RoundTrip::Ping, Pong and estimate.
  uint64_t Ping(Instant now) { return round_trip_.Ping(now); }
  bool Pong(uint64_t number, Instant now) { return round_trip_.Pong(number, now); }
  absl::Duration round_trip() const { return round_trip_.estimate(); }

  // Why an answer in `turn` of a match that the bot does not play is refused.
  absl::Status WhyNotInMatch(const std::string& match, uint32_t turn, Instant now) const;

 private:
  PendingRequests pending_;
  // What the bot has answered last, by match of another referee.
  absl::flat_hash_map<MatchId, PendingRequests::Answer> answered_;
  RoundTrip round_trip_;
  bool answers_at_once_ = false;  // the latest answer came soon
  // The latest of matches that have ended.
  std::deque<std::pair<MatchId, match::LostTurn>> lost_turns_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_OWED_ANSWERS_H_
