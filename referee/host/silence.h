// Judges the silence of bots whose streams other referees have (service/peer/PEERS.md).
//
// When such a bot's time is over at this referee, it may not be over at the bot's entry. An
// answer may be on its way. So the bot's link is first asked how long the bot really has had its
// request (Link::AskLag). While a request still waits for the stream to the entry, no time of the
// bot passes, and nothing is judged.
//
// Thread-compatible: used only by the thread that steps the match. Answers may come in any order
// relative to other events. An answer has no effect if the match has gone on since, or if the seat
// has another link.
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
  // The time until which all bots that the match waits for are known to be silent.
  struct Known {
    Instant until;
    // Stalls, until then, of the entry of the seat to move; not set if this referee has its stream.
    absl::optional<match::Stalls> stalls;
  };

  // Checks at `now`, when the time that the match gives was over. Returns what is known at once;
  // else asks the links, and returns none.
  absl::optional<Known> Check(const std::shared_ptr<MatchRunner>& runner, const match::Match& match,
                              const Audience& audience, Instant now);
  // Takes an answer to Link::AskLag at `now`. Returns what is known if it was the last answer.
  absl::optional<Known> Note(Seat seat, absl::Duration lag, const match::Stalls& stalls,
                             const match::Match& match, const Audience& audience, Instant now);
  // Forgets what is known of a seat, because it has another link or none.
  void Forget(Seat seat);

  // The latest time for the next Check; InfiniteFuture while an answer or a handover is awaited.
  Instant NextCheck(const match::Match& match, const Audience& audience);

 private:
  // What the match waits for, before the start or in a turn.
  struct Question {
    match::Stage stage = match::Stage::kNew;
    uint32_t turn = 0;
    uint32_t request = 0;

    friend bool operator==(const Question& a, const Question& b) {
      return a.stage == b.stage && a.turn == b.turn && a.request == b.request;
    }
  };
  struct SeatState {
    int owed = 0;        // answers that its link still owes
    bool asked = false;  // whether the last of these is about the current question
    absl::optional<Instant> silent_until;
    match::Stalls stalls;  // until silent_until
  };

  SeatState& of(Seat seat) { return seats_[static_cast<size_t>(seat.index())]; }
  // Whether the request of the due turn must still be handed over to another referee.
  static bool AwaitsHandover(const match::Match& match, const Audience& audience);
  // Drops what is known if the match now asks another question.
  void Follow(const match::Match& match);
  // The seats that the match waits for, and whose bots have another entry.
  std::vector<Seat> SeatsIn(const match::Match& match, const Audience& audience) const;

  std::vector<SeatState> seats_;
  Question question_;
  absl::Duration lag_;  // the greatest in the last answers to the question
};

}  // namespace referee::host

#endif  // REFEREE_HOST_SILENCE_H_
