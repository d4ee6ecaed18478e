// Checks what the records of a match say of time and faults against its time control and policies.
// The rules are those of match/time_control.h, match/policies.h and match/record.h, implemented a
// second time: nothing here calls match::Match. The caller checks positions, legal moves and dice
// (verifier.h). Thread-compatible.
//
// Each Take checks one record and returns what is wrong with it, in one line that does not name the
// turn; empty if nothing is. After a wrong record the checker must not be used.
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

  // Takes the records after Started and its draws, in order.
  //
  // `legal` has the legal moves of the turn, sorted; it is empty if the rules are not known: then
  // any move may have been played in the seat's place. `key` is that of the match. REQUIRES: the
  // seat was to move.
  std::string Take(const match::Played& turn, absl::Span<const games::Move> legal,
                   const dice::Key& key);
  // REQUIRES: the seat was to move.
  std::string Take(const match::Faulted& fault);
  // REQUIRES: the seat was not out. `to_move`: who was to move.
  std::string Take(const match::Forfeited& forfeit, Seat to_move);
  // REQUIRES: the seat was to move.
  std::string Take(const match::NoContest& no_contest);
  void Take(const match::Resumed& resumed);
  std::string Take(const match::Ended& ended);

 private:
  // What must follow a record, unless the referee died in the middle of writing that.
  enum class Next {
    kReadyingOver,  // the match has just started: anything, also forfeits of who was not ready
    kAnything,
    kSubstitute,  // the referee plays for a seat whose move was illegal
    kForfeits,    // the match's time is used up: forfeits until the game is over
    kVoid,        // there was no contest: the end, VOID
  };

  struct SeatClock {
    absl::Duration bank;
    absl::Duration grace;  // left
    absl::Duration lag;    // credit left
    absl::Duration stall;  // left to be given back
    bool stalls_charged = false;
    absl::Duration used;  // in all turns
    bool moved = false;
    int timeouts = 0;       // forgiven
    int illegal_moves = 0;  // forgiven
    bool out = false;
  };

  SeatClock& ClockOf(Seat seat) { return seats_[static_cast<size_t>(seat.index())]; }
  absl::Duration FirstMoveAllowance(Seat seat);
  // What is given back to the turn that is due at most.
  absl::Duration StallQuota(Seat seat);
  absl::Duration MatchTimeLeft() const;
  // What the turn that is due may take.
  absl::Duration Limit(Seat seat);

  // Each returns what is wrong; empty if nothing is.
  // Whether what the record before has led to may be followed by something else.
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
  bool lengthened_ = false;  // the turn that is due, by a forfeit that interrupted it
  int tries_ = 0;            // in the turn that is due
  Next next_ = Next::kReadyingOver;
  bool resigned_before_start_ = false;
  bool resumed_ = false;  // and no seat's clock has run since
  Seat at_cap_;           // who was to move when the match's time was used up
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_CLOCK_CHECKER_H_
