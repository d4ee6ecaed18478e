// The turns of a match: asks the seats for their moves, plays the moves, takes seats out, and
// withholds what leads to a roll that is still to come in another match of a block. Decides no
// fault: replies.h does. Thread-compatible.
#ifndef REFEREE_MATCH_TURNS_H_
#define REFEREE_MATCH_TURNS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/conclusion.h"

namespace referee::match {

class Turns {
 public:
  // Both must outlive this.
  Turns(Parts* parts, Conclusion* conclusion)
      : parts_(*parts), conclusion_(*conclusion), last_played_(parts->setup.bots.size()) {}

  // The number of the turn that is due, from 1.
  uint32_t number() const { return number_; }
  // As Match::request.
  uint32_t request() const { return parts_.forfeits.CountIn(number_); }
  // The seat that has to move; None before the start, after the end and while a decision is
  // withheld.
  Seat mover() const;
  const absl::optional<Played>& last() const { return last_; }
  // The number of the last turn of the seat; 0: none.
  uint32_t last_played(Seat seat) const { return last_played_[seat.index()]; }
  bool withheld() const { return withheld_.has_value(); }
  bool IsDue(Seat seat, uint32_t turn) const {
    return seat == parts_.clocks.asked() && turn == number_;
  }

  // Settles the key of the dice and makes the first draws; both as in Started. GoOn is next.
  void Start(std::vector<std::string> nonces,
             std::vector<absl::optional<dice::NonceHash>> nonce_hashes);
  // Plays on until a seat has to choose, and asks it, or the game is over, or something is
  // withheld.
  void GoOn();
  // Plays the due turn. `timing` is none for a pass.
  void Play(games::Move move, absl::Duration used, const absl::optional<Timing>& timing,
            absl::optional<Cause> substituted);
  void Forfeit(Seat seat, Cause cause, std::string detail);

  // Handle RequestOffered, RequestSent and RollReleased.
  void Offer(const RequestOffered& event);
  void Hand(const RequestSent& event);
  void Release(int64_t roll);

  // Repeat a turn or forfeit of the log.
  void Redo(const Played& played);
  void Redo(const Forfeited& forfeited);

 private:
  using Decision = std::variant<Played, Forfeited>;

  void Ask();
  // The first request of a turn that is handed over starts its clock, also if it was replaced
  // since.
  bool StartsClock(Seat seat, uint32_t turn, uint32_t number) const {
    return IsDue(seat, turn) && number <= request();
  }
  // Applies and records a decision, with the roll that it leads to.
  void Carry(Played played);
  void Carry(Forfeited forfeited);
  // Applies it, here or from the log. The first returns the bank then.
  absl::Duration Apply(const Played& played);
  void Apply(const Forfeited& forfeited);
  void Withhold(Decision decision, int64_t roll);
  void Await(int64_t roll);
  // Takes out the next seat of those that are due to go. Returns false if none is.
  bool ForfeitNext();
  // Of those left, the one that has used most time; of equals `mover`, then the lower one.
  Seat SlowestSeat(Seat mover) const;

  Parts& parts_;
  Conclusion& conclusion_;
  uint32_t number_ = 1;
  absl::optional<Played> last_;
  std::vector<uint32_t> last_played_;  // by seat
  absl::optional<Decision> withheld_;  // until the roll is released
  int64_t awaited_ = kNoRoll;          // the roll that is waited for
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_TURNS_H_
