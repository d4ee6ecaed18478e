// The opening of a match: makes the bots ready, collects the nonces of committed dice and settles
// their key (dice/DICE.md). It ends when the match has started. Thread-compatible.
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

  // Of the match.
  Stage stage() const;
  // As in Match.
  bool AsksNonces() const;
  bool ready(Seat seat) const;
  const std::vector<absl::optional<dice::NonceHash>>& nonce_hashes() const {
    return parts_.started ? parts_.started->nonce_hashes : told_hashes_;
  }
  // Whether the match waits for the seat to be ready, or to reveal its nonce.
  bool WaitsFor(Seat seat) const;
  // When the time for readiness, or for nonces, is over; InfiniteFuture if no bot is waited for, or
  // the entry of one is gone.
  Instant deadline() const {
    return Waits() && !WaitsForEntry() ? deadline_ : Instant::InfiniteFuture();
  }

  // Handle Begin, ReadyReceived, NonceReceived and NoncesSettled.
  void Begin();
  void TakeReady(const ReadyReceived& event);
  void TakeNonce(const NonceReceived& event);
  void Settle(const NoncesSettled& event);
  // Returns whether the time that is waited for is over.
  bool CheckTime();
  // Tells a seat that the match begins, and what it owes.
  void TellStartTo(Seat seat);
  // Goes on if the match is decided, or waits for no seat any more.
  void GoOn();
  // A bot whose entry was gone is back: if it was the last, the bots have all of the time anew.
  void GoOnAfterEntry();

  // For a rebuild; `started`: the log has the start.
  void Restore(bool started);
  // The bots have the time for `ready` from now on, and `more`.
  void SetDeadline(absl::Duration more);

 private:
  struct SeatState {
    bool asked_ready = false;  // by a start that was told and not answered
    bool said_ready = false;   // with a hash, where one is asked for
    bool revealed = false;     // its nonce
    absl::optional<dice::NonceHash> nonce_hash;
    std::string nonce;
  };

  bool Waits() const;
  bool WaitsForEntry() const;
  // Whether the match waits for the seat, unless it has resigned.
  bool Owes(const SeatState& seat) const;
  // How many seats that have not resigned are so.
  template <typename Is>
  int CountStaying(Is is) const;
  void SettleDecided();
  // The time for readiness, or for nonces, is over, or no bot is waited for any more.
  void EndReadying();
  void EndRevealing();
  void AskNonces();
  // If it is still to reveal it.
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
  bool awaits_nonces_ = false;  // those of the block
  std::vector<absl::optional<dice::NonceHash>> told_hashes_;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_OPENING_H_
