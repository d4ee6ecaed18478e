// Judges the silence of bots of which another referee has the streams (service/peer/PEERS.md): when
// the time of such a bot is over here, it may not be over there, and an answer may be on its way.
// So the links of these bots are asked first how long they really have had what they were asked
// for (Link::AskLag). A request that still waits to be passed on to the other referee is no time of
// the bot, and nothing is judged until it is.
//
// Thread-compatible: touched only by the thread that steps the match. It needs no order of the
// answers and what else happens: an answer that comes after the match has gone on, or after another
// link of the seat, has no effect.
#ifndef REFEREE_HOST_SILENCE_H_
#define REFEREE_HOST_SILENCE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/host/audience.h"
#include "referee/match/match.h"

namespace referee::host {

class Silence {
 public:
  // Until when it is known that no bot has answered that the match waits for.
  struct Known {
    Instant until;
    // Of the referee that has the stream of the seat to move, until then; none: that is this one.
    absl::optional<match::Stalls> stalls;
  };

  // The time that the match gives was over at `now`. Returns what is known at once; else asks the
  // links, and returns none.
  absl::optional<Known> Check(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
                              const Audience& audience, Instant now);
  // Link::AskLag of the seat was answered at `now`. Returns what is known when it was the last.
  absl::optional<Known> Note(Seat seat, absl::Duration lag, const match::Stalls& stalls,
                             const match::Match& match, const Audience& audience, Instant now);
  // The seat has another link, or none.
  void Forget(Seat seat);

  // When to check at the latest; InfiniteFuture while answers, or a handover, are to come.
  Instant NextCheck(const match::Match& match, const Audience& audience);

 private:
  // What the bots are asked for, before the start or in a turn.
  struct Question {
    match::Stage stage = match::Stage::kNew;
    uint32_t turn = 0;
    uint32_t request = 0;

    friend bool operator==(const Question& a, const Question& b) {
      return a.stage == b.stage && a.turn == b.turn && a.request == b.request;
    }
  };
  struct SeatState {
    int owed = 0;        // answers of its link
    bool asked = false;  // about the question, by the last of these
    absl::optional<Instant> silent_until;
    match::Stalls stalls;  // with that
  };

  SeatState& of(Seat seat) { return seats_[static_cast<size_t>(seat.index())]; }
  // Whether the request of the turn that is due is still to be handed over to another referee.
  static bool AwaitsHandover(const match::Match& match, const Audience& audience);
  // Drops what concerns another question than that of the match now.
  void Follow(const match::Match& match);
  // The seats that the match waits for and that have to be asked about.
  std::vector<Seat> SeatsIn(const match::Match& match, const Audience& audience) const;

  std::vector<SeatState> seats_;
  Question question_;
  absl::Duration lag_;  // the greatest, by the last answers to the question
};

}  // namespace referee::host

#endif  // REFEREE_HOST_SILENCE_H_
