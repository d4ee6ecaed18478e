// The opening of a match: waits until the bots are ready, and settles the key of the dice.
//
// Collects the nonces of committed dice (dice/DICE.md). Ends when the match has started.
// Thread-compatible.
#ifndef REFEREE_MATCH_OPENING_H_
#define REFEREE_MATCH_OPENING_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/match/turns.h"

namespace referee::match {

class Opening {
 public:
  // All must outlive this.
  Opening(Parts* parts, Turns* turns, Conclusion* conclusion)
      : parts_(*parts),
        turns_(*turns),
        conclusion_(*conclusion),
        seats_(parts->setup.bots.size()) {}

  // The stage of the whole match, also after the opening.
  Stage stage() const;
  // As in Match.
  bool AsksNonces() const;
  bool ready(Seat seat) const;
  const std::vector<absl::optional<dice::NonceHash>>& nonce_hashes() const {
    return parts_.started ? parts_.started->nonce_hashes : told_hashes_;
  }
  // Whether the match waits for the seat to be ready, or to reveal its nonce. False if it resigned.
  bool WaitsFor(Seat seat) const;
  // The end of the time for readiness, or for nonces. InfiniteFuture if the match waits for no bot,
  // or if the entry of a bot that has not resigned is lost.
  Instant deadline() const {
    return Waits() && !WaitsForEntry() ? deadline_ : Instant::InfiniteFuture();
  }

  // Handle Begin, ReadyReceived, NonceReceived and NoncesSettled.
  void Begin();
  void TakeReady(const ReadyReceived& event);
  void TakeNonce(const NonceReceived& event);
  void Settle(const NoncesSettled& event);
  // Ends the current phase if its deadline has passed. Returns whether it has.
  bool CheckTime();
  // Sends MatchStart to a seat and, while bots reveal, asks for a nonce that is still missing.
  void TellStartTo(Seat seat);
  // Goes on if the match is decided, or if it waits for no seat any more.
  void GoOn();
  // Handles the return of a bot whose entry was lost. If no other entry is lost, all bots get their
  // whole time again.
  void GoOnAfterEntry();

  // Puts a match into kReadying to rebuild it. `started`: the log has a Started record.
  void Restore(bool started);
  // Gives the bots TimeControl::ready plus `more` from now on.
  void SetDeadline(absl::Duration more);

 private:
  struct SeatState {
    bool asked_ready = false;  // a MatchStart was sent and not answered
    bool said_ready = false;   // with a hash, if the match asks for nonces
    bool revealed = false;     // the bot has revealed its nonce
    absl::optional<dice::NonceHash> nonce_hash;
    std::string nonce;
  };

  bool Waits() const;
  bool WaitsForEntry() const;
  // Whether the seat still owes its readiness or its nonce. Ignores resignations.
  bool Owes(const SeatState& seat) const;
  // Counts the seats that have not resigned and for which `is` holds.
  template <typename Is>
  int CountStaying(Is is) const;
  void SettleDecided();
  // End a phase: its time is over, or the match waits for no bot any more.
  void EndReadying();
  void EndRevealing();
  void AskNonces();
  // Asks for the seat's nonce unless it has revealed it or resigned, or sent no hash.
  void AskNonceOf(Seat seat);
  void AwaitNoncesOfBlock();
  void Start();
  void StartWith(std::vector<std::string> nonces,
                 std::vector<absl::optional<dice::NonceHash>> nonce_hashes);
  void QueueAbsentSeats();
  void TellFaultTo(Seat seat, TellFault::Kind kind, absl::string_view problem);

  Parts& parts_;
  Turns& turns_;
  Conclusion& conclusion_;
  Stage stage_ = Stage::kNew;  // until the match has started
  std::vector<SeatState> seats_;
  Instant deadline_ = Instant::InfiniteFuture();
  bool decided_ = false;        // at most one seat has not resigned
  bool awaits_nonces_ = false;  // waits for NoncesSettled of its block
  std::vector<absl::optional<dice::NonceHash>> told_hashes_;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_OPENING_H_
