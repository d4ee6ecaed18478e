// The turns of a match: asks seats for moves, plays the moves and takes seats out.
//
// Withholds a decision that leads to a roll which is still to come in another match of the block.
// replies.h decides about faults. Thread-compatible.
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
  // The number of the seat's last turn; 0 if it had none.
  uint32_t last_played(Seat seat) const { return last_played_[seat.index()]; }
  bool withheld() const { return withheld_.has_value(); }
  bool IsDue(Seat seat, uint32_t turn) const {
    return seat == parts_.clocks.asked() && turn == number_;
  }

  // Settles the key of the dice and makes the first draws. Arguments as in Started. Call GoOn next.
  void Start(std::vector<std::string> nonces,
             std::vector<absl::optional<dice::NonceHash>> nonce_hashes);
  // Plays passes and due forfeits until a seat has a choice, and asks that seat. Stops when the
  // game is over or something is withheld.
  void GoOn();
  // Plays the due turn. `timing` is not set for a pass.
  void Play(games::Move move, absl::Duration used, const absl::optional<Timing>& timing,
            absl::optional<Cause> substituted);
  void Forfeit(Seat seat, Cause cause, std::string detail);

  // Handle RequestOffered, RequestSent and RollReleased.
  void Offer(const RequestOffered& event);
  void Hand(const RequestSent& event);
  void Release(int64_t roll);

  // Repeat a turn or forfeit from the log.
  void Redo(const Played& played);
  void Redo(const Forfeited& forfeited);

 private:
  using Decision = std::variant<Played, Forfeited>;

  void Ask();
  // Whether a request starts the clock of the due turn. It does even if it was replaced since.
  bool StartsClock(Seat seat, uint32_t turn, uint32_t number) const {
    return IsDue(seat, turn) && number <= request();
  }
  // Applies and records a decision, and the roll to which it leads.
  void Carry(Played played);
  void Carry(Forfeited forfeited);
  // Apply a decision, live or from the log. The first returns the seat's bank afterwards.
  absl::Duration Apply(const Played& played);
  void Apply(const Forfeited& forfeited);
  void Withhold(Decision decision, int64_t roll);
  void Await(int64_t roll);
  // Takes out the next seat that is due to forfeit. Returns false if there is none.
  bool ForfeitNext();
  // The remaining seat that has used most time; of equals `mover`, then the lower one.
  Seat SlowestSeat(Seat mover) const;

  Parts& parts_;
  Conclusion& conclusion_;
  uint32_t number_ = 1;
  absl::optional<Played> last_;
  std::vector<uint32_t> last_played_;  // by seat
  absl::optional<Decision> withheld_;  // until the awaited roll is released
  int64_t awaited_ = kNoRoll;          // the roll that AwaitRoll asked for
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_TURNS_H_
