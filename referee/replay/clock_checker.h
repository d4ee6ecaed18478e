// Checks the times and faults in the records of a match against its time control and policies.
//
// Implements the rules of match/time_control.h, match/policies.h and match/record.h a second time,
// without match::Match. Does not check positions, legal moves and dice; verifier.h does.
// Thread-compatible.
//
// Each Take checks one record. It returns one line that says what is wrong, without the turn, or an
// empty string. After a wrong record the checker must not be used.
#ifndef REFEREE_REPLAY_CLOCK_CHECKER_H_
#define REFEREE_REPLAY_CLOCK_CHECKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/record.h"

namespace referee::replay {

class ClockChecker {
 public:
  // `setup` must outlive this.
  explicit ClockChecker(const match::Setup& setup);

  // Call Take with each record after Started and its draws, in order.
  //
  // `legal`: the legal moves of the turn, sorted; empty if the rules are unknown. Without rules,
  // any substitute move is accepted. `key`: the match key. REQUIRES: the seat was to move.
  std::string Take(const match::Played& turn, absl::Span<const games::Move> legal,
                   const dice::Key& key);
  // REQUIRES: the seat was to move.
  std::string Take(const match::Faulted& fault);
  // `to_move`: the seat that was to move. REQUIRES: the seat of the forfeit was not out.
  std::string Take(const match::Forfeited& forfeit, Seat to_move);
  // REQUIRES: the seat was to move.
  std::string Take(const match::NoContest& no_contest);
  void Take(const match::Resumed& resumed);
  std::string Take(const match::Ended& ended);

 private:
  // The record that must come next, unless the referee was killed before it wrote that record.
  enum class Next {
    kReadyingOver,  // the match has just started: anything, also forfeits of unready seats
    kAnything,
    kSubstitute,  // the referee plays for a seat whose move was illegal
    kForfeits,    // the match's time is used up: forfeits until the game is over
    kVoid,        // no contest: the end, VOID
  };

  struct SeatClock {
    absl::Duration bank;
    absl::Duration grace;  // left
    absl::Duration lag;    // credit left
    absl::Duration stall;  // allowance left for stalls of the referee
    bool stalls_charged = false;
    absl::Duration used;  // in all turns
    bool moved = false;
    int timeouts = 0;       // forgiven
    int illegal_moves = 0;  // forgiven
    bool out = false;
  };

  SeatClock& ClockOf(Seat seat) { return seats_[static_cast<size_t>(seat.index())]; }
  absl::Duration FirstMoveAllowance(Seat seat);
  // Returns the most stall time that may be given back in the current turn.
  absl::Duration StallQuota(Seat seat);
  absl::Duration MatchTimeLeft() const;
  // Returns the time limit of the current turn.
  absl::Duration Limit(Seat seat);

  // Each Check and Take returns what is wrong; empty: nothing.
  // Checks that the previous record does not require another one than this.
  std::string CheckNext() const;
  std::string CheckPass(const match::Played& turn) const;
  std::string CheckPlayed(const match::Played& turn, absl::Span<const games::Move> legal,
                          const dice::Key& key);
  std::string CheckTiming(const match::Timing& timing, Seat seat);
  std::string CheckTimeout(Seat seat, absl::Duration elapsed);
  std::string CheckSubstitute(const match::Played& turn, absl::Span<const games::Move> legal,
                              const dice::Key& key) const;
  std::string TakeEndOfMatchTime(const match::Faulted& fault);
  std::string TakeIllegalMove(const match::Faulted& fault);
  std::string CheckInterruption(const match::Forfeited& forfeit, Seat to_move) const;
  std::string CheckForfeitOnClock(const match::Forfeited& forfeit, Seat to_move);
  std::string CheckForfeitForMove(const match::Forfeited& forfeit);
  std::string CheckForfeitForTime(const match::Forfeited& forfeit);
  std::string CheckForfeitWithoutClock(const match::Forfeited& forfeit, Seat to_move);
  std::string CheckForfeitAtCap(const match::Forfeited& forfeit);
  void Count(const match::Played& turn);

  const match::Setup& setup_;
  const match::TimeControl& time_control_;
  const match::Policies& policies_;
  std::vector<SeatClock> seats_;
  absl::Duration used_;      // by all seats
  bool lengthened_ = false;  // the current turn, by a forfeit that interrupted it
  int tries_ = 0;            // illegal moves in the current turn
  Next next_ = Next::kReadyingOver;
  bool resigned_before_start_ = false;
  bool resumed_ = false;  // and no seat's clock has run since then
  Seat at_cap_;           // the seat that was to move when the match's time was used up
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_CLOCK_CHECKER_H_
